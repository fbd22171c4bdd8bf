"""Looks by name or file, each read once, as the texels of a texture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.plugins.grading.cube_file import Color, ColorTable, read_cube_file
from renderwright.render import UsageError

SHIPPED = Path(__file__).parent / "tables"
WIDTH = 4096
"""Texels in a row of the texture, whose texels are all entries of a table one after another."""


@dataclass(frozen=True, eq=False)
class Look:
    """A table for the GPU. ``texels`` is float32 (rows, WIDTH or less, 4): the curve's entries, then the cube's, red
    fastest. The other fields fill the uniform block."""

    texels: NDArray[np.float32]
    curve_size: int
    curve_low: Color
    curve_high: Color
    cube_size: int
    cube_low: Color
    cube_high: Color


def look_of(name: str) -> Look:
    """The look of a shipped name or of the path of a ``.cube`` file. Raises ``UsageError``, which names file and line.

    A changed file is read again.
    """
    path = _path(name)
    try:
        state = path.stat()
    except OSError:
        names = ", ".join(sorted(file.stem for file in SHIPPED.glob("*.cube")))
        raise UsageError(
            f'there is no look and no file "{name}"', hint=f"the looks are {names}; others are paths of .cube files"
        ) from None
    return _read(path, state.st_mtime_ns, state.st_size)


def _path(name: str) -> Path:
    shipped = SHIPPED / f"{name}.cube"
    return shipped if Path(name).name == name and shipped.is_file() else Path(name)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> Look:
    return packed(read_cube_file(path))


def packed(table: ColorTable) -> Look:
    """A table as texels."""
    entries = np.concatenate([table.curve, table.cube.reshape(-1, 3)])
    width = min(len(entries), WIDTH)
    rows = -(-len(entries) // width)
    texels = np.zeros((rows, width, 4), np.float32)
    texels.reshape(-1, 4)[: len(entries), :3] = entries
    texels.flags.writeable = False
    return Look(texels, len(table.curve), *table.curve_domain, len(table.cube), *table.cube_domain)

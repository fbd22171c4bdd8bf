"""Arrays that take long to make, kept in the cache folder from one process to the next."""

from __future__ import annotations

import hashlib
import inspect
import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.disk_cache import MOST_ENTRY_BYTES, cache_folder, prune, read_checked, write_checked

Arrays = Mapping[str, NDArray[Any]]

MOST_BYTES = 256 * 2**20
"""The most bytes of a kind's folder; beyond them the least recently used arrays are deleted."""

_MAGIC = b"RWARRAY1"


@dataclass(frozen=True)
class MadeBy:
    """What determines arrays: a function, its arguments (by ``repr``), and the versions of libraries that it uses."""

    function: Callable[..., object]
    arguments: tuple[object, ...]
    versions: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A name for the arrays. It covers NumPy's version and the whole file that defines the function."""
        source = hashlib.sha256(Path(inspect.getfile(self.function)).read_bytes()).hexdigest()
        inputs = (self.function.__qualname__, self.arguments, source, np.__version__, self.versions)
        return hashlib.sha256(repr(inputs).encode()).hexdigest()


def kept_arrays(kind: str, made_by: MadeBy, make: Callable[[], Arrays]) -> Arrays:
    """The arrays in the folder ``kind`` of the cache; made and stored if they are not there, or damaged."""
    path = cache_folder(kind) / f"{made_by.digest}.npz"
    packed = read_checked(path, _MAGIC)
    kept = _unpacked(packed) if packed is not None else None
    if kept is not None:
        return kept
    arrays = make()
    prune(path.parent, MOST_BYTES)
    write_checked(path, _MAGIC, _packed(arrays))
    return arrays


def _packed(arrays: Arrays) -> bytes:
    """The arrays in NumPy's format, deflated: to inflate them takes less time than the digest of plain bytes."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    return zlib.compress(file.getvalue())


def _unpacked(packed: bytes) -> Arrays | None:
    """The arrays, or None if the bytes are none of ours, or inflate to more than ``MOST_ENTRY_BYTES``."""
    try:
        with np.load(io.BytesIO(zlib.decompressobj().decompress(packed, MOST_ENTRY_BYTES)), allow_pickle=False) as file:
            return dict(file)
    except (zlib.error, zipfile.BadZipFile, ValueError, TypeError, EOFError):
        return None

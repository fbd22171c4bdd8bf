"""One dump, as the command line names it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean

EXAMPLE = "depth@after=gbuffer,frame=30:depth.png"
_NUMBERS = ("frame", "layer", "mip")
_DIMENSIONS = ("eye", "sample", "view")


class DumpFormat(StrEnum):
    """The formats of dumps, by the suffix of the file."""

    PNG = ".png"
    NPY = ".npy"
    EXR = ".exr"


@dataclass(frozen=True)
class Dump:
    """A ``resource`` to write to ``file`` as it is after the node ``after`` ('': after its last writer).

    ``frame`` counts from 0; None is the last frame. ``index`` names one of the resource's instances, by dimension: 0 is
    meant where a dimension is missing. ``mip`` is a level of a texture, ``layer`` one of its layers (None: all of them,
    or the first in a picture).
    """

    resource: str
    file: Path
    after: str = ""
    frame: int | None = None
    index: tuple[tuple[str, int], ...] = ()
    mip: int = 0
    layer: int | None = None

    @property
    def format(self) -> DumpFormat:
        """The format of the file."""
        return DumpFormat(self.file.suffix.lower())


def dump_from(text: str) -> Dump:
    """``RESOURCE[@view=0,after=NODE,frame=N]:FILE`` as a dump. Raises ``UsageError``."""
    place, colon, file = text.partition(":")
    resource, at, options = place.partition("@")
    if not (resource and colon and file) or (at and not options):
        raise UsageError(f'"{text}" is not a dump', hint=f"RESOURCE[@KEY=VALUE,..]:FILE, such as {EXAMPLE}")
    path = Path(file)
    check_suffix(path)
    after, numbers = _options(text, options)
    index = tuple((key, numbers[key]) for key in _DIMENSIONS if key in numbers)
    return Dump(resource, path, after, numbers.get("frame"), index, numbers.get("mip", 0), numbers.get("layer"))


def check_suffix(file: Path) -> None:
    """Raise ``UsageError`` for a file that has none of the formats."""
    if file.suffix.lower() not in tuple(DumpFormat):
        raise UsageError(
            f'a dump cannot be saved as "{file}"',
            hint=f"give a file name that ends in {', '.join(DumpFormat)}",
        )


def _options(text: str, options: str) -> tuple[str, dict[str, int]]:
    """The node to follow, and the numbers by key."""
    after, numbers = "", {}
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        if key == "after" and value:
            after = value
        elif key in (*_NUMBERS, *_DIMENSIONS) and value.isdecimal():
            numbers[key] = int(value)
        else:
            known = ("after", *_NUMBERS, *_DIMENSIONS)
            hint = f"{key} is a number from 0 on" if key in known[1:] else did_you_mean(key, known)
            raise UsageError(f'"{option}" in the dump "{text}" is not understood', hint=hint)
    return after, numbers

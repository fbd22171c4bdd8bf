"""Checks the sizes and counts that declare functions give."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral

from renderwright.render.errors import GraphError
from renderwright.render.graph.source import caller_location
from renderwright.render.types.resources import Blob, Buffer, Resolution, ResourceDesc, Texture


def check_description(name: str, desc: ResourceDesc | None) -> None:
    """Raise ``GraphError`` at the caller's line if a size or count of a resource is no whole number."""
    if desc is None or isinstance(desc, Blob):
        return
    numbers: dict[str, object]
    if isinstance(desc, Buffer):
        numbers = {"size": desc.size}
    else:
        numbers = {"mips": desc.mips, "layers": desc.layers, "samples": desc.samples, **_extent(desc)}
    for field, value in numbers.items():
        check_whole(f'{field} of {desc.kind} "{name}"', (value,))


def _extent(desc: Texture) -> dict[str, object]:
    if isinstance(desc.size, Resolution):
        return {}
    width, height = desc.size
    return {"width": width, "height": height}


def check_whole(what: str, values: Iterable[object]) -> None:
    """Raise ``GraphError`` at the caller's line if one of the values is no whole number. Booleans are none."""
    for value in values:
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise GraphError(
                f"{what} is {value!r}, which is no whole number", hint="give an int", where=caller_location()
            )

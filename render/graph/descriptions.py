"""Checks the descriptions of resources that declare functions give."""

from __future__ import annotations

from typing import Any

from renderwright.render.graph.arguments import (
    ABOVE_ZERO,
    BOOL,
    DESCRIPTION,
    FORMAT,
    NAME,
    RESOLUTION,
    SIZE,
    TYPE,
    WHOLE_NUMBER,
    check_argument,
    check_first,
)
from renderwright.render.types.resources import Blob, Buffer, Resolution, ResourceDesc, Texture

Desc = Texture | Buffer | type[Any]


def as_description(name: str, desc: Desc) -> Texture | Buffer | Blob:
    """The description of a resource that a declare function gives; a type describes a blob."""
    check_argument(f'the description of "{name}"', desc, DESCRIPTION)
    return desc if isinstance(desc, Texture | Buffer) else Blob(desc.__name__, desc)


def as_blob(name: str, type_: type[Any] | None) -> Blob | None:
    """The description of a blob by its type; None if the type is not given."""
    if type_ is None:
        return None
    check_argument(f'the type of "{name}"', type_, TYPE)
    return Blob(type_.__name__, type_)


def check_resolution(name: object, scale: object) -> None:
    """Raise ``GraphError`` at the caller's line for a resolution of another type."""
    check_argument("the name of a resolution", name, NAME)
    check_argument(f'the scale of resolution "{name}"', scale, ABOVE_ZERO)


def check_description(name: str, desc: ResourceDesc | None) -> None:
    """Raise ``GraphError`` at the caller's line if a field of a description is of another type."""
    if isinstance(desc, Texture):
        _check_texture(f'of texture "{name}"', desc)
    elif isinstance(desc, Buffer):
        check_argument(f'size of buffer "{name}"', desc.size, WHOLE_NUMBER)
        check_argument(f'each of buffer "{name}"', desc.each, RESOLUTION)
        if desc.each is not None:
            check_resolution(desc.each.name, desc.each.scale)
    else:
        assert desc is None or isinstance(desc, Blob)


def _check_texture(which: str, desc: Texture) -> None:
    check_first(f"format {which}", desc.format, desc.size, "Texture", FORMAT)
    check_argument(f"size {which}", desc.size, SIZE)
    check_argument(f"cube {which}", desc.cube, BOOL)
    for field in ("mips", "layers", "samples"):
        check_argument(f"{field} {which}", getattr(desc, field), WHOLE_NUMBER)
    if isinstance(desc.size, Resolution):
        check_resolution(desc.size.name, desc.size.scale)
    else:
        for field, value in zip(("width", "height"), desc.size, strict=True):
            check_argument(f"{field} {which}", value, WHOLE_NUMBER)

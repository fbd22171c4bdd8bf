"""Checks what execute functions give to commands: a driver takes whatever it is told, and crashes on some of it."""

from __future__ import annotations

import operator
import reprlib
from typing import Any, NamedTuple, NoReturn

from renderwright.render.backend.protocol import INDIRECT_BYTES
from renderwright.render.errors import GraphError
from renderwright.render.graph.arguments import NUMBER, check_arguments
from renderwright.render.graph.source import caller_location
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer

_MOST = 2**32 - 1
_MOST_SIGNED = 2**31 - 1
_MOST_BYTES = 2**63 - 1
_WORD = 4
_LARGEST_SIDE = 16384
"""Of a viewport, which every driver of a desktop takes."""


def check_counts(what: str, *counts: Any) -> tuple[int, ...]:
    """The counts as ints; ``GraphError`` at the caller's line unless all are whole numbers from 0 to 2^32 - 1."""
    for count in counts:
        if type(count) is not int or not 0 <= count <= _MOST:
            return tuple([_whole(what, each, 0, _MOST) for each in counts])
    return counts


def check_offset(what: str, offset: Any) -> int:
    """The offset as an int; ``GraphError`` at the caller's line unless it is a whole number of 32 bits with a sign."""
    return _whole(what, offset, -(2**31), _MOST_SIGNED)


def _whole(what: str, value: Any, least: int, most: int) -> int:
    """The int that any kind of int is, numpy's too; sums of those can overflow."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= most:
        raise GraphError(
            f"{what} is {reprlib.repr(value)}", hint=f"give an int from {least} to {most}", where=caller_location()
        )
    return number


def check_groups(extent: Any) -> tuple[int, ...]:
    """The size of a dispatch as ints; ``GraphError`` at the caller's line unless it is two or three whole numbers."""
    if not isinstance(extent, tuple | list) or len(extent) not in (2, 3):
        raise GraphError(
            f"the extent of a dispatch is {reprlib.repr(extent)}",
            hint="give (width, height) or (width, height, depth) in invocations, such as handle.extent",
            where=caller_location(),
        )
    return check_counts("a side of the extent of a dispatch", *extent)


def check_viewport(x: Any, y: Any, width: Any, height: Any) -> None:
    """Raise ``GraphError`` at the caller's line unless all are numbers, with sides above 0, that every driver takes."""
    check_arguments("a side of the viewport", (x, y, width, height), NUMBER)
    for side, above in ((x, False), (y, False), (width, True), (height, True)):
        if not 0 <= side <= _LARGEST_SIDE or (above and side == 0):
            raise GraphError(
                f"a side of the viewport is {reprlib.repr(side)}",
                hint=f"give numbers from 0 to {_LARGEST_SIDE}, and a width and height above 0",
                where=caller_location(),
            )


def check_scissor(*sides: Any) -> tuple[int, ...]:
    """The sides as ints; ``GraphError`` at the caller's line unless all, and the edges, are whole numbers from 0 on."""
    x, y, width, height = [_whole("a side of the scissor rectangle", side, 0, _MOST_SIGNED) for side in sides]
    for edge in (x + width, y + height):
        _whole("an edge of the scissor rectangle", edge, 0, _MOST_SIGNED)
    return x, y, width, height


def check_multiples(what: str, multiple: int, *counts: Any) -> tuple[int, ...]:
    """Sizes or offsets as ints; ``GraphError`` at the caller's line unless all are whole multiples."""
    numbers = tuple([_whole(what, count, 0, _MOST_BYTES) for count in counts])
    for number in numbers:
        if number % multiple:
            raise GraphError(f"{what} is {number}", hint=f"give a multiple of {multiple}", where=caller_location())
    return numbers


def check_place(what: str, buffer: Any, offset: Any, multiple: int = 1) -> int:
    """The offset as an int; ``GraphError`` at the caller's line unless it lies in the buffer, on a multiple."""
    size = as_buffer(f"the buffer of {what.removeprefix('the offset of ')}", buffer).info.size
    (place,) = check_multiples(what, multiple, offset)
    if place >= size:
        raise GraphError(
            f'{what} is {place}, and "{buffer.name}" has {size} bytes',
            hint="give an offset within the buffer",
            where=caller_location(),
        )
    return place


class IndirectDraws(NamedTuple):
    """The numbers of an indirect draw: commands, the byte of the first, and the byte of their count."""

    draws: int
    offset: int
    place: int


def check_indirect(commands: Any, draws: Any, offset: Any, counts: Any = None, place: Any = 0) -> IndirectDraws:
    """The numbers as ints; ``GraphError`` at the caller's line unless the buffers have these commands and their
    count."""
    size = as_buffer("the buffer of indirect draws", commands).info.size
    (number,) = check_counts("the number of indirect draws", draws)
    start, counted = check_multiples("the offset or the place of indirect draws", _WORD, offset, place)
    end = start + number * INDIRECT_BYTES
    if end > size:
        refuse_range("an indirect draw reads", commands, start, end)
    if counts is not None:
        room = as_buffer("the buffer with the number of indirect draws", counts).info.size
        if counted + _WORD > room:
            refuse_range("an indirect draw reads", counts, counted, counted + _WORD)
    return IndirectDraws(number, start, counted)


def as_buffer(what: str, buffer: Any) -> PhysicalBuffer:
    """The buffer; ``GraphError`` at the caller's line for anything else."""
    if not isinstance(getattr(buffer, "info", None), BufferInfo):
        raise GraphError(
            f"{what} is {reprlib.repr(buffer)}, which is no buffer",
            hint="give the .buffer of a request's handle",
            where=caller_location(),
        )
    found: PhysicalBuffer = buffer
    return found


def refuse_range(does: str, buffer: PhysicalBuffer, start: int, end: int) -> NoReturn:
    """Raise ``GraphError`` at the caller's line for bytes that a buffer has not."""
    raise GraphError(
        f'{does} bytes {start} to {end} of "{buffer.name}", which has {buffer.info.size}',
        hint="stay within the buffer, or make it larger",
        where=caller_location(),
    )

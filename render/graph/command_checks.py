"""Checks what execute functions give to commands: a driver takes whatever it is told, and crashes on some of it."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Sequence
from typing import Any

from renderwright.render.errors import GraphError
from renderwright.render.graph.arguments import NUMBER, check_arguments
from renderwright.render.graph.handles import BoundResource
from renderwright.render.graph.requests import Request
from renderwright.render.graph.source import caller_location
from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.usages import Usage

_MOST = 2**32 - 1
_REQUESTED = {
    Usage.VERTEX: ("vertex buffer", ".vertex()"),
    Usage.INDEX: ("index buffer", ".index()"),
    Usage.INDIRECT: ("buffer of commands or counts", ".indirect()"),
}


def check_counts(what: str, *counts: Any) -> None:
    """Raise ``GraphError`` at the caller's line unless all are whole numbers from 0 to 2^32 - 1."""
    for count in counts:
        if type(count) is not int or not 0 <= count <= _MOST:
            _check_whole(what, count, 0, _MOST)


def check_offset(what: str, offset: Any) -> None:
    """Raise ``GraphError`` at the caller's line unless it is a whole number of 32 bits with a sign."""
    _check_whole(what, offset, -(2**31), 2**31 - 1)


def _check_whole(what: str, value: Any, least: int, most: int) -> None:
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= most:
        raise GraphError(
            f"{what} is {reprlib.repr(value)}", hint=f"give an int from {least} to {most}", where=caller_location()
        )


def check_groups(extent: Any) -> None:
    """Raise ``GraphError`` at the caller's line unless it is the size of a dispatch: two or three whole numbers."""
    if not isinstance(extent, tuple | list) or len(extent) not in (2, 3):
        raise GraphError(
            f"the extent of a dispatch is {reprlib.repr(extent)}",
            hint="give (width, height) or (width, height, depth) in invocations, such as handle.extent",
            where=caller_location(),
        )
    check_counts("a side of the extent of a dispatch", *extent)


def check_rectangle(what: str, *sides: Any) -> None:
    """Raise ``GraphError`` at the caller's line unless all are numbers."""
    check_arguments(f"a side of the {what}", sides, NUMBER)


def check_buffer(buffer: Any, usage: Usage, requests: Sequence[tuple[Request, BoundResource]]) -> None:
    """Raise ``GraphError`` at the caller's line unless it is a buffer with that usage.

    Where the node has ``requests`` of the buffer, one has to be of that usage, whatever others do with it: its barriers
    are those of the requests.
    """
    words, request = _REQUESTED[usage]
    info = getattr(buffer, "info", None)
    if not isinstance(info, BufferInfo):
        raise GraphError(
            f"the {words} is {reprlib.repr(buffer)}, which is no buffer",
            hint="give the .buffer of a request's handle",
            where=caller_location(),
        )
    own = [made for made, bound in requests if any(physical is buffer for physical in bound.physicals)]
    if usage in info.usages and (not own or any(made.usage is usage for made in own)):
        return
    raise GraphError(
        f'the {words} is "{buffer.name}", which is not requested so',
        hint=f"request it by {request} instead of .{own[0].usage}() at {own[0].source}"
        if own and own[0].usage
        else f"add {request} to the request",
        where=caller_location(),
    )

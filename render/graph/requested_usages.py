"""Whether a node has requested what its commands use: the barriers of a frame are those of the requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from renderwright.render.errors import GraphError
from renderwright.render.graph.command_checks import as_buffer
from renderwright.render.graph.handles import BoundResource
from renderwright.render.graph.requests import Request
from renderwright.render.graph.source import caller_location
from renderwright.render.types.physical import BufferInfo, Physical
from renderwright.render.types.usages import Usage

_WORDS = {
    Usage.VERTEX: ("vertex buffer", ".vertex()"),
    Usage.INDEX: ("index buffer", ".index()"),
    Usage.INDIRECT: ("buffer of commands or counts", ".indirect()"),
    Usage.COPY_SRC: ("source of a copy", ".copy_src()"),
    Usage.COPY_DST: ("target of a fill, clear or copy", ".copy_dst()"),
}

_COPIES = frozenset({Usage.COPY_SRC, Usage.COPY_DST})
"""Backends can copy all buffers, and all textures that are requested for it."""


class RequestedUsages:
    """The usages of one node's ``requests``, which have what they are bound to."""

    def __init__(self, requests: Sequence[tuple[Request, BoundResource]]) -> None:
        self._requests = requests
        self._checked: dict[tuple[int, Usage], Physical] = {}

    def require_buffer(self, buffer: Any, usage: Usage) -> None:
        """Raise ``GraphError`` at the caller's line unless it is a buffer that may be used so."""
        as_buffer(f"the {_WORDS[usage][0]}", buffer)
        self.require(buffer, usage)

    def require(self, physical: Physical, usage: Usage) -> None:
        """Raise ``GraphError`` at the caller's line unless a texture or buffer may be used so.

        Where the node has requests of it, one has to be of that usage, whatever others do with it. What holds in one
        frame holds in all.
        """
        key = id(physical), usage
        if key not in self._checked:
            self._check(physical, usage)
            self._checked[key] = physical

    def _check(self, physical: Physical, usage: Usage) -> None:
        own = [made for made, bound in self._requests if any(one is physical for one in bound.physicals)]
        able = usage in physical.info.usages
        if own:
            able = (able or usage in _COPIES) and any(made.usage is usage for made in own)
        elif usage in _COPIES:
            able = able or isinstance(physical.info, BufferInfo)
        if able:
            return
        words, request = _WORDS[usage]
        raise GraphError(
            f'the {words} is "{physical.name}", which is not requested so',
            hint=f"request it by {request} instead of .{own[0].usage}() at {own[0].source}"
            if own and own[0].usage
            else f"add {request} to the request",
            where=caller_location(),
        )

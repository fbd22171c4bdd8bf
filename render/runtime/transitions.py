"""Barriers of the runtime's own, outside of any plan: they wait for everything and hold back everything."""

from __future__ import annotations

from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage

_EVERYTHING = Access.MEMORY_READ | Access.MEMORY_WRITE


def transition(resource: str, copy: int, old: Layout, new: Layout) -> Barrier:
    """The barrier that brings a copy of a texture from one layout into another."""
    return Barrier(
        resource,
        copy,
        Stage.ALL_COMMANDS,
        _EVERYTHING,
        Stage.ALL_COMMANDS,
        _EVERYTHING,
        old,
        new,
        BarrierReason.LAYOUT,
    )

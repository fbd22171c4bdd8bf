"""Layout transitions of the runtime, outside of any plan: source and destination scopes cover everything."""

from __future__ import annotations

from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage

_EVERYTHING = Access.MEMORY_READ | Access.MEMORY_WRITE


def transition(resource: str, copy: int, old: Layout, new: Layout) -> Barrier:
    """A barrier that transitions a copy of a texture from one layout to another."""
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

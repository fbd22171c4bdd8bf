"""Merges the scopes of several uses of one resource between the same barriers."""

from __future__ import annotations

from renderwright.render.sync.flags import Layout
from renderwright.render.sync.scopes import Scope

# A texture is in one layout at a time. Pairs that are missing have no layout that allows both uses.
_BOTH = {
    frozenset({Layout.DEPTH_ATTACHMENT, Layout.DEPTH_READ_ONLY}): Layout.DEPTH_ATTACHMENT,
    frozenset({Layout.SHADER_READ_ONLY, Layout.DEPTH_READ_ONLY}): Layout.DEPTH_READ_ONLY,
    frozenset({Layout.SHADER_READ_ONLY, Layout.GENERAL}): Layout.GENERAL,
    frozenset({Layout.SHADER_READ_ONLY, Layout.TRANSFER_SRC}): Layout.GENERAL,
    frozenset({Layout.SHADER_READ_ONLY, Layout.TRANSFER_DST}): Layout.GENERAL,
    frozenset({Layout.TRANSFER_SRC, Layout.TRANSFER_DST}): Layout.GENERAL,
    frozenset({Layout.TRANSFER_SRC, Layout.GENERAL}): Layout.GENERAL,
    frozenset({Layout.TRANSFER_DST, Layout.GENERAL}): Layout.GENERAL,
}


def merge_scopes(first: Scope, second: Scope) -> Scope:
    """One scope that covers both uses; ``ValueError`` when no layout allows both at once."""
    if first is second or first == second:
        return first
    layout = first.layout
    if second.layout != layout:
        both = _BOTH.get(frozenset({layout, second.layout}))
        if both is None:
            raise ValueError(f"{layout.name} and {second.layout.name}")
        layout = both
    return Scope(first.stages | second.stages, first.access | second.access, layout)


def without_layout(scope: Scope) -> Scope:
    """The scope of a buffer: it has no layout."""
    return Scope(scope.stages, scope.access, Layout.UNDEFINED)

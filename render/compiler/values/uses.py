"""How a node instance uses a resource instance, and what it renders to by its uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from renderwright.render.graph.requests import Request
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import scope_of
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ATTACHMENTS, ShaderStage, Usage

Attached = tuple[str, Usage, Part]
"""A resource id, how it is attached, and which part of it."""

_DEPTHS = frozenset({Usage.DEPTH, Usage.DEPTH_READ})


class Use(NamedTuple):
    """One node instance using one resource instance, or several for a gather request, in index order.

    ``resources`` is empty when an optional request found nothing. ``history`` reads last frame's copy. ``name`` is the
    request's name with slots and chains followed, ``to`` that of a rename's new name.
    """

    number: int
    request: Request
    resources: tuple[str, ...]
    usage: Usage | None
    stage: ShaderStage
    history: bool = False
    name: str = ""
    to: str = ""

    @property
    def present(self) -> bool:
        """Whether there is anything to use."""
        return bool(self.resources)

    @property
    def touches_gpu(self) -> bool:
        """Whether the device sees the use: no blob, no mere rename, no presentation."""
        return self.usage is not None and self.usage is not Usage.PRESENT and bool(self.resources)


def attached(uses: Iterable[Use]) -> tuple[Attached, ...]:
    """What a node with these uses renders to, colours in the order of the requests and depth last."""
    found: dict[tuple[str, Part], Usage] = {}
    for use in uses:
        if use.usage in ATTACHMENTS and not use.history:
            for name in use.resources:
                # Testing against depth and writing it in one node is writing it.
                if found.get((name, use.request.part)) is not Usage.DEPTH:
                    found[name, use.request.part] = use.usage
    items = [(name, usage, part) for (name, part), usage in found.items()]
    if len(items) < 2:
        return tuple(items)
    colors = [item for item in items if item[1] not in _DEPTHS]
    return (*colors, *(item for item in items if item[1] in _DEPTHS))


def meeting(uses: Iterable[Use], name: str, history: bool, part: Part) -> Sequence[Use]:
    """The uses of one copy of a resource that have a layout in common with a part of it: those whose parts meet it, or
    meet one of these."""
    left = [use for use in uses if use.touches_gpu and use.history == history and name in use.resources]
    parts, found = [part], []
    for known in parts:
        near = [use for use in left if use.request.part.meets(known)]
        left = [use for use in left if not use.request.part.meets(known)]
        found += near
        parts += [use.request.part for use in near]
    return found


def layout_during(uses: Iterable[Use], name: str, history: bool, part: Part) -> Layout:
    """The layout of a part of one copy of a texture for all that a node with these uses does with it."""
    near = meeting(uses, name, history, part)
    return reduce(merge_scopes, [scope_of(use.usage, use.stage) for use in near if use.usage is not None]).layout

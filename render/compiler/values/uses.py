"""How a node instance uses resource instances; the attachments and layouts that follow from its uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from renderwright.render.graph.requests import Request
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import scope_of
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ATTACHMENTS, ShaderStages, Usage

Attached = tuple[str, Usage, Part]
"""An attachment: (resource id, usage, part)."""

_DEPTHS = frozenset({Usage.DEPTH, Usage.DEPTH_READ})


class Use(NamedTuple):
    """One node instance using one resource instance, or several for a gather request, in index order.

    ``resources`` is empty for an optional request without a resource. ``reads_history`` means the previous frame's
    copy. ``name`` is the resolved name of the request, ``to`` the resolved new name of a rename. ``usage`` is the
    request's, or None if the node executes nothing and requests nothing but reads.
    """

    number: int
    request: Request
    resources: tuple[str, ...]
    usage: Usage | None
    stages: ShaderStages
    reads_history: bool = False
    name: str = ""
    to: str = ""

    @property
    def present(self) -> bool:
        """Whether there is a resource to use."""
        return bool(self.resources)

    @property
    def touches_gpu(self) -> bool:
        """Whether GPU commands access the resource: no blob, no mere rename, no presentation."""
        return self.usage is not None and self.usage is not Usage.PRESENT and bool(self.resources)


def attached(uses: Iterable[Use]) -> tuple[Attached, ...]:
    """The attachments of a node with these uses: colours in the order of the requests, depth last."""
    found: dict[tuple[str, Part], Usage] = {}
    for use in uses:
        if use.usage in ATTACHMENTS and not use.reads_history:
            for name in use.resources:
                # A node that both tests against depth and writes it has an attachment that it writes.
                if found.get((name, use.request.part)) is not Usage.DEPTH:
                    found[name, use.request.part] = use.usage
    items = [(name, usage, part) for (name, part), usage in found.items()]
    colors = [item for item in items if item[1] not in _DEPTHS]
    return (*colors, *(item for item in items if item[1] in _DEPTHS))


def meeting(uses: Iterable[Use], name: str, reads_history: bool, part: Part) -> Sequence[Use]:
    """The uses of one copy of a resource that share a layout with a part of it: uses whose parts overlap it, directly
    or through the parts of other uses."""
    left = [use for use in uses if use.touches_gpu and use.reads_history == reads_history and name in use.resources]
    parts, found = [part], []
    for known in parts:
        near = [use for use in left if use.request.part.meets(known)]
        left = [use for use in left if not use.request.part.meets(known)]
        found += near
        parts += [use.request.part for use in near]
    return found


def layout_during(uses: Iterable[Use], name: str, reads_history: bool, part: Part) -> Layout:
    """The layout that a part of one copy of a texture has while a node with these uses runs."""
    near = meeting(uses, name, reads_history, part)
    return reduce(merge_scopes, [scope_of(use.usage, use.stages) for use in near if use.usage is not None]).layout

"""``passes``' result: render passes with their attachments, and the fixed state that nodes switch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from renderwright.render.compiler.values.placement import Placement
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.attachments import Attachment
from renderwright.render.types.physical import TextureInfo, mip_extent
from renderwright.render.types.resources import Extent


@dataclass(frozen=True, slots=True)
class Pass:
    """The nodes from number ``first`` to ``last``: one render pass if it has attachments, else plain commands.

    ``merge_blocker`` says why it is not merged with the pass before it ('' for the first pass). All its nodes run on
    the ``queue`` and draw ``views`` views at once. ``Plan.extents`` has its size.
    """

    first: int
    last: int
    attachments: tuple[Attachment, ...]
    merge_blocker: str = ""
    queue: str = GRAPHICS
    views: int = 1


@dataclass(frozen=True)
class StateChange:
    """The fixed-function state that node number ``node`` must switch, as (key, value) pairs that differ from before."""

    node: int
    changes: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class PassPlan:
    """Passes and state changes of a frame; ``saved`` counts the changes that earlier nodes made unnecessary, and
    ``merges`` is whether nodes may share a pass."""

    passes: tuple[Pass, ...]
    changes: tuple[StateChange, ...]
    saved: int = 0
    merges: bool = True


NO_PASSES = PassPlan((), ())


def pass_extents(pass_plan: PassPlan, placement: Placement) -> tuple[Extent | None, ...]:
    """The size of each pass, which all its attachments cover; None without attachments."""
    extents = {each.id: each.info.extent for each in placement.resources if isinstance(each.info, TextureInfo)}
    return tuple(
        _common_extent([mip_extent(extents[each.resource], each.part) for each in item.attachments])
        for item in pass_plan.passes
    )


def _common_extent(extents: list[Extent]) -> Extent | None:
    if len(extents) < 2:
        return extents[0] if extents else None
    return min([width for width, _ in extents]), min([height for _, height in extents])

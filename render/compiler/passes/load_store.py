"""What a node renders to, and what happens to it when a render pass begins and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import islice

from renderwright.render.columns import named
from renderwright.render.compiler.resources.access_history import Cell, Timeline
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import TextureInfo, mip_extent
from renderwright.render.types.resources import ClearValue, Extent
from renderwright.render.types.usages import Usage

_NO_CLEAR: ClearValue = (0.0, 0.0, 0.0, 0.0)

# Members of an enumeration take long to reach.
_DEPTH_READ, _RESOLVE = Usage.DEPTH_READ, Usage.RESOLVE
_LOAD, _CLEAR, _DISCARD = Load.LOAD, Load.CLEAR, Load.DISCARD
_STORE, _DROP, _UNTOUCHED = Store.STORE, Store.DISCARD, Store.NONE


def attachments_of(node: NodeInstance) -> tuple[Attached, ...]:
    """What the node renders to, colours in the order of the requests and depth last."""
    return node.attached


def pass_extents(state: StatePlan, placement: Placement) -> tuple[Extent | None, ...]:
    """The part that all attachments of a pass have; None without attachments."""
    extents = {each.id: each.info.extent for each in placement.resources if isinstance(each.info, TextureInfo)}
    return tuple(
        _shared_extent([mip_extent(extents[each.resource], each.part) for each in item.attachments])
        for item in state.passes
    )


def _shared_extent(extents: Sequence[Extent]) -> Extent | None:
    if len(extents) < 2:
        return extents[0] if extents else None
    return min([width for width, _ in extents]), min([height for _, height in extents])


def load_store(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    lasting: Set[str],
    passes: Sequence[tuple[tuple[Attached, ...], int, int]],
) -> Sequence[tuple[Attachment, ...]]:
    """The attachments of passes, each given as what it renders to and its first and last node, with their load and
    store operations. ``lasting`` resources (by id) are stored for later frames."""
    resources = {item.id: item.resource for item in graph.resources}
    stored = {*lasting, *graph.sinks}
    rows = []
    for targets, first, last in passes:
        for name, usage, part in targets:
            resource = resources[name]
            clear = resource.clear
            own, _, _, presented, cells = times[name]
            if cells:
                begin, end = _span(cells, part)
                new = begin >= first
            else:
                new, end = own[0][0] >= first, own[-1][1]
            wanted = end > last or presented or name in stored or resource.external
            load, store = _ends(usage, clear, new, wanted)
            rows.append((name, usage, load, store, clear or _NO_CLEAR, part))
    found = iter(named(Attachment, rows))
    return [tuple(islice(found, len(targets))) for targets, _, _ in passes]


def _span(cells: Sequence[Cell], part: Part) -> tuple[int, int]:
    """The first node and the last one to use anything of a part."""
    own = [cell.own for cell in cells if cell.part.meets(part)]
    return min([accesses[0].node for accesses in own]), max([accesses[-1].node for accesses in own])


def _ends(usage: Usage, clear: ClearValue | None, new: bool, wanted: bool) -> tuple[Load, Store]:
    """What happens to a target when its pass begins and ends: a ``new`` one was used by nobody before it."""
    if usage is _DEPTH_READ:
        return _LOAD, _UNTOUCHED
    store = _STORE if wanted else _DROP
    if usage is _RESOLVE:
        return _DISCARD, store  # every texel is overwritten
    if not new:
        return _LOAD, store
    return (_DISCARD if clear is None else _CLEAR), store

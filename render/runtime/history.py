"""Histories across plans: what a new plan's first frame reads where no frame of that plan has run yet."""

from __future__ import annotations

from render.backend.protocol import BoundBarrier, Recorder
from render.compiler.stages import Barrier, BarrierReason, InstanceGraph, TextureInfo
from render.graph.requests import FirstFrame
from render.runtime.resources import PlanResources
from render.sync.flags import Access, Layout, Stage
from render.sync.usages import scope_of

_EVERYTHING = Access.MEMORY_READ | Access.MEMORY_WRITE
_NOTHING_LEFT = (0.0, 0.0, 0.0, 0.0)


def start_histories(
    graph: InstanceGraph,
    resources: PlanResources,
    copy: int,
    recorder: Recorder,
    old: PlanResources | None = None,
    old_graph: InstanceGraph | None = None,
) -> None:
    """Record what makes last frame's copies ready to be read.

    A history whose description is the same in the ``old`` plan is carried over; any other is cleared or left undefined
    as its readers asked. ``copy`` is the parity of the last frame. Blob values move without copying.
    """
    recorder.full_barrier()
    layouts = last_layouts(graph)
    old_layouts = last_layouts(old_graph) if old_graph is not None else {}
    for placed in resources.placed.values():
        key = (placed.id, copy)
        if key in resources.cells and old is not None and key in old.cells:
            resources.cells[key].value = old.cells[key].value
            if key in old.valid:
                resources.valid.add(key)
        if not placed.history or key not in resources.physicals:
            continue
        before = old.placed.get(placed.id) if old is not None else None
        same = before is not None and before.history and before.info == placed.info
        if same and old is not None and key in old.valid:
            _carry_over(key, resources, old, layouts[placed.id], old_layouts[placed.id], recorder)
            resources.valid.add(key)
        else:
            _initialise(key, resources, placed.first, layouts[placed.id], recorder)
    recorder.full_barrier()


def last_layouts(graph: InstanceGraph) -> dict[str, Layout]:
    """The layout in which a frame leaves each resource's own copy, by resource id."""
    layouts: dict[str, Layout] = {}
    for node in graph.nodes:
        for use in node.uses:
            if use.usage is not None and not use.history:
                for resource in use.resources:
                    layouts[resource] = scope_of(use.usage, use.stage).layout
    return layouts


def _carry_over(
    key: tuple[str, int],
    resources: PlanResources,
    old: PlanResources,
    layout: Layout,
    old_layout: Layout,
    recorder: Recorder,
) -> None:
    source, target = old.physicals[key], resources.physicals[key]
    if isinstance(target.info, TextureInfo):
        recorder.barriers(
            [
                BoundBarrier(_change(key, old_layout, Layout.TRANSFER_SRC), source),
                BoundBarrier(_change(key, Layout.UNDEFINED, Layout.TRANSFER_DST), target),
            ]
        )
        recorder.copy_texture(source, target)
        recorder.barriers([BoundBarrier(_change(key, Layout.TRANSFER_DST, layout), target)])
    else:
        recorder.copy_buffer(source, target)


def _initialise(
    key: tuple[str, int], resources: PlanResources, first: FirstFrame, layout: Layout, recorder: Recorder
) -> None:
    target = resources.physicals[key]
    if not isinstance(target.info, TextureInfo):
        if first is FirstFrame.CLEAR:
            recorder.fill_buffer(target)
        return
    if first is FirstFrame.CLEAR:
        recorder.barriers([BoundBarrier(_change(key, Layout.UNDEFINED, Layout.TRANSFER_DST), target)])
        recorder.clear_texture(target, Layout.TRANSFER_DST, _NOTHING_LEFT)
        recorder.barriers([BoundBarrier(_change(key, Layout.TRANSFER_DST, layout), target)])
    else:
        recorder.barriers([BoundBarrier(_change(key, Layout.UNDEFINED, layout), target)])


def _change(key: tuple[str, int], old: Layout, new: Layout) -> Barrier:
    return Barrier(
        key[0],
        key[1],
        Stage.ALL_COMMANDS,
        _EVERYTHING,
        Stage.ALL_COMMANDS,
        _EVERYTHING,
        old,
        new,
        BarrierReason.LAYOUT,
    )

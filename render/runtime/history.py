"""Histories and kept resources across plans: what a new plan's first frame reads, before any frame of that plan."""

from __future__ import annotations

from render.backend.protocol import BoundBarrier, Recorder
from render.compiler.plan import Plan
from render.compiler.stages import PlacedResource
from render.graph.requests import FirstFrame
from render.memory.physical import BufferInfo, TextureInfo
from render.runtime.resources import PlanResources
from render.runtime.transitions import transition
from render.sync.flags import Layout

_NOTHING_LEFT = (0.0, 0.0, 0.0, 0.0)


def start_histories(
    plan: Plan, resources: PlanResources, copy: int, recorder: Recorder, old: tuple[Plan, PlanResources] | None = None
) -> None:
    """Record what makes last frame's copies ready to be read.

    A history whose description is the same in the ``old`` plan is carried over; any other is cleared or left undefined
    as its readers asked. ``copy`` is the parity of the last frame. Blob values move without copying. What is kept from
    run to run of its makers is carried over, too; where it cannot be, its makers have to run.
    """
    recorder.full_barrier()
    layouts = dict(plan.sync.rest)
    for placed in resources.placed.values():
        key = (placed.id, copy)
        if old is not None and key in resources.cells and key in old[1].cells:
            resources.cells[key].value = old[1].cells[key].value
            if key in old[1].valid and (not placed.kept or old[1].placed[placed.id].kept):
                _validate(placed, copy, resources)
        if not (placed.history or placed.kept) or key not in resources.physicals:
            continue
        layout = layouts.get(placed.id, Layout.UNDEFINED)
        if old is not None and key in old[1].valid and _same(placed, old[1].placed.get(placed.id)):
            old_layout = dict(old[0].sync.rest).get(placed.id, Layout.UNDEFINED)
            _carry_over(key, resources, old[1], layout, old_layout, recorder)
            _validate(placed, copy, resources)
        elif placed.history:
            _initialise(key, resources, placed.first, layout, recorder)
    recorder.full_barrier()


def _validate(placed: PlacedResource, copy: int, resources: PlanResources) -> None:
    resources.valid |= {(placed.id, 0), (placed.id, 1)} if placed.kept else {(placed.id, copy)}


def _same(placed: PlacedResource, before: PlacedResource | None) -> bool:
    return before is not None and (before.history, before.kept, before.info) == (
        placed.history,
        placed.kept,
        placed.info,
    )


def _carry_over(
    key: tuple[str, int],
    resources: PlanResources,
    old: PlanResources,
    layout: Layout,
    old_layout: Layout,
    recorder: Recorder,
) -> None:
    source, target = old.physicals[key], resources.physicals[key]
    if isinstance(source.info, TextureInfo) and isinstance(target.info, TextureInfo):
        recorder.barriers(
            [
                BoundBarrier(transition(*key, old_layout, Layout.TRANSFER_SRC), source),
                BoundBarrier(transition(*key, Layout.UNDEFINED, Layout.TRANSFER_DST), target),
            ]
        )
        recorder.copy_texture(source, target)
        recorder.barriers([BoundBarrier(transition(*key, Layout.TRANSFER_DST, layout), target)])
    elif isinstance(source.info, BufferInfo) and isinstance(target.info, BufferInfo):
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
        recorder.barriers([BoundBarrier(transition(*key, Layout.UNDEFINED, Layout.TRANSFER_DST), target)])
        recorder.clear_texture(target, Layout.TRANSFER_DST, _NOTHING_LEFT)
        recorder.barriers([BoundBarrier(transition(*key, Layout.TRANSFER_DST, layout), target)])
    else:
        recorder.barriers([BoundBarrier(transition(*key, Layout.UNDEFINED, layout), target)])

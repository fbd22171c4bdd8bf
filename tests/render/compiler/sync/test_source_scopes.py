"""Who shares bytes, and what is waited for because of that, against all pairs."""

from __future__ import annotations

import random

import pytest

from renderwright.render.compiler.sync.batching import FirstUse
from renderwright.render.compiler.sync.byte_ranges import byte_overlaps
from renderwright.render.compiler.sync.source_scopes import (
    MemoryUse,
    QueueUse,
    last_passes_before,
    source_scopes,
)
from renderwright.render.compiler.values.placement import Copy, HeapPlan, PlacedResource, Placement
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import SourceScope
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.sync.queues import COMPUTE, GRAPHICS

QUEUES = ((GRAPHICS,), (COMPUTE,))
STAGES = (Stage.COMPUTE_SHADER, Stage.FRAGMENT_SHADER, Stage.COLOR_ATTACHMENT_OUTPUT, Stage.NONE)
WRITES = (Access.NONE, Access.SHADER_STORAGE_WRITE, Access.COLOR_ATTACHMENT_WRITE)


def placement(rng: random.Random) -> Placement:
    """Resources anywhere in a few heaps, some of which have no place."""
    resources = []
    for number in range(rng.randint(0, 30)):
        size = rng.randint(1, 40)
        copies = tuple(Copy(rng.randrange(3), rng.randint(0, 100 - size), (0, 1)) for _ in range(rng.choice([0, 2, 2])))
        resources.append(PlacedResource(f"r{number}", None, size, 1, copies, False, FirstFrame.DISCARD))
    heaps = tuple(HeapPlan("memory", 100, 0, 0, False) for _ in range(3))
    return Placement(tuple(resources), heaps, ())


def memory_uses(rng: random.Random, placed: Placement) -> dict[str, MemoryUse]:
    return {
        item.id: {queue: QueueUse(rng.choice(STAGES), rng.choice(WRITES)) for queue in rng.choice([(), *QUEUES])}
        for item in placed.resources
    }


@pytest.mark.parametrize("seed", range(30))
def test_a_first_use_waits_for_all_that_have_bytes_in_common(seed: int) -> None:
    rng = random.Random(seed)
    placed = placement(rng)
    uses = memory_uses(rng, placed)
    spans = {
        (item.id, number): (copy.heap, copy.offset, copy.offset + item.size)
        for item in placed.resources
        for number, copy in enumerate(item.copies)
    }
    placed_uses = [uses[item.id] for item in placed.resources if item.copies]
    used = {GRAPHICS, *(queue for each in placed_uses for queue, use in each.items() if use.stages)}
    first_uses = [FirstUse(copy, 0, queue, 0, 0, 0) for copy in spans for (queue,) in QUEUES]
    for first, scope in zip(first_uses, source_scopes(byte_overlaps(placed), uses, first_uses), strict=True):
        heap, start, end = spans[first.copy]
        near = {other for (other, _), (at, low, high) in spans.items() if at == heap and low < end and start < high}
        stages, writes = Stage.NONE, Access.NONE
        for other in near:
            use = uses[other].get(first.queue, QueueUse())
            stages, writes = stages | use.stages, writes | use.writes
        reason = BarrierReason.ACTIVATE if near == {first.copy[0]} else BarrierReason.HANDOVER
        if first.queue not in used:
            stages, writes, reason = Stage.NONE, Access.NONE, BarrierReason.HANDOVER
        assert scope == SourceScope(stages, writes, reason)
    outside = FirstUse(("outside", 0), 0, GRAPHICS, 0, 0, 0)
    nothing = SourceScope(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)
    assert source_scopes(byte_overlaps(placed), uses, [outside]) == [nothing]


def test_a_first_use_comes_behind_the_last_pass_of_its_own_queue() -> None:
    """In frames of five passes `x` and `y` share the memory of each parity."""
    copies = Copy(0, 0, (0, 1)), Copy(0, 10, (0, 1))
    shared = [PlacedResource(name, None, 10, 1, copies, False, FirstFrame.DISCARD) for name in ("x", "y")]
    overlaps = byte_overlaps(Placement(tuple(shared), (HeapPlan("memory", 20, 0, 0, False),), ()))
    uses: dict[str, MemoryUse] = {
        "x": {GRAPHICS: QueueUse(last=0), COMPUTE: QueueUse(last=1)},
        "y": {GRAPHICS: QueueUse(last=3)},
    }
    behind_x = FirstUse(("y", 0), 0, GRAPHICS, 3 * 2, 0, 0)
    in_front_of_y = FirstUse(("x", 0), 0, GRAPHICS, 0, 0, 0)
    alone_on_its_queue = FirstUse(("x", 1), 1, COMPUTE, 0, 0, 0)
    of_other_parity = FirstUse(("x", 1), 0, GRAPHICS, 0, 0, 0)
    first_uses = behind_x, in_front_of_y, alone_on_its_queue, of_other_parity
    assert last_passes_before(overlaps, uses, 5, first_uses) == [0, 3 - 10, 1 - 10, 3 - 5]


def test_places_that_share_alike_are_equal() -> None:
    rng = random.Random(4)
    placed = placement(rng)
    heaps = tuple(HeapPlan("memory", 250, 0, 0, False) for _ in placed.heaps)
    wider = Placement(
        tuple(
            PlacedResource(
                item.id,
                item.info,
                2 * item.size,
                item.alignment,
                tuple(Copy(2 - copy.heap, 2 * copy.offset + 7, copy.live_range) for copy in item.copies),
                item.has_history,
                item.first,
            )
            for item in placed.resources
        ),
        heaps,
        (),
    )
    assert byte_overlaps(wider) == byte_overlaps(placed)
    apart = tuple(PlacedResource(i.id, i.info, 1, 1, i.copies, i.has_history, i.first) for i in placed.resources)
    assert byte_overlaps(Placement(apart, placed.heaps, ())) != byte_overlaps(placed)

"""What the first use of each placed copy has to wait for: everything that ever touches the same bytes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from render.compiler.stages import BarrierReason, Placement
from render.sync.derive import Opening, Step
from render.sync.flags import Access, Stage


def openings(placement: Placement, steps: Mapping[str, tuple[Step, ...]]) -> Mapping[tuple[str, int], Opening]:
    """By (resource id, copy), the accesses of all copies whose bytes overlap, its own previous life included.

    ``steps`` are all accesses of each resource, histories included. Frames run on one queue in turn, so a barrier
    reaches back to the previous frame as well as to earlier passes.
    """
    result: dict[tuple[str, int], Opening] = {}
    for heap in range(len(placement.heaps)):
        members = [
            (placed, number)
            for placed in placement.resources
            for number, copy in enumerate(placed.copies)
            if copy.heap == heap
        ]
        starts = np.array([placed.copies[number].offset for placed, number in members], np.int64)
        ends = starts + np.array([placed.size for placed, _ in members], np.int64)
        owners = np.array([owner // 2 for owner in range(len(members))], np.int64)
        stages = np.array([_stages(steps[placed.id]) for placed, _ in members], np.int64)
        writes = np.array([_writes(steps[placed.id]) for placed, _ in members], np.int64)
        for row, (placed, number) in enumerate(members):
            overlap = (starts < ends[row]) & (starts[row] < ends)
            alone = bool((owners[overlap] == owners[row]).all())
            result[placed.id, number] = Opening(
                Stage(int(np.bitwise_or.reduce(stages[overlap]))),
                Access(int(np.bitwise_or.reduce(writes[overlap]))),
                BarrierReason.ACTIVATE if alone else BarrierReason.HANDOVER,
            )
    return result


def waiting_for(steps: tuple[Step, ...], opening: Opening) -> Opening:
    """An opening that waits for the steps as well."""
    return Opening(opening.stages | Stage(_stages(steps)), opening.access | Access(_writes(steps)), opening.reason)


def _stages(steps: tuple[Step, ...]) -> int:
    mask = 0
    for step in steps:
        mask |= step.scope.stages
    return mask


def _writes(steps: tuple[Step, ...]) -> int:
    mask = 0
    for step in steps:
        mask |= step.scope.write_access
    return mask

"""What the first use of each placed copy has to wait for: everything that ever touches the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from render.compiler.stages import BarrierReason, Placement
from render.sync.derive import Opening, Step
from render.sync.flags import Access, Stage


@dataclass(frozen=True)
class Sharing:
    """Which placed copies, (resource id, copy), have bytes in common: all that barriers depend on in a placement.

    ``bits`` are the rows of a square matrix, packed.
    """

    copies: tuple[tuple[str, int], ...]
    bits: bytes

    @cached_property
    def overlaps(self) -> NDArray[np.bool_]:
        """The matrix, True where two copies overlap, and on the diagonal."""
        count = len(self.copies)
        flat = np.unpackbits(np.frombuffer(self.bits, np.uint8), count=count * count)
        return flat.reshape(count, count).astype(np.bool_)


@dataclass(frozen=True)
class Reach:
    """The stages of all accesses to a resource, histories included, and what of them has to be made available."""

    stages: Stage
    writes: Access


def sharing(placement: Placement) -> Sharing:
    """Compares the byte ranges of all copies."""
    members = [(placed, number) for placed in placement.resources for number in range(len(placed.copies))]
    heaps = np.array([placed.copies[number].heap for placed, number in members], np.int64)
    starts = np.array([placed.copies[number].offset for placed, number in members], np.int64)
    ends = starts + np.array([placed.size for placed, _ in members], np.int64)
    before = starts[:, None] < ends[None, :]
    overlaps = before & before.T & (heaps[:, None] == heaps[None, :])
    return Sharing(tuple((placed.id, number) for placed, number in members), np.packbits(overlaps).tobytes())


def openings(shared: Sharing, reaches: Mapping[str, Reach]) -> Mapping[tuple[str, int], Opening]:
    """By (resource id, copy), the accesses of all copies whose bytes overlap, its own previous life included.

    Frames run on one queue in turn, so a barrier reaches back to the previous frame as well as to earlier passes.
    """
    if not shared.copies:
        return {}
    overlaps = shared.overlaps
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in shared.copies))}
    owners = np.array([numbers[name] for name, _ in shared.copies], np.int64)
    alone = (~overlaps | (owners[:, None] == owners[None, :])).all(axis=1).tolist()
    stages = np.array([int(reaches[name].stages) for name, _ in shared.copies], np.int64)
    writes = np.array([int(reaches[name].writes) for name, _ in shared.copies], np.int64)
    all_stages = np.bitwise_or.reduce(np.where(overlaps, stages, 0), axis=1).tolist()
    all_writes = np.bitwise_or.reduce(np.where(overlaps, writes, 0), axis=1).tolist()
    known: dict[tuple[int, int, bool], Opening] = {}
    result = {}
    for copy, sum_of_all in zip(shared.copies, zip(all_stages, all_writes, alone, strict=True), strict=True):
        if sum_of_all not in known:
            mask, access, lonely = sum_of_all
            reason = BarrierReason.ACTIVATE if lonely else BarrierReason.HANDOVER
            known[sum_of_all] = Opening(Stage(mask), Access(access), reason)
        result[copy] = known[sum_of_all]
    return result


def reach_of(steps: tuple[Step, ...]) -> Reach:
    """The reach of the steps."""
    stages, access = 0, 0
    for scope in {step.scope for step in steps}:
        stages |= int(scope.stages)
        access |= int(scope.write_access)
    return Reach(Stage(stages), Access(access))


def waiting_for(steps: tuple[Step, ...], opening: Opening) -> Opening:
    """An opening that waits for the steps as well."""
    reach = reach_of(steps)
    return Opening(opening.stages | reach.stages, opening.access | reach.writes, opening.reason)

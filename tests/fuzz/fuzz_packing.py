"""One case of packing: a random circle is packed and held against an independent checker, or against exact search."""

from __future__ import annotations

import math
import random

from exact_packing import exact_makespan
from packing_problems import random_problem, small_problem
from validity import wrong

from renderwright.render.memory.packing import Packing, PackPolicy, pack

STEPS = 40
POLICIES = (PackPolicy.FAST, PackPolicy.BALANCED)


def packing_case(seed: int) -> str:
    """``empty``, ``optimal``, ``not proved``, or ``twins`` if some got the one offset that they would like."""
    rng = random.Random(seed)
    items, period = random_problem(rng)
    packings = [pack(items, period, policy, steps=STEPS, seed=seed) for policy in POLICIES]
    for policy, packing in zip(POLICIES, packings, strict=True):
        found = wrong(items, period, packing)
        assert not found, f"{policy}: {'; '.join(found)}"
    fast, balanced = packings
    if seed % 8 == 0:
        assert pack(items, period, PackPolicy.BALANCED, steps=STEPS, seed=seed) == balanced
    if not items:
        return "empty"
    # Twins are wishes, which the two policies weigh in different ways; without them more work is never worse, but for
    # where the last item ends within a granule, in which offsets are counted.
    granule = math.gcd(*(item.alignment for item in items))
    if all(item.twin < 0 for item in items):
        assert -(-balanced.makespan // granule) <= -(-fast.makespan // granule)
    if any(item.twin > number and _together(balanced, number, item.twin) for number, item in enumerate(items)):
        return "twins"
    return "optimal" if balanced.optimal else "not proved"


def exact_case(seed: int) -> str:
    """``optimal`` where the packer knew, ``reached`` where it did not, ``missed``; ``undecided`` if out of time."""
    rng = random.Random(seed)
    items, period = small_problem(rng)
    least = exact_makespan(items, period)
    if least is None:
        return "undecided"
    packings = [pack(items, period, policy, seed=seed) for policy in POLICIES]
    for policy, packing in zip(POLICIES, packings, strict=True):
        found = wrong(items, period, packing)
        assert not found, f"{policy}: {'; '.join(found)}"
        assert packing.clique <= least <= packing.makespan, f"{policy}: {packing}, but {least} is the least"
        assert packing.makespan == least or not packing.optimal, f"{policy}: {packing}, but {least} is the least"
    if packings[-1].optimal:
        return "optimal"
    return "reached" if packings[-1].makespan == least else "missed"


def _together(packing: Packing, one: int, other: int) -> bool:
    return packing.offsets[one] == packing.offsets[other]

"""How much work ``place`` does is an option, and what it knows of a heap's bounds is in the plan."""

from __future__ import annotations

import random

from ordered_frames import Frame, compute, placement_of

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import HeapPlan
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.types.usages import Usage


def crowded_frame(seed: int) -> Frame:
    """Buffers of many sizes with lives of many lengths, a fifth of them with a history."""
    rng = random.Random(seed)
    count = 40
    frame = Frame()
    touches: list[list[str]] = [[] for _ in range(count)]
    histories: list[list[str]] = [[] for _ in range(count)]
    for number in range(60):
        name = f"b{number:02}"
        frame.buffer(name, 256 * rng.randint(1, 40))
        first = rng.randrange(count)
        touches[first].append(name)
        touches[min(count - 1, first + rng.randint(0, 12))].append(name)
        if number % 5 == 0:
            histories[rng.randrange(count)].append(name)
    for node in range(count):
        uses = [compute(name, Usage.STORAGE_WRITE) for name in dict.fromkeys(touches[node])]
        uses += [compute(name, Usage.STORAGE_READ, history=True) for name in histories[node]]
        frame.node(f"n{node:02}", *uses)
    return frame


def heap(seed: int, packing: PackPolicy, *, alias: bool = True) -> HeapPlan:
    options = CompileOptions(packing=packing, alias=alias)
    (only,) = placement_of(crowded_frame(seed).graph(), SizeInputs(), options).heaps
    return only


def test_more_work_makes_smaller_heaps() -> None:
    pairs = [(heap(seed, PackPolicy.FAST), heap(seed, PackPolicy.BALANCED)) for seed in range(4)]
    assert all(balanced.size <= fast.size for fast, balanced in pairs)
    assert any(balanced.size < fast.size for fast, balanced in pairs)


def test_a_heap_says_how_near_to_its_bounds_it_is() -> None:
    for seed in range(4):
        plan = heap(seed, PackPolicy.BALANCED)
        assert plan.load <= plan.clique <= plan.size
        assert plan.optimal == (plan.size == plan.clique)


def test_without_aliasing_the_load_is_still_what_is_alive() -> None:
    shared, apart = (heap(1, PackPolicy.FAST, alias=alias) for alias in (True, False))
    assert apart.load == shared.load < shared.size < apart.size
    assert apart.optimal

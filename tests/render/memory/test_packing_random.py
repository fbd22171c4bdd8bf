"""Random problems, degenerate ones above all, against a checker that shares no code with the packer."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from validity import wrong

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.large_problems import pack_large
from renderwright.render.memory.packing import Packing, PackPolicy, pack

SIZES = st.one_of(st.integers(1, 9), st.sampled_from([1, 64, 65536, 3 << 20, 8 << 30, (8 << 30) + 1]))
ALIGNMENTS = st.sampled_from([1, 1, 3, 8, 256, 65536, 4 << 20])


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[PackItem], int]:
    """Items on circles of one slot and more: full circles, equal arcs, single moments, tied and pinned ones."""
    period = draw(st.sampled_from([1, 2, 3, 7, 24]))
    items: list[PackItem] = []
    for _ in range(draw(st.integers(0, 12))):
        start = draw(st.integers(-period, 2 * period))
        length = draw(st.one_of(st.sampled_from([0, 1, period]), st.integers(0, period)))
        item = PackItem(start, start + length, draw(SIZES), draw(ALIGNMENTS))
        number = len(items)
        match draw(st.sampled_from(["", "", "again", "twin"])):
            case "twin":
                other = start + period // 2
                items.append(PackItem(start, start + length, item.size, item.alignment, number + 1))
                items.append(PackItem(other, other + length, item.size, item.alignment, number))
            case "again":
                items += [item, item]
            case _:
                items.append(item)
    return items, period


@settings(max_examples=120, deadline=None, derandomize=True)
@given(problems(), st.sampled_from([PackPolicy.FAST, PackPolicy.BALANCED]), st.integers(0, 3))
def test_packings_are_valid(problem: tuple[list[PackItem], int], policy: PackPolicy, seed: int) -> None:
    items, period = problem
    assert wrong(items, period, pack(items, period, policy, seed=seed, steps=50)) == []


@settings(max_examples=80, deadline=None, derandomize=True)
@given(problems(), st.sampled_from([PackPolicy.FAST, PackPolicy.BALANCED]), st.data())
def test_what_is_pinned_stays(problem: tuple[list[PackItem], int], policy: PackPolicy, data: st.DataObject) -> None:
    items, period = problem
    first = pack(items, period)
    pinned = [
        PackItem(item.start, item.end, item.size, item.alignment, item.twin, data.draw(st.sampled_from([None, offset])))
        for item, offset in zip(items, first.offsets, strict=True)
    ]
    assert wrong(pinned, period, pack(pinned, period, policy, steps=50)) == []


@settings(max_examples=80, deadline=None, derandomize=True)
@given(problems(), st.data())
def test_large_problems_are_packed_as_validly(problem: tuple[list[PackItem], int], data: st.DataObject) -> None:
    items, period = problem
    first = pack(items, period)
    pinned = [
        PackItem(item.start, item.end, item.size, item.alignment, pin=data.draw(st.sampled_from([None, None, offset])))
        for item, offset in zip(items, first.offsets, strict=True)
    ]
    offsets = pack_large(pinned, period)
    makespan = max((offset + item.size for offset, item in zip(offsets, pinned, strict=True)), default=0)
    proved = makespan == first.load
    assert wrong(pinned, period, Packing(tuple(offsets), makespan, first.load, first.load, proved)) == []

"""What holds for every baseline."""

from __future__ import annotations

import random

import pytest
from baseline_cases import copies, faults, load_of, random_problem

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.baselines import BASELINES, Baseline, BaselineItem, BaselineProblem, Layout, from_items
from renderwright.render.memory.baselines.problem import units

ALL = pytest.mark.parametrize("baseline", BASELINES.values(), ids=BASELINES)


@ALL
def test_layouts_are_valid_and_not_below_the_load(baseline: Baseline) -> None:
    rng = random.Random(11)
    for _ in range(400):
        problem = random_problem(rng)
        layout = baseline(problem)
        assert not faults(problem, layout)
        assert layout.total >= load_of(problem)


@ALL
def test_layouts_of_bare_arcs_are_valid(baseline: Baseline) -> None:
    rng = random.Random(12)
    for _ in range(300):
        period = rng.choice([1, 2, 3, 10, 40])
        starts = [rng.randrange(period) for _ in range(rng.choice([1, 2, 5, 12]))]
        items = [
            PackItem(s, s + rng.randint(1, period), rng.choice([1, 2, 4, 9000]), rng.choice([1, 4])) for s in starts
        ]
        problem = from_items(items, period)
        assert not faults(problem, baseline(problem))


@ALL
def test_nothing_takes_nothing(baseline: Baseline) -> None:
    assert baseline(BaselineProblem((), 10)) == Layout((), 0)


@ALL
def test_totals_are_the_ends_of_the_highest_items(baseline: Baseline) -> None:
    rng = random.Random(13)
    for _ in range(100):
        problem = random_problem(rng, alignments=(1,))
        layout = baseline(problem)
        ends = [offset + item.size for offset, item in zip(layout.offsets, problem.items, strict=True)]
        assert layout.total == max(ends, default=0)


def test_the_judge_finds_faults() -> None:
    problem = BaselineProblem((BaselineItem(0, 3, 8, 4), BaselineItem(9, 11, 4, 4)), 10)
    assert not faults(problem, Layout((0, 8), 12))
    assert faults(problem, Layout((0, 4), 8))
    assert faults(problem, Layout((2, 12), 16))
    assert faults(problem, Layout((0, 8), 11))
    assert faults(problem, Layout((0,), 8))


def test_a_method_that_shares_more_takes_less_without_histories() -> None:
    rng = random.Random(14)
    for _ in range(50):
        items: list[BaselineItem] = []
        for _ in range(12):
            start = rng.randrange(10)
            items += copies(start, rng.randint(1, 10 - start), rng.randint(1, 5), 10, number=len(items))
        problem = BaselineProblem(tuple(items), 20)
        totals = {name: baseline(problem).total for name, baseline in BASELINES.items()}
        assert totals["two_copies_each"] == 2 * totals["no_aliasing"]
        assert totals["whole_image_reuse"] == totals["no_aliasing"]  # nothing is described alike
        assert totals["linear_online_first_fit"] <= totals["no_aliasing"]
        assert totals["decreasing_size_best_fit"] <= totals["no_aliasing"]


def test_bare_arcs_half_a_circle_apart_are_twins() -> None:
    items = [PackItem(1, 3, 8), PackItem(6, 8, 8), PackItem(2, 6, 4), PackItem(7, 11, 4), PackItem(6, 8, 16)]
    found = from_items(items, 10).items
    assert [item.twin for item in found] == [1, 0, 3, 2, -1]
    # The second pair goes on in the next frame; the item by itself has the whole circle for a frame.
    assert [item.outlives for item in found] == [False, False, True, True, False]
    assert found[0].description == found[1].description != found[4].description


def test_bare_arcs_longer_than_half_the_circle_outlive_their_frame() -> None:
    found = from_items([PackItem(0, 6, 8), PackItem(5, 11, 8)], 10).items
    assert [item.twin for item in found] == [1, 0]
    assert all(item.outlives for item in found)


def test_a_circle_of_an_odd_length_has_no_twins() -> None:
    found = from_items([PackItem(0, 2, 8), PackItem(4, 6, 8), PackItem(8, 10, 8)], 9).items
    assert [item.twin for item in found] == [-1, -1, -1]
    assert [item.outlives for item in found] == [False, False, True]


def test_copies_of_one_texture_are_one_unit_unless_they_outlive_their_frame() -> None:
    problem = BaselineProblem((*copies(0, 2, 8, 5), *copies(0, 6, 8, 5, number=2), BaselineItem(0, 10, 1)), 10)
    assert units(problem) == ((0, 1), (2,), (3,), (4,))

"""The packer calls a function between short steps, whose exceptions end it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.loops import INTERPRETED_STEPS, PLAIN, Loops, warm_up
from renderwright.render.memory.packing import Packing, pack, pack_with
from renderwright.render.memory.policy import PackPolicy

STEPS = 3000


class StopError(Exception):
    pass


class Counter:
    """Counts the calls, and raises at one of them."""

    def __init__(self, stop: int = -1) -> None:
        self.calls = 0
        self._stop = stop

    def __call__(self) -> None:
        self.calls += 1
        if self.calls == self._stop:
            raise StopError


def crowded(seed: int, *, pins: bool = False) -> tuple[list[PackItem], int]:
    """Pairs of twins with a wide gap between the load and what first-fit finds; some items are pinned."""
    rng = random.Random(seed)
    period, items = 160, []
    for number in range(40):
        start, size = rng.randrange(80), rng.randint(1, 100)
        end = start + rng.randint(5, 60)
        pin = rng.randrange(300) if pins and number % 13 == 0 else None
        for frame in (0, 80):
            twin = -1 if pin is not None else len(items) ^ 1
            at = None if frame else pin
            items.append(PackItem(start + frame, end + frame, size, 1, twin, pin=at, kind=number % 5))
    return items, period


def packed(loops: Loops, seed: int, *, pins: bool = False) -> Packing | str:
    items, period = crowded(seed, pins=pins)
    try:
        return pack_with(loops, items, period, PackPolicy.BALANCED, steps=STEPS, seed=seed)
    except ValueError as error:  # pins that contradict each other
        return str(error)


class Ejections:
    """Interpreted loops that note the steps of each call of ``eject``, with the calls of ``between`` so far."""

    def __init__(self) -> None:
        self.between = Counter()
        self.calls: list[tuple[int, int, int]] = []
        self.loops = replace(PLAIN, eject=self._eject, between=self.between)

    def _eject(self, *arguments):
        found = PLAIN.eject(*arguments)
        self.calls.append((arguments[6] - found[0], len(arguments[1]), self.between.calls))
        return found


def test_interpreted_loops_take_few_steps_between_two_calls() -> None:
    ejections = Ejections()
    packed(ejections.loops, 3)
    assert sum(steps for steps, _, _ in ejections.calls) >= STEPS
    assert all(steps * units <= INTERPRETED_STEPS for steps, units, _ in ejections.calls)
    calls = [calls for _, _, calls in ejections.calls]
    assert len(set(calls)) == len(calls), "no two slices without a call between them"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("pins", [False, True])
@pytest.mark.parametrize("most", [1, 7, 1 << 20])
def test_slices_change_no_result(monkeypatch: pytest.MonkeyPatch, seed: int, pins: bool, most: int) -> None:
    expected = packed(PLAIN, seed, pins=pins)
    monkeypatch.setattr(Loops, "steps_at_once", lambda self, count: most)
    assert packed(PLAIN, seed, pins=pins) == expected


def test_compiled_loops_call_between_slices_too() -> None:
    pytest.importorskip("numba")
    between = Counter()
    packed(replace(warm_up(), between=between), 3)
    assert between.calls > STEPS / 256


def test_an_exception_ends_a_packing_at_any_call_and_nothing_is_remembered() -> None:
    items, period = crowded(3)
    between = Counter()
    expected = pack(items, period, PackPolicy.BALANCED, steps=300, between=between)
    assert between.calls > 100
    for stop in range(1, between.calls + 1, 7):
        with pytest.raises(StopError):
            pack(items, period, PackPolicy.BALANCED, steps=300, between=Counter(stop))
    assert pack(items, period, PackPolicy.BALANCED, steps=300) == expected

import gc
from collections.abc import Iterator

import pytest

from renderwright.engine.cli import commands, main
from renderwright.engine.garbage import STARTING, THRESHOLDS, calm_collector

AT_FIRST = (700, 10, 10)
"""CPython's thresholds."""


@pytest.fixture(autouse=True)
def nothing_frozen() -> Iterator[None]:
    """A collector as a command finds it: what the run of tests has frozen is thawed, and frozen again."""
    settled = gc.get_threshold()
    gc.set_threshold(*AT_FIRST)
    gc.unfreeze()
    yield
    gc.set_threshold(*settled)
    gc.freeze()


def test_the_collector_is_calm_inside_and_as_before_outside() -> None:
    before = gc.get_threshold()
    with calm_collector() as settle:
        assert gc.get_threshold() == STARTING
        settle()
        assert gc.get_threshold() == THRESHOLDS
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_was_frozen_before_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with calm_collector() as settle:
        settle()
    assert gc.get_freeze_count() >= frozen


def test_a_collector_that_a_game_has_settled_stays_as_it_is() -> None:
    gc.set_threshold(*THRESHOLDS)
    gc.freeze()
    frozen = gc.get_freeze_count()
    with calm_collector() as settle:
        assert gc.get_threshold() == THRESHOLDS
        settle()
    assert gc.get_threshold() == THRESHOLDS
    assert gc.get_freeze_count() >= frozen


def test_what_there_is_after_the_first_frame_is_left_alone() -> None:
    with calm_collector() as settle:
        kept = [[number] for number in range(1000)]
        before = gc.get_freeze_count()
        settle()
        assert gc.get_freeze_count() >= before + len(kept)


def test_commands_run_with_a_calm_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int, int]] = []

    def run(arguments: object) -> int:
        seen.append(gc.get_threshold())
        return 0

    monkeypatch.setattr(commands, "run", run)
    assert main([]) == 0
    assert seen == [STARTING]


def test_no_collection_looks_at_many_objects() -> None:
    """A frame waits for it. What stays, as the parts of a plan do, is looked at a few times and then left alone."""
    sizes: list[int] = []

    def noted(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            sizes.append(sum(len(gc.get_objects(number)) for number in range(info["generation"] + 1)))

    with calm_collector() as settle:
        settle()
        gc.callbacks.append(noted)
        kept: list[list[int]] = [[] for _ in range(1_200_000)]
        gc.callbacks.remove(noted)
    assert len(kept) > 20 * max(sizes)


def test_garbage_is_still_found() -> None:
    class Knot:
        def __init__(self) -> None:
            self.self = self

    def knots() -> int:
        return sum(isinstance(thing, Knot) for thing in gc.get_objects())

    with calm_collector() as settle:
        settle()
        for _ in range(THRESHOLDS[0] + 1000):
            Knot()
        assert knots() < THRESHOLDS[0]

"""Which pieces go to which worker, and what is tried again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from farm_works import Counted

from renderwright.engine.farm import dispatch as dispatching
from renderwright.engine.farm.crew import OneProcess, Outcome
from renderwright.engine.farm.dispatch import Dispatch
from renderwright.engine.farm.work import UnfitError, Work
from renderwright.engine.farm.workshop import Workshop
from renderwright.render.errors import BackendError, UsageError


class Hands:
    """A crew whose workers make their pieces at once, except the ``dying``, ``hanging`` and ``unfit`` ones.

    A worker that dies or hangs is replaced by another one of the next name.
    """

    most = 4
    says_notices = True

    def __init__(self, *names: str, dying: Mapping[str, int] | None = None, hanging: Sequence[str] = ()) -> None:
        self.names = list(names)
        self.unfit: set[str] = set()
        self.given: list[tuple[str, tuple[int, ...]]] = []
        self.now = 0.0
        self._dying = dict(dying or {})
        self._hanging = set(hanging)
        self._shops = {name: Workshop() for name in names}
        self._tasks: dict[str, tuple[Work, tuple[int, ...]]] = {}

    def workers(self) -> Sequence[str]:
        return tuple(self.names)

    def give(self, worker: str, work: Work, numbers: Sequence[int]) -> None:
        assert worker not in self._tasks
        self.given.append((worker, tuple(numbers)))
        self._tasks[worker] = work, tuple(numbers)

    def wait(self, seconds: float) -> Sequence[Outcome]:
        self.now += seconds
        ready = [name for name in self._tasks if name not in self._hanging]
        if not ready:
            self.now += 1e6
        return [self._outcome(name) for name in ready]

    def _outcome(self, name: str) -> Outcome:
        work, numbers = self._tasks.pop(name)
        if name in self.unfit:
            return Outcome(name, error=UnfitError("there is no Vulkan driver"))
        if self._dying.get(name) in numbers:
            self._replace(name)
            return Outcome(name, lost="it died")
        try:
            return Outcome(name, self._shops[name].make(work, numbers))
        except Exception as error:
            return Outcome(name, error=error)

    def _replace(self, name: str) -> None:
        another = f"{name}'"
        self.names[self.names.index(name)] = another
        self._shops[another] = Workshop()

    def end(self, worker: str) -> None:
        del self._tasks[worker]
        self._replace(worker)

    def close(self) -> None:
        pass


def named(name: str, count: int) -> Sequence[str]:
    """The names of a worker and of those that take its place in turn."""
    return [name + "'" * number for number in range(count)]


def run(work: Counted, crew: Hands | OneProcess, numbers: Sequence[int] | None = None) -> tuple[list[int], Dispatch]:
    clock = (lambda: crew.now) if isinstance(crew, Hands) else (lambda: 0.0)
    dispatch = Dispatch(work, crew, range(work.count) if numbers is None else numbers, clock=clock)
    return [piece.number for piece in dispatch.run()], dispatch


def test_one_process_makes_all_pieces_in_order() -> None:
    done, dispatch = run(Counted(5), OneProcess())
    assert done == [0, 1, 2, 3, 4]
    assert dispatch.report.done == 5
    assert dispatch.report.events == []


def test_only_the_pieces_that_are_asked_for_are_made() -> None:
    assert run(Counted(9), OneProcess(), (2, 3, 7))[0] == [2, 3, 7]


def test_workers_share_the_pieces_in_batches_without_gaps() -> None:
    crew = Hands("a", "b")
    done, _ = run(Counted(24), crew, [*range(10), *range(12, 24)])
    assert sorted(done) == [*range(10), *range(12, 24)]
    assert {worker for worker, _ in crew.given} == {"a", "b"}
    for _, numbers in crew.given:
        assert numbers == tuple(range(numbers[0], numbers[-1] + 1))
    assert max(len(numbers) for _, numbers in crew.given) == crew.most


def test_nobody_runs_far_ahead_of_a_piece_that_is_missing() -> None:
    crew = Hands("a", "b", hanging=["a"])
    dispatch = Dispatch(Counted(1000), crew, range(1000), clock=lambda: 0.0)
    running = dispatch.run()
    done = [next(running).number for _ in range(dispatching.WINDOW - 1)]
    assert 0 not in done
    assert max(done) == dispatching.WINDOW - 1


def test_a_piece_that_fails_is_tried_again_by_another_worker(tmp_path: Path) -> None:
    crew = Hands("a", "b")
    done, dispatch = run(Counted(6, tmp_path, bad={3: 1}), crew)
    assert sorted(done) == list(range(6))
    (event,) = dispatch.report.events
    assert (event.numbers, event.reason) == ((3,), "ZeroDivisionError: try 1")
    tried = [worker for worker, numbers in crew.given if 3 in numbers]
    assert len(tried) == 2
    assert tried[0] != tried[1]


def test_a_piece_that_fails_three_times_is_given_up_and_the_rest_is_finished(tmp_path: Path) -> None:
    done, dispatch = run(Counted(6, tmp_path, bad={3: 9}), Hands("a", "b", "c"))
    assert sorted(done) == [0, 1, 2, 4, 5]
    assert dispatch.report.given_up == {3: "ZeroDivisionError: try 3"}
    assert [event.numbers for event in dispatch.report.events] == [(3,)] * 3


def test_one_process_gives_a_piece_up_as_well(tmp_path: Path) -> None:
    done, dispatch = run(Counted(4, tmp_path, bad={1: 9}), OneProcess())
    assert sorted(done) == [0, 2, 3]
    assert list(dispatch.report.given_up) == [1]


def test_what_a_dead_worker_had_is_tried_piece_by_piece() -> None:
    crew = Hands("a", "b", dying={"a": 5})
    done, dispatch = run(Counted(12), crew)
    assert sorted(done) == list(range(12))
    (event,) = dispatch.report.events
    assert (event.worker, event.reason) == ("a", "it died")
    assert 5 in event.numbers
    again = [numbers for worker, numbers in crew.given if worker != "a" and set(numbers) & set(event.numbers)]
    assert all(len(numbers) == 1 for numbers in again)


def test_workers_that_are_killed_by_chance_with_the_same_piece_cost_nothing_but_time() -> None:
    crew = Hands("a", dying=dict.fromkeys(named("a", 5), 2))
    done, dispatch = run(Counted(4), crew)
    assert sorted(done) == [0, 1, 2, 3]
    assert len(dispatch.report.events) == 5
    assert dispatch.report.given_up == {}


def test_a_piece_that_kills_its_workers_is_given_up() -> None:
    crew = Hands("a", dying=dict.fromkeys(named("a", 20), 2))
    done, dispatch = run(Counted(4), crew)
    assert sorted(done) == [0, 1, 3]
    assert dispatch.report.given_up == {2: "it died"}
    assert sum(numbers == (2,) for _, numbers in crew.given) == 6


def test_a_piece_with_which_three_workers_hang_is_given_up() -> None:
    crew = Hands("a", hanging=named("a", 3))
    done, dispatch = run(Counted(4), crew)
    assert done == [1, 2, 3]
    assert dispatch.report.given_up == {0: "it did not answer any more"}
    assert len(dispatch.report.events) == 3


def test_deaths_and_errors_of_a_piece_count_together(tmp_path: Path) -> None:
    crew = Hands("a", dying=dict.fromkeys(named("a", 2), 0))
    done, dispatch = run(Counted(3, tmp_path, bad={0: 2}), crew)
    assert done == [1, 2]
    assert dispatch.report.given_up == {0: "ZeroDivisionError: try 2"}


def test_a_worker_that_hangs_is_ended_and_its_pieces_are_made_by_another() -> None:
    done, dispatch = run(Counted(6), Hands("a", "b", hanging=["b"]))
    assert sorted(done) == list(range(6))
    assert [(event.worker, event.reason) for event in dispatch.report.events] == [("b", "it did not answer any more")]


def test_behind_the_end_of_the_game_nothing_is_tried() -> None:
    crew = Hands("a", "b")
    done, dispatch = run(Counted(40, end=10), crew)
    assert sorted(done) == list(range(10))
    assert set(dispatch.report.given_up) == set(range(10, 40))
    assert set(dispatch.report.given_up.values()) == {"the game ended"}


def test_frames_that_take_over_others_go_to_one_worker_in_order() -> None:
    crew = Hands("a", "b")
    done, dispatch = run(Counted(12, carries=True), crew)
    assert sorted(done) == list(range(12))
    assert dispatch.report.carried == ("depth",)
    after = [worker for worker, numbers in crew.given if numbers[0] > 4]
    assert len(set(after)) == 1


def test_one_run_goes_to_another_worker_when_its_own_dies() -> None:
    crew = Hands("a", "b", dying={"a": 3})
    done, _ = run(replace(Counted(6), in_one_run=True), crew)
    assert sorted(done) == list(range(6))


def test_a_worker_without_a_device_is_left_out() -> None:
    crew = Hands("a", "b")
    crew.unfit = {"a"}
    done, dispatch = run(Counted(4), crew)
    assert sorted(done) == [0, 1, 2, 3]
    assert [(event.worker, event.numbers) for event in dispatch.report.events] == [("a", ())]


def test_without_any_worker_that_could_the_reason_is_raised() -> None:
    crew = Hands("a", "b")
    crew.unfit = {"a", "b"}
    with pytest.raises(BackendError, match="no Vulkan driver"):
        run(Counted(4), crew)


def test_without_workers_it_waits_for_a_while() -> None:
    with pytest.raises(BackendError, match="there has been no worker"):
        run(Counted(2), Hands())


def test_wrong_use_ends_the_job_at_once() -> None:
    class Wrong(Counted):
        def open(self) -> None:  # type: ignore[override]
            raise UsageError('unknown plugin "blom"')

    with pytest.raises(UsageError, match="blom"):
        run(Wrong(3), OneProcess())


def test_one_run_leaves_a_piece_that_fails_to_another_worker(tmp_path: Path) -> None:
    crew = Hands("a", "b")
    done, _ = run(replace(Counted(6, tmp_path, bad={2: 1}), in_one_run=True), crew)
    assert sorted(done) == list(range(6))
    assert len({worker for worker, numbers in crew.given if 2 in numbers}) == 2


def test_where_nothing_succeeds_any_more_the_rest_is_not_tried(tmp_path: Path) -> None:
    work = Counted(60, tmp_path, bad=dict.fromkeys(range(20, 60), 9))
    done, dispatch = run(work, OneProcess())
    assert sorted(done) == list(range(20))
    assert len(dispatch.report.events) == 8 * 3
    assert dispatch.report.given_up[59] == "it was not tried, since 8 before it failed in a row"

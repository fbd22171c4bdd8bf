"""Work beside the frames pauses while the render thread makes a frame, and runs while it waits."""

from __future__ import annotations

import threading
import time

import pytest
from patience import PATIENCE

from renderwright.render.runtime import right_of_way
from renderwright.render.runtime.plans.beside import Beside, Stop, ThreadWorker
from renderwright.render.runtime.right_of_way import RightOfWay

LONG = PATIENCE / 4


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses that do not end by themselves."""
    monkeypatch.setattr(right_of_way, "PATIENCE", 2 * LONG)
    monkeypatch.setattr(right_of_way, "FRAME_PATIENCE", 2 * LONG)


class Pausing:
    """A thread in a pause."""

    def __init__(self, right: RightOfWay, worked: float = 0.0) -> None:
        self._thread = threading.Thread(target=right.give_way, args=(worked,), daemon=True)
        self._thread.start()

    def goes_on(self, seconds: float = LONG) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()


@pytest.mark.usefixtures("patient")
def test_nothing_pauses_between_frames() -> None:
    right = RightOfWay()
    assert Pausing(right).goes_on()
    with right.frame():
        pass
    assert Pausing(right).goes_on()


@pytest.mark.usefixtures("patient")
def test_the_worker_pauses_until_the_frame_ends() -> None:
    right = RightOfWay()
    with right.frame():
        worker = Pausing(right)
        assert not worker.goes_on(0.05)
    assert worker.goes_on()


@pytest.mark.usefixtures("patient")
def test_the_worker_runs_while_a_frame_waits_for_the_device_and_pauses_behind() -> None:
    right = RightOfWay()
    with right.frame():
        with right.waiting():
            assert Pausing(right).goes_on()
        worker = Pausing(right)
        assert not worker.goes_on(0.05)
    assert worker.goes_on()


@pytest.mark.usefixtures("patient")
def test_an_inner_frame_does_not_end_the_outer_one() -> None:
    right = RightOfWay()
    with right.frame():
        with right.frame():
            pass
        worker = Pausing(right)
        assert not worker.goes_on(0.05)
    assert worker.goes_on()


@pytest.mark.usefixtures("patient")
def test_a_worker_that_is_awaited_pauses_for_nothing() -> None:
    right = RightOfWay()
    with right.frame(), right.awaiting():
        assert Pausing(right, worked=2 * LONG).goes_on()


def test_a_frame_without_end_delays_the_worker_no_longer_than_its_patience() -> None:
    right = RightOfWay()
    with right.frame():
        assert Pausing(right, worked=2 * LONG).goes_on()


def test_a_long_frame_is_waited_for_longer_than_a_pause_between_frames() -> None:
    right = RightOfWay()
    with right.frame():
        worker = Pausing(right, worked=2 * LONG)
        assert not worker.goes_on(5 * right_of_way.PATIENCE)
    assert worker.goes_on()


def test_a_frame_without_end_delays_the_first_step_no_longer_than_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(right_of_way, "FRAME_PATIENCE", 2 * LONG)
    right = RightOfWay()
    with right.frame():
        beginning = threading.Thread(target=right.begin, daemon=True)
        beginning.start()
        beginning.join(LONG)
        assert not beginning.is_alive()


def test_the_worker_rests_as_long_as_its_step_took() -> None:
    stop = Stop(RightOfWay())
    stop.check()
    end = time.thread_time() + 0.02
    while time.thread_time() < end:
        pass
    start = time.perf_counter()
    stop.check()
    assert time.perf_counter() - start >= 0.02


@pytest.mark.usefixtures("patient")
def test_waiting_for_a_result_in_a_frame_lets_the_worker_finish() -> None:
    def work(text: str, stop: Stop) -> str:
        stop.check()
        return text * 2

    worker = ThreadWorker("doubling")
    beside: Beside[str, str] = Beside(worker, work)
    with worker.right_of_way.frame():
        beside.want("a")
        beside.wait()
    assert beside.take() == "aa"

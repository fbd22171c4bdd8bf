"""Work beside the frames: the newest request wins, and each result is taken once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from hand_driven import HandDriven
from patience import PATIENCE

from renderwright.render.runtime.plans.beside import NICENESS, Beside, Stop, StoppedError, ThreadWorker


class Doubling:
    """Doubles texts by hand, and notes which it was asked to double."""

    def __init__(self) -> None:
        self.worker = HandDriven()
        self.seen: list[str] = []
        self.beside: Beside[str, str] = Beside(self.worker, self._double)

    def _double(self, text: str, stop: Stop) -> str:
        self.seen.append(text)
        stop.check()
        if text == "bad":
            raise ValueError(text)
        return text * 2


@pytest.fixture
def doubling() -> Doubling:
    return Doubling()


def test_a_result_is_taken_once(doubling: Doubling) -> None:
    doubling.beside.want("a")
    assert not doubling.beside.ended()
    assert doubling.beside.take() is None
    assert doubling.beside.under_way == doubling.beside.wanted == "a"
    doubling.worker.work()
    assert doubling.beside.ended()
    assert doubling.beside.under_way is None
    assert doubling.beside.take() == "aa"
    assert doubling.beside.take() is None
    assert doubling.beside.wanted is None


def test_the_newest_request_wins_and_starts_when_the_older_one_has_ended(doubling: Doubling) -> None:
    doubling.beside.want("a")
    doubling.beside.want("b")
    doubling.beside.want("c")
    assert doubling.beside.under_way == "a"
    doubling.worker.work()
    assert not doubling.beside.ended()
    doubling.worker.work()
    assert doubling.beside.take() == "cc"
    assert doubling.seen == ["a", "c"]


def test_work_that_nobody_wants_stops_where_it_looks() -> None:
    stop = Stop()
    stop.check()
    stop.set()
    with pytest.raises(StoppedError):
        stop.check()


def test_a_result_that_nobody_wants_is_dropped(doubling: Doubling) -> None:
    doubling.beside.want("a")
    doubling.worker.work()
    doubling.beside.want(None)
    assert not doubling.beside.ended()
    assert doubling.beside.take() is None
    assert not doubling.worker.busy


def test_what_was_raised_is_raised_by_whoever_takes_it_once(doubling: Doubling) -> None:
    doubling.beside.want("bad")
    doubling.worker.work()
    with pytest.raises(ValueError, match="bad"):
        doubling.beside.take()
    assert doubling.beside.take() is None
    doubling.beside.want("good")
    doubling.beside.wait()
    assert doubling.beside.take() == "goodgood"


def test_what_an_unwanted_request_raises_is_nobodys_matter(doubling: Doubling) -> None:
    doubling.beside.want("bad")
    doubling.beside.want("good")
    doubling.beside.wait()
    assert doubling.beside.take() == "goodgood"


def test_closing_leaves_nothing_to_do(doubling: Doubling) -> None:
    doubling.beside.want("a")
    doubling.beside.want("b")
    doubling.beside.close()
    assert not doubling.worker.busy
    assert doubling.beside.take() is None
    doubling.beside.close()


def test_a_thread_does_it_as_well() -> None:
    names: list[str] = []
    go = threading.Event()

    def work(text: str, stop: Stop) -> str:
        go.wait(PATIENCE)
        names.append(threading.current_thread().name)
        return text * 2

    beside: Beside[str, str] = Beside(ThreadWorker("doubling"), work)
    beside.want("a")
    assert beside.take() is None
    go.set()
    beside.wait()
    assert beside.take() == "aa"
    assert names == ["doubling"]
    beside.want("b")
    beside.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "doubling"]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own here")
def test_a_thread_and_its_processes_leave_the_cores_to_others() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    seen: list[int] = []

    def work(text: str, stop: Stop) -> str:
        seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        asked = [sys.executable, "-c", "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"]
        seen.append(int(subprocess.run(asked, capture_output=True, check=True).stdout))
        return text

    beside: Beside[str, str] = Beside(ThreadWorker("calm"), work)
    beside.want("a")
    beside.wait()
    beside.close()
    assert seen == [min(before + NICENESS, 19)] * 2
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before

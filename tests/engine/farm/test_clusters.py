"""Workers as processes: they die, hang and have other versions."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from farm_works import Counted, processes
from patience import PATIENCE

from renderwright.engine.backends import DEVICE_TURN
from renderwright.engine.farm import Farm, RenderJob, dask_client, dask_crew, dask_local, pace
from renderwright.engine.farm import farm as engine_farm
from renderwright.engine.farm.dask_crew import DaskCrew
from renderwright.render.errors import BackendError, UsageError


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with Farm(2) as farm:
        yield farm


def test_two_processes_share_the_pieces(farm: Farm, tmp_path: Path) -> None:
    work = Counted(12, tmp_path, seconds=0.05)
    done = sorted(piece.number for piece in farm.run(work, range(12)))
    assert done == list(range(12))
    assert len({processes(tmp_path, number)[0] for number in done}) == 2
    assert os.getpid() not in {processes(tmp_path, number)[0] for number in done}
    assert farm.report.events == []


def test_a_killed_worker_costs_nothing_but_time(farm: Farm, tmp_path: Path) -> None:
    done = sorted(piece.number for piece in farm.run(Counted(12, tmp_path, deadly={3: 1}), range(12)))
    assert done == list(range(12))
    assert [event.reason for event in farm.report.events] == ["it died"]
    assert farm.report.given_up == {}
    first, second = processes(tmp_path, 3)[::-1]
    assert first != second


def test_a_worker_that_hangs_is_ended(farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "OPENING_SECONDS", 60.0)
    monkeypatch.setattr(pace, "LEAST_SECONDS", 2.0)
    monkeypatch.setattr(dask_crew, "END_SECONDS", 1.0)  # it never ends by itself
    done = sorted(piece.number for piece in farm.run(Counted(6, tmp_path, hanging={4: 1}), range(6)))
    assert done == list(range(6))
    # On a loaded machine others may seem to hang as well.
    assert {event.reason for event in farm.report.events} == {"it did not answer any more"}
    first, second = processes(tmp_path, 4)[::-1][:2]
    assert first != second
    with pytest.raises(ProcessLookupError):
        _wait_for_the_end(first)


@pytest.mark.vulkan
def test_frames_are_those_of_one_process_although_a_worker_is_killed(farm: Farm, game: str, replay: Path) -> None:
    job = RenderJob(game, range(60), (64, 36), replay)
    with Farm() as alone:
        right = {frame.number: frame.digest for frame in alone.render(job)}
    found = []
    for frame in farm.render(job):
        found.append((frame.number, frame.digest))
        if frame.number == 5:
            workers()[0].kill()
    assert found == sorted(right.items())
    assert farm.report.given_up == {}


def workers() -> list[psutil.Process]:
    """The processes that render, or begin to."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


def _wait_for_the_end(process: int) -> None:
    for _ in range(int(10 * PATIENCE)):
        os.kill(process, 0)
        time.sleep(0.1)


def test_wrong_use_in_a_worker_is_raised_here(farm: Farm) -> None:
    from renderwright.engine.farm.frames import FrameWork
    from renderwright.engine.farm.job import RenderJob

    with pytest.raises(UsageError, match='unknown game "no_such_game"'):
        list(farm.run(FrameWork(RenderJob("no_such_game", range(1), (8, 8))), range(1)))


def test_another_version_in_a_worker_is_refused(farm: Farm) -> None:
    class Here(Counted):
        def versions(self) -> dict[str, str]:
            return {"counted": "2"} if threading.current_thread() is threading.main_thread() else {"counted": "1"}

    with pytest.raises(BackendError, match="its version of counted is 1, and 2 where the job comes from"):
        list(farm.run(Here(1), range(1)))


def test_each_worker_has_a_turn_of_its_own_among_equal_devices(farm: Farm) -> None:
    assert isinstance(farm._crew, DaskCrew)
    farm._crew._client.wait_for_workers(2, timeout=PATIENCE)  # one was killed above
    turns = farm._crew._client.run(os.getenv, DEVICE_TURN)
    assert sorted(turns.values()) == ["0", "1"]


def test_pieces_that_take_over_others_stay_in_one_process(farm: Farm, tmp_path: Path) -> None:
    work = replace(Counted(8, tmp_path), in_one_run=True)
    assert [piece.number for piece in farm.run(work, range(8))] == list(range(8))
    assert len({processes(tmp_path, number)[0] for number in range(8)}) == 1


def test_a_worker_whose_supervisor_has_given_up_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_local, "LOST_SECONDS", 0.5)  # shorter than a worker takes to begin again
    before = set(workers())  # those of other tests begin anew for nothing
    crew = DaskCrew(workers=1)  # whose worker nobody else does the work of
    monkeypatch.setattr(engine_farm, "_crew", lambda workers, scheduler: crew)
    with Farm() as farm:
        pieces = farm.run(Counted(8, tmp_path, seconds=0.05), range(8))
        done = {next(pieces).number}
        for process in set(workers()) - before:
            process.kill()
        done |= {piece.number for piece in pieces}
        assert done == set(range(8))
        assert farm.report.given_up == {}


def test_workers_that_do_not_end_in_time_are_killed_and_hide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error here would take the place of the reason why a job ends. The scheduler ends with them."""
    before, threads = set(workers()), set(threading.enumerate())
    crew = DaskCrew(workers=1)
    assert crew._local is not None
    cluster = crew._local._cluster
    own = set(workers()) - before

    async def late() -> None:
        monkeypatch.undo()
        raise TimeoutError

    monkeypatch.setattr(cluster, "_correct_state", late)
    crew.close()
    assert len(own) == 1
    assert psutil.wait_procs(own, timeout=PATIENCE)[1] == []
    assert [thread.name for thread in set(threading.enumerate()) - threads if thread.name == "IO loop"] == []


def test_tasks_of_dask_that_failed_say_nothing_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("nobody asks")

    with dask_client.quiet():
        with closing(asyncio.new_event_loop()) as loop:
            task = loop.create_task(fail())
            loop.run_until_complete(asyncio.wait([task]))
        cycle: list[object] = [task]
        cycle.append(cycle)
        del task, cycle
    gc.collect()
    assert caplog.text == ""

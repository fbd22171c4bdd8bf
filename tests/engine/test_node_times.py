"""The table of ``play --times``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.engine.app import play
from renderwright.engine.games import find_game
from renderwright.engine.node_times import NodeTimes
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.times.gpu_clock import GpuInterval


@pytest.fixture
def session() -> Iterator[Session]:
    backend = NullBackend()
    with closing(Session(find_game("marbles"), backend, (64, 36))) as session:
        yield session


@pytest.fixture
def report(session: Session) -> FrameReport:
    session.step()
    report = session.render(session.backend.create_target((64, 36)))
    assert report is not None
    return report


def rows_of(times: NodeTimes) -> dict[str, list[str]]:
    """Cells by the first one of a row; a plugin's row has no second name."""
    rows = (line.split() for line in times.table().splitlines() if line)
    return {cells[0]: cells[1:] for cells in rows}


def gpu(begin: float, milliseconds: float) -> GpuInterval:
    return GpuInterval("graphics", begin, begin + milliseconds * 1e-3)


def test_median_and_longest_by_node_and_plugin(session: Session, report: FrameReport) -> None:
    times = NodeTimes()
    for milliseconds in (1.0, 2.0, 9.0):
        intervals = {"bloom/down1": gpu(0.0, milliseconds), "bloom/down2": gpu(1.0, 0.5), "opaque": gpu(2.0, 4.0)}
        cpu = {"opaque": milliseconds * 1e-3}
        times.see(session, replace(report, cpu_seconds=0.02, gpu_intervals=intervals, node_seconds=cpu))
    rows = rows_of(times)
    assert rows["bloom/down1"] == ["bloom", "2.000", "9.000", "0.000", "0.000"]
    assert rows["opaque"] == ["(engine)", "4.000", "4.000", "2.000", "9.000"]
    assert rows["bloom"] == ["2.500", "9.500", "0.000", "0.000"]
    assert rows["(engine)"] == ["4.000", "4.000", "2.000", "9.000"]
    assert rows["whole"] == ["frame", "6.500", "13.500", "20.000", "20.000"]
    assert "measured: 3 on the GPU, 3 on the CPU" in times.table()


def test_frames_without_a_reading_do_not_count_on_the_gpu(session: Session, report: FrameReport) -> None:
    times = NodeTimes()
    times.see(session, replace(report, gpu_intervals={"opaque": gpu(0.0, 4.0)}))
    times.see(session, replace(report, gpu_intervals={}))
    assert rows_of(times)["opaque"][1:3] == ["4.000", "4.000"]
    assert "measured: 1 on the GPU, 2 on the CPU" in times.table()


def test_instances_are_summed() -> None:
    backend, choice = NullBackend(), PluginChoice(enable=("vr",))
    with closing(Session(find_game("marbles"), backend, (64, 36), choice=choice)) as session:
        session.step()
        report = session.render(backend.create_target((64, 36)))
    assert report is not None
    eyes = [node.id for node in report.plan.graph.nodes if node.declaration.name == "shadows/resolve"]
    assert len(eyes) == 2
    times = NodeTimes()
    times.see(session, replace(report, gpu_intervals={node: gpu(number, 3.0) for number, node in enumerate(eyes)}))
    assert rows_of(times)["shadows/resolve"][1] == "6.000"


def test_the_runtime_tells_what_nodes_take(report: FrameReport) -> None:
    executing = {node.id for node in report.plan.graph.nodes if node.declaration.executes}
    assert set(report.node_seconds) == executing
    assert all(seconds > 0.0 for seconds in report.node_seconds.values())


def test_a_device_without_timestamps_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = PlayOptions(
        game="marbles", backend=BackendName.NULL, size=(64, 36), frames=3, times=True, screenshot=tmp_path / "a.png"
    )
    assert play(options) == 0
    told = capsys.readouterr().err
    assert "opaque" in told
    assert "measured: 0 on the GPU, 3 on the CPU" in told
    assert "has measured no node on the GPU" in told

"""What timestamps say about a frame."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.times.gpu_clock import (
    GpuInterval,
    TimedNode,
    busy_seconds,
    first_queries,
    gpu_intervals,
)


def on(queue: str, begin: float, end: float) -> GpuInterval:
    return GpuInterval(queue, begin, end)


@pytest.mark.parametrize(
    ("intervals", "seconds"),
    [
        ([], 0.0),
        ([on("graphics", 1.0, 3.0)], 2.0),
        ([on("graphics", 0.0, 1.0), on("graphics", 4.0, 6.0)], 3.0),  # what lies between does not count
        ([on("graphics", 0.0, 4.0), on("compute", 1.0, 2.0)], 4.0),  # what goes on at once counts once
        ([on("compute", 2.0, 5.0), on("graphics", 0.0, 3.0)], 5.0),
        ([on("graphics", 0.0, 4.0), on("compute", 1.0, 2.0), on("compute", 3.0, 6.0)], 6.0),
    ],
)
def test_busy_seconds_are_those_in_which_anything_ran(intervals: list[GpuInterval], seconds: float) -> None:
    assert busy_seconds(intervals) == pytest.approx(seconds)


def test_a_node_of_several_views_takes_the_sum_of_their_times() -> None:
    timed = (TimedNode("a", 0, "graphics"), TimedNode("both", 2, "graphics", 2), TimedNode("b", 6, "graphics"))
    each = [1000, 2000, 3000, 3500, 3400, 4500, 5000, 6000]
    began, found = gpu_intervals(timed, each)
    assert began == pytest.approx(1e-6)
    assert {node: one.seconds * 1e9 for node, one in found.items()} == pytest.approx(
        {"a": 1000, "both": 1400, "b": 1000}
    )
    one_for_all = [1000, 2000, 3000, 0, 4400, 0, 5000, 6000]
    assert gpu_intervals(timed, one_for_all)[1]["both"].seconds == pytest.approx(1.4e-6)
    assert gpu_intervals(timed, each[:5])[1].keys() == {"a"}, "the others were not written"


def test_a_report_tells_of_the_frame_that_had_its_slot_before() -> None:
    intervals = {"a": on("graphics", 0.0, 2e-6), "b": on("graphics", 3e-6, 3.5e-6)}
    report = FrameReport(7, None, 0.0, intervals)  # type: ignore[arg-type]
    assert report.measured_frame == 7 - FRAMES_IN_FLIGHT
    assert report.gpu_seconds == pytest.approx(2.5e-6)
    assert FrameReport(0, None, 0.0, {}).gpu_seconds == 0.0  # type: ignore[arg-type]


def test_frames_that_skip_nodes_leave_the_queries_of_the_others() -> None:
    def node(name: str, views: int = 0, *, executes: bool = True, usage: str | None = "color") -> Any:
        uses = [SimpleNamespace(usage=usage, present=True)]
        of_views = SimpleNamespace(count=views) if views else None
        return SimpleNamespace(id=name, declaration=SimpleNamespace(executes=executes), uses=uses, views=of_views)

    nodes = [node("a"), node("cpu", usage=None), node("skeleton", executes=False), node("both", views=2), node("b")]
    assert first_queries(nodes) == {"a": 0, "both": 2, "b": 6}

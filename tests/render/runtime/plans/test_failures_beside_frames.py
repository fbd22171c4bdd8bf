"""What fails while a plan is made beside the frames: the old plan never stops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from beside_frames import Running

from renderwright.render.errors import DeviceLostError, GraphError
from renderwright.render.runtime.failures import FailurePhase, NodeFailure


def test_a_shader_that_does_not_compile_removes_its_node_and_the_old_plan_never_stops(running: Running) -> None:
    running.shader("bad", "#version 450\nvoid main() { no }\n")
    running.add("bad", plugin="p")
    running.add("b")
    assert running.frame() == ["a"]
    assert running.failures == []
    running.worker.work()
    assert running.frame() == ["a"]
    (failure,) = running.failures
    assert (failure.node, failure.plugin, failure.phase) == ("bad", "p", FailurePhase.PIPELINE)
    running.worker.work()
    assert running.frame() == ["a", "b"]


def test_a_failure_of_a_plan_that_nobody_wants_any_more_is_not_told(running: Running) -> None:
    running.shader("bad", "#version 450\nvoid main() { no }\n")
    running.add("bad")
    running.frame()
    running.graph.remove_node("bad")
    running.worker.work()
    assert running.frame() == ["a"]
    assert running.failures == []


def test_a_declare_function_that_raises_is_told_at_once(running: Running) -> None:
    def wrong(reg: Any) -> None:
        raise RuntimeError("wrong")

    running.graph.add_node("wrong", wrong, plugin="p")
    running.add("b")
    assert running.frame() == ["a"]
    (failure,) = running.failures
    assert (failure.node, failure.phase) == ("wrong", FailurePhase.DECLARE)
    running.worker.work()
    assert running.frame() == ["a", "b"]


def test_a_graph_without_a_plan_leaves_the_old_one_running(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    running.runtime.options = running.runtime.options.__class__(order="fastest")
    running.add("b")
    running.frame()
    running.worker.work()
    assert [running.frame() for _ in range(2)] == [["a"]] * 2
    assert caplog.text.count('the old one keeps running: unknown order policy "fastest"') == 1
    assert not running.worker.busy
    assert running.runtime.behind
    running.graph.set_resolution("size", (8, 8))
    running.frame()
    assert running.extents["a"] == (8, 8)


def test_a_handler_that_raises_ends_the_frame_that_takes_the_failure(tmp_path: Path) -> None:
    def strict(failure: NodeFailure) -> None:
        raise GraphError(str(failure))

    running = Running(tmp_path)
    running.add("a")
    running.frame()
    running.runtime._current._failing._on_failure = strict
    running.shader("bad", "#version 450\nvoid main() { no }\n")
    running.add("bad")
    running.frame()
    running.worker.work()
    with pytest.raises(GraphError, match="bad"):
        running.runtime.render(None)
    running.close()


@pytest.mark.parametrize("under_way", [False, True])
def test_a_node_that_fails_in_a_frame_is_in_no_other_frame(running: Running, under_way: bool) -> None:
    def fail() -> None:
        if broken:
            raise RuntimeError("broken")

    broken: list[bool] = []
    running.add("b", plugin="p", fail=fail)
    running.frame()
    running.worker.work()
    running.frame()
    if under_way:
        running.add("c")
        running.frame()
    broken.append(True)
    assert running.frame() == ["a", "b"]
    assert [failure.phase for failure in running.failures] == [FailurePhase.EXECUTE]
    shown = ["a", "c"] if under_way else ["a"]
    assert [running.frame() for _ in range(2)] == [shown] * 2
    assert len(running.failures) == 1


def test_a_plan_that_finds_no_memory_is_tried_again_without_another_compile(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    running.add("b", size=(1024, 1024))
    running.frame()
    running.backend.full = True
    running.worker.work()
    assert [running.frame() for _ in range(3)] == [["a"]] * 3
    assert caplog.text.count("the new plan has to wait; the old one keeps running") == 1
    running.backend.full = False
    assert running.frame() == ["a", "b"]
    assert running.worker.started == 1


def test_a_loss_of_the_device_that_the_worker_meets_ends_the_frame(running: Running) -> None:
    running.add("b")
    running.frame()
    running.backend.lost = True
    running.worker.work()
    with pytest.raises(DeviceLostError):
        running.runtime.render(None)
    assert running.failures == []
    running.backend.lost = False
    running.runtime.abandon()
    before, running.runtime = running.runtime, running.start()
    assert running.frame() == ["a", "b"]
    before.close()


@pytest.mark.parametrize("ended", [False, True])
def test_closing_while_a_plan_is_made_gives_everything_back(running: Running, ended: bool) -> None:
    running.add("b")
    running.frame()
    if ended:
        running.worker.work()
    # The fixture closes.

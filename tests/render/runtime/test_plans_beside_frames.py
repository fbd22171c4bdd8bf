"""Changes of structure beside the frames: the old plan goes on, whatever else happens, until the new one is ready."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hand_driven import HandDriven

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.protocol import Heap, PipelineDesc
from renderwright.render.errors import DeviceLostError, GraphError, OutOfMemoryError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import FailurePhase, NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Extent, Texture

FILL = """#version 450
layout(location = 0) out vec4 result;
void main() { result = vec4(VALUE); }
"""


class ShortOfMemory(NullBackend):
    """Makes no heap while it is ``full``; ``lost`` and ``slow_pipelines`` are what pipelines meet."""

    full = False
    lost = False

    def create_heap(self, memory_class: str, size: int, name: str) -> Heap:
        if self.full:
            raise OutOfMemoryError("full")
        return super().create_heap(memory_class, size, name)

    def create_pipeline(self, desc: PipelineDesc) -> Any:
        if self.lost:
            raise DeviceLostError("gone")
        return super().create_pipeline(desc)


class Running:
    """A runtime whose worker is driven by hand. Each node draws to a texture of its own and notes its frames."""

    def __init__(self, folder: Path) -> None:
        self.worker = HandDriven()
        self.backend = ShortOfMemory()
        self.graph = FrameGraph()
        self.graph.set_resolution("size", (32, 16))
        self.failures: list[NodeFailure] = []
        self.ran: list[str] = []
        self.extents: dict[str, Extent] = {}
        self._folder = folder
        self.runtime = self.start()

    def start(self) -> Runtime:
        library = ShaderLibrary([self._folder])
        failures = self.failures.append
        return Runtime(self.graph, self.backend, library, on_failure=failures, worker=self.worker)

    def shader(self, name: str, text: str = FILL) -> None:
        (self._folder / f"{name}.frag").write_text(text.replace("VALUE", f"{len(name)}.0"))

    def add(
        self, name: str, *, plugin: str = "", fail: Callable[[], None] | None = None, size: Extent | None = None
    ) -> None:
        """A node; ``fail`` is called when it executes."""

        def declare(reg: Any) -> Callable[[Any], None]:
            target = reg.create(name, Texture("rgba8_unorm", size or reg.resolution("size"))).color()
            reg.side_effects()
            pipeline = reg.graphics(f"{name}.frag")

            def execute(cmd: Any) -> None:
                self.ran.append(name)
                self.extents[name] = target.extent
                if fail is not None:
                    fail()
                cmd.draw(pipeline)

            return execute

        if not (self._folder / f"{name}.frag").exists():
            self.shader(name)
        self.graph.add_node(name, declare, plugin=plugin)

    def frame(self) -> list[str]:
        """The nodes that a frame executes."""
        self.ran.clear()
        assert self.runtime.render(None) is not None
        return sorted(self.ran)

    def close(self) -> None:
        self.runtime.close()
        assert not self.worker.busy
        assert self.backend.alive == ()
        self.backend.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    running.add("a")
    assert running.frame() == ["a"]
    assert running.worker.started == 0
    yield running
    running.close()


def test_the_old_plan_goes_on_until_the_new_one_is_ready(running: Running) -> None:
    running.add("b")
    assert [running.frame() for _ in range(3)] == [["a"]] * 3
    assert running.runtime.behind
    running.worker.work()
    assert running.frame() == ["a", "b"]
    assert not running.runtime.behind
    assert running.worker.started == 1


def test_a_removed_node_is_executed_and_asks_its_provider_until_the_switch(running: Running) -> None:
    asked: list[int] = []

    def external(reg: Any) -> Callable[[Any], None]:
        number = reg.external("number", int, lambda context: asked.append(context.frame) or 7)
        reg.side_effects()
        return lambda cmd: running.ran.append(f"external {number.value}")

    running.graph.add_node("external", external)
    running.frame()
    running.worker.work()
    assert running.frame() == ["a", "external 7"]
    running.graph.remove_node("external")
    running.add("b")
    assert running.frame() == ["a", "external 7"]
    running.worker.work()
    frames = len(asked)
    assert running.frame() == ["a", "b"]
    assert len(asked) == frames


def test_only_the_newest_change_is_shown(running: Running) -> None:
    running.add("b")
    running.frame()
    running.graph.remove_node("b")
    running.add("c")
    running.frame()
    running.worker.work()  # what nobody wants any more
    assert running.frame() == ["a"]
    running.worker.work()
    assert running.frame() == ["a", "c"]


def test_a_change_that_is_taken_back_is_over_at_once(running: Running) -> None:
    running.add("b")
    running.frame()
    running.graph.remove_node("b")
    assert running.frame() == ["a"]
    assert not running.runtime.behind
    running.worker.work()
    assert running.frame() == ["a"]
    assert running.worker.started == 1


def test_a_plan_that_is_remembered_takes_over_at_once(running: Running) -> None:
    running.add("b")
    running.frame()
    running.worker.work()
    running.frame()
    for _ in range(3):
        running.graph.remove_node("b")
        assert running.frame() == ["a"]
        running.add("b")
        assert running.frame() == ["a", "b"]
    assert running.worker.started == 1


def test_a_remembered_plan_whose_shader_has_changed_is_made_beside(running: Running) -> None:
    running.add("b")
    running.frame()
    running.worker.work()
    running.frame()
    running.graph.remove_node("b")
    running.frame()
    running.shader("b", FILL.replace("VALUE", "0.25"))
    running.add("b")
    assert running.frame() == ["a"]
    running.worker.work()
    assert running.frame() == ["a", "b"]


def test_a_node_that_executes_something_else_is_replaced_at_once(running: Running) -> None:
    told: list[str] = []
    running.add("a", fail=lambda: told.append("new"))
    assert running.frame() == ["a"]
    assert told == ["new"]
    assert running.worker.started == 0


def test_a_resize_is_at_once(running: Running) -> None:
    running.graph.set_resolution("size", (64, 32))
    running.frame()
    assert running.extents["a"] == (64, 32)
    assert running.worker.started == 0


@pytest.mark.parametrize("ended", [False, True])
def test_a_resize_while_a_plan_is_made_is_at_once_and_in_the_new_plan(running: Running, ended: bool) -> None:
    running.add("b")
    running.frame()
    if ended:
        running.worker.work()
    running.graph.set_resolution("size", (64, 32))
    running.frame()
    assert running.extents["a"] == (64, 32)
    if not ended:
        assert running.ran == ["a"]
        running.worker.work()
    assert running.frame() == ["a", "b"]
    assert running.extents == {"a": (64, 32), "b": (64, 32)}
    assert running.worker.started == 1


def test_a_step_of_the_dynamic_resolution_while_a_plan_is_made_is_at_once(running: Running) -> None:
    running.add("b")
    running.frame()
    heaps = running.runtime.heap_bytes
    for side in (8, 12, 8):
        running.graph.set_dynamic_resolution("size", (side, side))
        assert running.frame() == ["a"]
        assert running.extents["a"] == (side, side)
    assert running.runtime.heap_bytes == heaps
    running.worker.work()
    assert running.frame() == ["a", "b"]
    assert running.extents == {"a": (8, 8), "b": (8, 8)}


def test_sizes_that_are_held_are_those_of_the_old_plan_only(running: Running) -> None:
    running.add("b")
    running.graph.set_resolution("size", (16, 16))
    running.runtime.update()
    assert running.runtime.behind
    running.runtime.hold({"size": (48, 16)})
    running.frame()
    assert running.extents["a"] == (48, 16)
    running.worker.work()
    running.frame()
    assert running.extents == {"a": (16, 16), "b": (16, 16)}


def test_other_costs_are_adopted_beside_the_frames(running: Running) -> None:
    running.add("b")
    running.runtime.finish_compile()
    running.frame()
    running.worker.work()
    running.frame()
    running.runtime.options = running.runtime.options.on_device(("graphics",), 1, unified_layouts=False)
    running.graph.set_count("view", 2)
    running.frame()
    running.graph.set_count("view", 1)
    running.frame()
    running.runtime.finish_compile()
    assert running.frame() == ["a", "b"]


# failures -----------------------------------------------------------------------------------------------------------


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
    running.runtime._current._on_failure = strict
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


# what waits for the switch ------------------------------------------------------------------------------------------


def test_actions_wait_for_the_plan_that_knows_the_edits(running: Running) -> None:
    told: list[str] = []
    running.runtime.when_shown(lambda: told.append("nothing to wait for"))
    assert told == ["nothing to wait for"]
    running.add("b")
    running.runtime.when_shown(lambda: told.append("b"))
    running.frame()
    running.add("c")
    running.runtime.when_shown(lambda: told.append("c"))
    running.frame()
    assert told == ["nothing to wait for"]
    running.runtime.finish_compile()
    running.frame()
    assert told == ["nothing to wait for", "b", "c"]
    running.add("d")
    running.runtime.when_shown(lambda: told.append("the end"))
    running.frame()
    running.runtime.abandon()
    assert told[-1] == "the end"


def test_without_a_worker_nothing_waits(tmp_path: Path) -> None:
    running = Running(tmp_path)
    running.runtime.close()
    running.runtime = Runtime(running.graph, running.backend, ShaderLibrary([tmp_path]))
    told: list[str] = []
    running.add("a")
    running.frame()
    running.add("b")
    running.runtime.when_shown(lambda: told.append("now"))
    assert told == ["now"]
    assert running.frame() == ["a", "b"]
    assert not running.runtime.behind
    running.close()


def test_pipelines_of_a_plan_that_is_made_are_not_given_back(running: Running, monkeypatch: Any) -> None:
    monkeypatch.setattr("renderwright.render.runtime.pipelines.KEPT", 0)
    running.add("b")
    running.frame()
    running.worker.work()
    running.graph.set_resolution("size", (64, 32))  # a plan that runs now, and gives back what it has no use for
    running.graph.add_sink("a")
    running.frame()
    assert running.frame() == ["a"]
    running.runtime.finish_compile()
    assert running.frame() == ["a", "b"]

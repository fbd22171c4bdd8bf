"""Changes of structure beside the frames: the old plan goes on, whatever else happens, until the new one is ready."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from beside_frames import FILL, Running

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.compiler import partial
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary


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


def test_a_plan_waits_until_its_pipelines_are_ready(running: Running) -> None:
    running.backend.ready = False
    running.add("b")
    assert running.frame() == ["a"]
    running.worker.work()
    assert running.frame() == ["a"]
    running.backend.pipelines[-1].ready = True
    assert running.frame() == ["a", "b"]


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
    running.runtime.hold([ResolutionRule("size", size=(48, 16))])
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
    running.runtime.options = running.runtime.options.on_device(Capabilities("null", "none", "1.0"))
    running.graph.set_count("view", 2)
    running.frame()
    running.graph.set_count("view", 1)
    running.frame()
    running.runtime.finish_compile()
    assert running.frame() == ["a", "b"]


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


def test_no_frame_compiles_what_runs_in_it_when_others_rest(running: Running, monkeypatch: Any) -> None:
    """What frames before a switch leave out, frames behind it leave out as well."""
    compiled: list[frozenset[str]] = []
    real = partial.partial_plan

    def counted(whole: partial.SharedResults, skipped: frozenset[str]) -> Generator[None, None, Plan]:
        compiled.append(skipped)
        return real(whole, skipped)

    monkeypatch.setattr(partial, "partial_plan", counted)
    running.add("rare", every=100)
    running.frame()
    running.worker.work()
    assert [running.frame() for _ in range(3)] == [["a", "rare"], ["a"], ["a"]]
    running.add("b")
    assert running.frame() == ["a"]
    running.worker.work()
    assert compiled == [frozenset({"rare"})] * 2
    assert running.frame() == ["a", "b"]
    running.graph.remove_node("b")
    assert running.frame() == ["a"]
    running.add("b")
    assert running.frame() == ["a", "b"]
    assert len(compiled) == 2

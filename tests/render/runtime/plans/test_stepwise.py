"""A compile that can be interrupted between its stages, and begun again."""

from __future__ import annotations

from typing import Any

import pytest

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.runtime.plans.beside import StoppedError
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler
from renderwright.render.types.resources import Texture


@pytest.fixture
def graph() -> FrameGraph:
    def declare(reg: Any) -> None:
        reg.create("color", Texture("rgba8_unorm", (32, 16))).color()
        reg.side_effects()

    graph = FrameGraph()
    graph.add_node("draw", declare)
    graph.declare()
    return graph


def compiled(compiler: StepwiseCompiler, graph: FrameGraph) -> Plan:
    return compiler.compile(graph.snapshot(), graph.sizes(), CompileOptions())


def test_a_compile_that_was_stopped_at_any_step_goes_on_to_the_same_plan(graph: FrameGraph) -> None:
    expected = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    compiler = StepwiseCompiler(RowMajorModel())
    stops = steps = 0

    def stop_one_step_later_each_time() -> None:  # a stage that was stopped within begins anew
        nonlocal steps
        steps += 1
        if steps > stops:
            raise StoppedError

    while True:
        steps = 0
        try:
            with compiler.steps(stop_one_step_later_each_time):
                plan = compiled(compiler, graph)
        except StoppedError:
            stops += 1
        else:
            break
    assert plan == expected
    assert stops > 10


def test_outside_the_context_nothing_is_called(graph: FrameGraph) -> None:
    compiler = StepwiseCompiler(RowMajorModel())
    with pytest.raises(StoppedError), compiler.steps(_stop):
        compiled(compiler, graph)
    assert compiled(compiler, graph).graph.nodes


def _stop() -> None:
    raise StoppedError

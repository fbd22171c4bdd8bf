"""Depth tests that count depth from the wrong end are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.plan_review import Finding, findings
from renderwright.engine.planning import plan_of
from renderwright.render.graph.source import caller_location
from renderwright.render.types.resources import Texture

Install = Callable[[Callable[[Any], object]], None]

DEPTH = Texture("d32_sfloat", (8, 8))


def draws(request: Callable[[Any], object], *tests: str, write: bool = True, of_node: bool = False) -> Any:
    """A node with that depth that has a pipeline for each of the tests."""

    def declare(reg: Any) -> object:
        reg.side_effects()
        request(reg)
        states = [{"depth_test": test, "depth_write": write} for test in tests]
        if of_node:
            reg.state(**states[0])
        pipelines = [reg.graphics("", "wall.vert", **({} if of_node else state)) for state in states]
        return lambda cmd: [cmd.draw(pipeline) for pipeline in pipelines]

    return declare


def own(clear: float | None) -> Callable[[Any], object]:
    return lambda reg: reg.create("own", DEPTH).depth(clear=clear)


def of_the_frame(reg: Any) -> object:
    return reg.modify("depth").depth()


def told() -> list[Finding]:
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))
    assert "extra/node" in [node.declaration.name for node in plan.graph.nodes]
    return list(findings(plan, ()))


@pytest.mark.parametrize("of_node", [False, True])
@pytest.mark.parametrize(("clear", "test"), [(0.0, "less"), (1.0, "greater")])
def test_a_test_that_nothing_passes_is_told(clear: float, test: str, of_node: bool, install: Install) -> None:
    install(draws(own(clear), test, test, of_node=of_node))
    (finding,) = told()
    assert finding.plugin == "extra"
    assert finding.message == (
        f'plugin "extra": `extra/node` clears "own" to {clear:g} and draws with depth_test="{test}": nothing passes'
    )
    assert "clear to 0, and test greater" in finding.hint


def test_what_lies_behind_the_depth_of_others_is_told_at_its_pipeline(install: Install) -> None:
    def declare(reg: Any) -> object:
        reg.side_effects()
        of_the_frame(reg)
        pipeline = reg.graphics("", "wall.vert", depth_test="less", depth_write=True)
        return lambda cmd: cmd.draw(pipeline)

    first = caller_location().line
    install(declare)
    (finding,) = told()
    assert finding.message == (
        'plugin "extra": `extra/node` writes to "depth" with depth_test="less": it draws only what lies behind what is '
        "there"
    )
    assert finding.where is not None
    assert finding.where.line == first - 3


@pytest.mark.parametrize(
    "declare",
    [
        draws(own(0.0), "greater"),
        draws(own(0.0), "greater", "less"),  # what the first has drawn
        draws(own(1.0), "less"),  # the farthest depths
        draws(own(0.5), "less"),
        draws(own(None), "less"),
        draws(own(0.0), "none", write=False),
        draws(of_the_frame, "greater"),
        draws(of_the_frame, "less", write=False),
        draws(lambda reg: reg.read("depth").depth_read(), "less", write=False),  # silhouettes behind walls
    ],
)
def test_other_tests_are_not_told(declare: Callable[[Any], object], install: Install) -> None:
    install(declare)
    assert told() == []

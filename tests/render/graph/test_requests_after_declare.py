"""Requests end when the declare function returns, and a registry shows its verbs alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
from value_graph import ValueGraph

from renderwright.render.errors import GraphError
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.revision import Revision
from renderwright.render.types.resources import Buffer, Texture

VERBS: dict[str, Callable[[Registry], object]] = {
    "after": lambda reg: reg.after("other"),
    "before": lambda reg: reg.before("other"),
    "chain": lambda reg: reg.chain("tone"),
    "chain_source": lambda reg: reg.chain_source("tone", "other"),
    "compute": lambda reg: reg.compute("blur.comp"),
    "cost": lambda reg: reg.cost(2.0),
    "create": lambda reg: reg.create("late", Texture("r8_unorm", (4, 4))),
    "every": lambda reg: reg.every(2),
    "external": lambda reg: reg.external("late", Buffer(64), lambda context: None),
    "fact": lambda reg: reg.fact("views"),
    "fullscreen": lambda reg: reg.fullscreen("blur.frag"),
    "gather": lambda reg: reg.gather("depth"),
    "graphics": lambda reg: reg.graphics("blur.frag"),
    "history": lambda reg: reg.history("depth"),
    "modify": lambda reg: reg.modify("depth"),
    "multiplex": lambda reg: reg.multiplex("view"),
    "multiview": lambda reg: reg.multiview("eye"),
    "priority": lambda reg: reg.priority(1),
    "queue": lambda reg: reg.queue("compute"),
    "read": lambda reg: reg.read("depth"),
    "rename": lambda reg: reg.rename("depth", "deep"),
    "replaces": lambda reg: reg.replaces("other"),
    "side_effects": lambda reg: reg.side_effects(),
    "stable": lambda reg: reg.stable(Revision()),
    "state": lambda reg: reg.state(blend="alpha"),
    "uniform": lambda reg: reg.uniform("settings", {"strength": 1.0}),
    "when": lambda reg: reg.when("camera"),
}
"""A call of each verb that requests something."""

MAKES_A_VALUE = {"resolution"}
"""Verbs that request nothing."""


def seen_of(reg: Registry) -> set[str]:
    """The names that a plugin sees of a registry."""
    return {name for name in dir(reg) if not name.startswith("_")}


def test_a_registry_shows_its_verbs_alone() -> None:
    reg = Registry("fx/late", "fx")
    assert seen_of(reg) == set(VERBS) | MAKES_A_VALUE
    assert all(inspect.ismethod(getattr(reg, name)) for name in seen_of(reg))


@pytest.mark.parametrize("verb", VERBS)
def test_a_request_while_the_node_executes_fails_at_its_line(values: ValueGraph, verb: str) -> None:
    def declare(reg: Registry) -> Callable[[object], None]:
        reg.side_effects()

        def execute(cmd: object) -> None:
            VERBS[verb](reg)

        return execute

    values.graph.add_node("fx/late", declare, plugin="fx")
    values.frame()
    (failure,) = values.failures
    assert (failure.plugin, failure.node, failure.phase) == ("fx", "fx/late", "execute")
    error = failure.error
    assert isinstance(error, GraphError)
    assert error.message == '"fx/late" makes a request after its declare function has returned'
    assert "make it in the declare function" in error.hint
    assert error.where is not None
    assert (error.where.file, error.where.line) == (__file__, VERBS[verb].__code__.co_firstlineno)


def test_requests_in_the_declare_function_are_fine_again_when_the_node_is_declared_anew(values: ValueGraph) -> None:
    asked: list[object] = []

    def declare(reg: Registry) -> Callable[[object], None]:
        asked.append(reg.fact("views"))
        reg.side_effects()
        return lambda cmd: None

    values.graph.add_node("fx/again", declare, plugin="fx")
    values.frame()
    values.graph.set_fact("views", 2)
    values.frame()
    assert (asked, values.failures) == ([None, 2], [])

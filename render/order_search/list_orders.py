"""Orders by list scheduling in which canonical numbers settle ties, so that declarations do not decide them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from renderwright.render.compiler.order.dependency_graph import DependencyGraph
from renderwright.render.compiler.order.list_scheduling import list_schedule
from renderwright.render.compiler.order.live_memory import LiveMemory
from renderwright.render.compiler.order.static_priority import StaticPriority
from renderwright.render.compiler.order.weights import WEIGHTS
from renderwright.render.order_search.problem import Order, OrderProblem
from renderwright.render.order_search.unit_sets import units_of


def list_orders(problem: OrderProblem, between: Callable[[], None]) -> list[Order]:
    """The orders of the policies ``balanced`` and ``memory``, by real sizes."""
    before, after = ([units_of(units) for units in sets] for sets in (problem.before, problem.after))
    dependencies = DependencyGraph(problem.count, before, after, [len(units) for units in after])
    static = StaticPriority(problem.facts, dependencies)
    resources = dict(zip(problem.names, problem.resources, strict=True))
    sizes = defaultdict(float, {name: float(resource.size) for name, resource in resources.items()})
    live_to_end = {name for name, resource in resources.items() if resource.live_to_end}
    found = []
    for weights in (*WEIGHTS["balanced"], *WEIGHTS["memory"]):
        live = LiveMemory(problem.facts, sizes, live_to_end)
        found.append(tuple(list_schedule(problem.facts, dependencies, static, live, weights, between).order))
    return found

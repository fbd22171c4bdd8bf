"""Frames for the tests of the order search, and all of their legal orders."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4]))

from benchmarks.random_graphs import Node, frame_graph
from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.order_search.problem import OrderProblem, order_problem

WELL_PACKED = CompileOptions(packing=PackPolicy.BALANCED)


class Frame:
    """A graph with a compiler of its own, and its plan in the policy's order."""

    def __init__(self, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions = WELL_PACKED) -> None:
        self.snapshot, self.sizes, self.options = snapshot, sizes, options
        self.compiler = Compiler(RowMajorModel())
        self.plan = self.compiler.compile(snapshot, sizes, options)
        self.problem = order_problem(self.plan.graph, self.plan.placement, {})
        self.nodes = node_ids(self.plan)

    def in_order(self, nodes: tuple[str, ...]) -> Plan:
        """The plan in another order."""
        options = CompileOptions(packing=self.options.packing, preferred=PreferredOrder(nodes))
        return Compiler(RowMajorModel()).compile(self.snapshot, self.sizes, options)


def frame_of(nodes: list[Node] | tuple[Node, ...]) -> Frame:
    """The frame of random nodes, declared in this order."""
    graph = frame_graph(nodes)
    return Frame(graph.snapshot(), graph.sizes())


def node_ids(plan: Plan) -> tuple[str, ...]:
    """The nodes in order."""
    return tuple([node.id for node in plan.graph.nodes])


def is_legal(plan: Plan, nodes: tuple[str, ...]) -> bool:
    """Whether an order of all nodes respects every dependency of the plan's graph."""
    place = {node: number for number, node in enumerate(nodes)}
    complete = sorted(place) == sorted(node.id for node in plan.graph.nodes)
    return complete and all(place[edge.before] < place[edge.after] for edge in plan.graph.edges)


def all_orders(problem: OrderProblem, done: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every legal order of the units."""
    if len(done) == problem.count:
        yield done
    finished = sum(1 << unit for unit in done)
    for unit in range(problem.count):
        if unit not in done and not problem.before[unit] & ~finished:
            yield from all_orders(problem, (*done, unit))

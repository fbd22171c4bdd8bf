"""The plan in the best order found: the search's few best orders are compiled, and the smallest plan is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from renderwright.render.compiler.order.weights import WEIGHTS
from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.order_search.moves import order_moves
from renderwright.render.order_search.problem import order_problem
from renderwright.render.order_search.search import DEFAULT_BOUND, OrderBound, better_orders


def plan_in_better_order(
    compiler: Compiler,
    snapshot: GraphSnapshot,
    sizes: SizeInputs,
    options: CompileOptions,
    bound: OrderBound = DEFAULT_BOUND,
    worth: float = 0.0,
    between: Callable[[], None] = lambda: None,
) -> Plan:
    """The smallest plan of the policy's order and those found; the policy's, unless another saves the fraction
    ``worth`` of its heap bytes.

    Orders that ``options`` name (``declared``, ``random:SEED``) stay. ``between`` is called between steps; its
    exceptions end the search.
    """
    own = compiler.compile(snapshot, sizes, replace(options, preferred=None))
    if options.order not in WEIGHTS or not options.alias:
        return own
    between()
    problem = order_problem(own.graph, own.placement, dict(options.costs), between)
    nodes = tuple([node.id for node in own.graph.nodes])
    best = own
    for found in better_orders(problem, nodes, bound, between):
        preferred = PreferredOrder(found, order_moves(problem, nodes, found))
        plan = compiler.compile(snapshot, sizes, replace(options, preferred=preferred))
        if heap_bytes(plan) < heap_bytes(best) and _is_as_fast(plan, own, bound):
            best = plan
    return best if heap_bytes(best) <= heap_bytes(own) * (1.0 - worth) else own


def heap_bytes(plan: Plan) -> int:
    """The bytes of all heaps."""
    return sum([heap.size for heap in plan.placement.heaps])


def _is_as_fast(plan: Plan, own: Plan, bound: OrderBound) -> bool:
    """Whether the compiled plan keeps to the bound, which the search could only estimate."""
    if bound.keep_passes and len(plan.pass_plan.passes) > len(own.pass_plan.passes):
        return False
    return plan.queues.planned_time <= own.queues.planned_time * (1.0 + bound.time)

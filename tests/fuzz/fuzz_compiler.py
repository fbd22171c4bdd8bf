"""One case: a random graph with every feature is compiled and held against all independent models."""

from __future__ import annotations

import random
from dataclasses import replace

from feature_checks import compiled, wrong, wrong_barriers
from feature_graphs import SIZES, feature_graph
from front_graphs import valid_graph, wild_graph

from renderwright.render.compiler.pipeline import Compiler, compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.inspect import plan_to_json
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.order_search.better_order import plan_in_better_order

ORDERS = ("balanced", "memory", "overlap", "declared")


def compiler_case(seed: int) -> str:
    """``small`` graphs are checked for hazards too, some of them (``reordered``) in an order that needs less memory;
    ``large`` ones have up to 200 nodes, ``wild`` ones are wrong."""
    rng = random.Random(seed)
    order = rng.choice((*ORDERS, f"random:{seed}"))
    options = CompileOptions(order=order, alias=rng.random() < 0.8)
    kind = rng.random()
    if kind < 0.3:
        return _wild(seed, options)
    count = rng.randint(1, 24) if kind < 0.9 else rng.randint(25, 200)
    snapshot = feature_graph(seed, count)
    if count <= 24 and rng.random() < 0.3:
        plan = plan_in_better_order(Compiler(RowMajorModel()), snapshot, SIZES, options)
        options = replace(options, preferred=plan.graph.preferred)
    found = wrong(snapshot, options, seed)
    if count <= 24:
        found += wrong_barriers(compiled(snapshot, options))
    assert not found, "; ".join(found)[:2000]
    if options.preferred is not None:
        return "reordered"
    return "small" if count <= 24 else "large"


def _wild(seed: int, options: CompileOptions) -> str:
    snapshot = wild_graph(seed) if seed % 3 else valid_graph(seed)
    try:
        plan = compile_snapshot(snapshot, SizeInputs(), options, RowMajorModel())
    except RenderwrightError:
        return "wild, no plan"
    place = {node.id: number for number, node in enumerate(plan.graph.nodes)}
    assert all(place[edge.before] < place[edge.after] for edge in plan.graph.edges)
    plan_to_json(plan, 3)
    return "wild"

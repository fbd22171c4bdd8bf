"""One case: a random graph of several views, drawn at once where nodes say that they can be, beside single views."""

from __future__ import annotations

import random
from dataclasses import replace

from feature_checks import compiled, wrong_order
from fuzz_compiler import ORDERS
from life_model import wrong_lives, wrong_memory
from view_graphs import view_graph, wrong_views

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.sync.barriers import Splitting
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS

ELSEWHERE = (("compute", "graphics"), ("copy", "compute", "graphics"))


def views_case(seed: int) -> str:
    """The same work is done, in a legal order, in memory that lives long enough, and without a hazard."""
    rng = random.Random(seed)
    order, alias = rng.choice((*ORDERS, f"random:{seed}")), rng.random() < 0.8
    snapshot = view_graph(seed, rng.randint(3, 30))
    plain = CompileOptions(order=order, alias=alias)
    found = list(wrong_views(snapshot, plain))
    queues = ALL_QUEUES if rng.random() < 0.5 else (GRAPHICS,)
    if queues is ALL_QUEUES:
        free = [replace(one, queues=rng.choice(ELSEWHERE), before=(), after=()) for one in snapshot.nodes]
        snapshot = replace(snapshot, nodes=tuple(free))
    above = rng.choice((0.0, Splitting.above))
    unified = rng.random() < 0.5
    plan = compiled(snapshot, replace(plain, queues=queues, split_above=above, unified_layouts=unified))
    found += wrong_order(plan)
    if not plan.queues.several:
        found += [*wrong_lives(plan), *wrong_memory(plan, alias=alias)]
    found += [str(one) for one in judge(list(frame_plans(plan, 5))).findings]
    assert not found, "; ".join(found)[:2000]
    several = "several queues" if plan.queues.several else "one queue"
    return f"views at once, {several}" if any(node.views for node in plan.graph.nodes) else "single views"

"""Cases of synchronisation: plans under the eyes of the oracle, and the oracle itself beside the plainest model."""

from __future__ import annotations

import math
import random

from feature_checks import compiled
from feature_graphs import feature_graph
from late_graphs import late_graph
from ordered_frames import compile_frame
from part_frames import random_part_frame, random_part_graph
from plan_mutants import mutants
from random_frames import random_frame
from rated_frames import random_rated_frame
from slow_model import Model
from test_oracle_model import found_in, random_stream
from test_queue_stage import random_plans

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.sync.barriers import Splitting
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS

ORDERS = ("balanced", "memory", "overlap", "declared")


def _unified(seed: int) -> bool:
    """Whether textures are in the general layout; drawn apart, so that all else of a seed is as it would be without."""
    return random.Random(f"layouts {seed}").random() < 0.5


def sync_case(seed: int) -> str:
    """A random plan is clean, of one ``graph``, on several ``queues`` or of frames with ``rates``; to a ``mutant`` the
    oracle objects.

    Mutants are of plans with a layout for each usage: united barriers may stand in part for one another.
    """
    rng = random.Random(seed)
    unified = _unified(seed)
    kind = rng.random()
    if kind < 0.6:
        order, above = rng.choice((*ORDERS, f"random:{seed}")), rng.choice((0.0, Splitting.above))
        snapshot = feature_graph(seed, rng.randint(1, 24))
        queues = ALL_QUEUES if rng.random() < 0.5 else (GRAPHICS,)
        alias = rng.random() < 0.8
        packing = PackPolicy.BALANCED if unified else PackPolicy.FAST
        options = CompileOptions(
            order, alias, packing=packing, queues=queues, split_above=above, unified_layouts=unified
        )
        plan = compiled(snapshot, options)
        found = judge(list(frame_plans(plan, 5))).findings
        assert not found, "; ".join(map(str, found))[:2000]
        return "queues" if plan.queues.several else "graph"
    if kind < 0.8:
        frame = random_rated_frame(seed, alias=rng.random() < 0.8, keep=unified)
        if frame is None:
            return "nothing to rate"
        carried = rng.random() < 0.3
        report = judge(frame.sequence(rng, 6, carried=carried), carried=carried)
        assert not report.findings, str(report.findings[0])
        return "rates"
    weaker = list(mutants(compile_frame(random_frame(seed), alias=rng.random() < 0.8)))
    if not weaker:
        return "no barrier"
    what, mutant = rng.choice(weaker)
    assert judge([mutant] * 4).findings, f"a survivor: {what}"
    return "mutant"


def queue_case(seed: int) -> str:
    """A random plan of nodes that may leave the graphics queue is clean."""
    ((_, plan),) = random_plans(range(seed, seed + 1))
    found = judge(list(frame_plans(plan, 5))).findings
    assert not found, str(found[0])
    return "several queues" if plan.queues.several else "one queue"


def late_case(seed: int) -> str:
    """A random plan with work that goes on beside the next frame is clean, and every wait for that is needed."""
    rng = random.Random(seed)
    order = rng.choice((*ORDERS, f"random:{seed}"))
    queues = ALL_QUEUES if rng.random() < 0.5 else ("graphics", "compute")
    alias, above = rng.random() < 0.8, rng.choice((0.0, Splitting.above))
    options = CompileOptions(order, alias, queues=queues, split_above=above, unified_layouts=_unified(seed))
    plan = compiled(late_graph(seed), options)
    found = judge(list(frame_plans(plan, 7))).findings
    assert not found, str(found[0])
    for what, mutant in mutants(plan):
        if "cross-frame work" in what:
            assert judge([mutant] * 6).findings, f"a survivor: {what}"
    return "cross-frame work" if plan.queues.cross_frame_work else "no cross-frame work"


def part_case(seed: int) -> str:
    """The same of textures used by mips and layers: a ``frame``, a ``graph`` on several queues, a ``mutant``."""
    rng = random.Random(seed)
    kind, alias, split = rng.random(), rng.random() < 0.8, rng.random() < 0.6
    unified = _unified(seed)
    if kind < 0.4:
        frame = compile_frame(random_part_frame(seed), alias=alias, split=split, keep=unified)
        found = judge([frame] * 4).findings
        assert not found, str(found[0])
        return "frame"
    if kind < 0.8:
        queues = ("graphics", "compute") if rng.random() < 0.8 else ("graphics",)
        plan = compiled(
            random_part_graph(seed),
            CompileOptions(alias=alias, split_above=0.0 if split else math.inf, queues=queues, unified_layouts=unified),
        )
        found = judge(list(frame_plans(plan, 5))).findings
        assert not found, str(found[0])
        return "graph"
    part_frame = random_part_frame(seed, lasting=False)
    weaker = list(mutants(compile_frame(part_frame, alias=alias, split=split)))
    if not weaker:
        return "no barrier"
    what, mutant = rng.choice(weaker)
    assert judge([mutant] * 4).findings, f"a survivor: {what}"
    return "mutant"


def oracle_case(seed: int) -> str:
    """A random stream, ``right`` or ``wrong``, is judged as the plainest model judges it."""
    stream = random_stream(seed)
    wrong = Model(stream).wrong()
    found = found_in(stream)
    assert found == wrong, f"lines {sorted(found)}, not {sorted(wrong)}"
    coarse = random_stream(seed, cut=False)
    assert found_in(coarse) >= Model(coarse).wrong()
    return "wrong" if wrong else "right"

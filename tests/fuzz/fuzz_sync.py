"""Cases of synchronisation: plans under the eyes of the oracle, and the oracle itself beside the plainest model."""

from __future__ import annotations

import random

from feature_checks import compiled
from feature_graphs import feature_graph
from ordered_frames import compile_frame
from part_frames import random_part_frame, random_part_graph
from plan_mutants import mutants, own_fault
from random_frames import random_frame
from rated_frames import random_rated_frame
from slow_model import Model
from test_oracle_model import found_in, random_stream

from render.compiler.snapshot import CompileOptions
from render.inspect.frames import frame_plans
from render.inspect.plan_stream import judge

ORDERS = ("balanced", "memory", "overlap", "declared")


def sync_case(seed: int) -> str:
    """A random plan is clean, of one ``graph`` or of frames with ``rates``; to a ``mutant`` the oracle objects."""
    rng = random.Random(seed)
    kind = rng.random()
    if kind < 0.6:
        order = rng.choice((*ORDERS, f"random:{seed}"))
        snapshot = feature_graph(seed, rng.randint(1, 24))
        plan = compiled(snapshot, CompileOptions(order=order, alias=rng.random() < 0.8))
        found = [one for one in judge(list(frame_plans(plan, 5))).findings if not own_fault(plan, one)]
        assert not found, "; ".join(map(str, found))[:2000]
        return "graph"
    if kind < 0.8:
        frame = random_rated_frame(seed, alias=rng.random() < 0.8)
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


def part_case(seed: int) -> str:
    """The same of textures used by mips and layers: a ``frame``, a ``graph`` on several queues, a ``mutant``."""
    rng = random.Random(seed)
    kind, alias, split = rng.random(), rng.random() < 0.8, rng.random() < 0.6
    if kind < 0.4:
        found = judge([compile_frame(random_part_frame(seed), alias=alias, split=split)] * 4).findings
        assert not found, str(found[0])
        return "frame"
    if kind < 0.8:
        queues = ("graphics", "compute") if rng.random() < 0.8 else ("graphics",)
        plan = compiled(random_part_graph(seed), CompileOptions(alias=alias, split_barriers=split, queues=queues))
        found = judge(list(frame_plans(plan, 5))).findings
        assert not found, str(found[0])
        return "graph"
    weaker = list(mutants(compile_frame(random_part_frame(seed, lasting=False), alias=alias, split=split)))
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

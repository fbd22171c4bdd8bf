"""Frames in which different nodes run, one after the other in any sequence, under the eyes of the judge of barriers."""

from __future__ import annotations

import random
from dataclasses import replace

from hazards import hazards_of_frames
from ordered_frames import Compiled, Frame, compile_frame, compute, fragment, without_nodes
from rated_frames import random_rated_frame

from renderwright.render.compiler.values.operations import BarrierOp, Op
from renderwright.render.graph.requests import Rate
from renderwright.render.types.usages import Usage

LENGTH = 6


def test_no_sequence_of_rated_frames_has_a_hazard() -> None:
    runs = 0
    for seed in range(105):
        rng = random.Random(seed)
        frame = random_rated_frame(seed, alias=seed % 5 != 0, unified=seed % 7 < 3, keep=seed % 7 < 2)
        if frame is None:
            continue
        carried = seed % 3 == 0
        frames = frame.sequence(rng, LENGTH, carried=carried)
        assert hazards_of_frames(frames, carried=carried) == [], f"seed {seed}"
        runs += 1
    assert runs > 52


def without_one_barrier(compiled: Compiled, odd: bool, rng: random.Random) -> tuple[Compiled, str] | None:
    ops: list[Op] = list(compiled.program.odd if odd else compiled.program.even)
    places = [(n, i) for n, op in enumerate(ops) if isinstance(op, BarrierOp) for i in range(len(op.barriers))]
    if not places:
        return None
    number, index = rng.choice(places)
    op = ops[number]
    assert isinstance(op, BarrierOp)
    ops[number] = BarrierOp(op.barriers[:index] + op.barriers[index + 1 :])
    change = {"odd": tuple(ops)} if odd else {"even": tuple(ops)}
    return replace(compiled, program=replace(compiled.program, **change)), str(op.barriers[index])


def test_a_barrier_missing_in_one_frame_is_noticed() -> None:
    """Frames in which all nodes run follow, so that it matters to someone."""
    rng = random.Random(5)
    missed = []
    tried = 0
    for seed in range(2000, 2080):
        frame = random_rated_frame(seed, unified=seed % 3 == 0, keep=seed % 6 == 0)
        if frame is None:
            continue
        frames = [*frame.sequence(rng, 3, carried=False), frame.whole, frame.whole, frame.whole]
        at = rng.choice([1, 2])
        mutant = without_one_barrier(frames[at], at % 2 == 1, rng)
        if mutant is None:
            continue
        tried += 1
        frames[at] = mutant[0]
        if not hazards_of_frames(frames):
            missed.append(f"seed {seed}: {mutant[1]}")
    assert tried > 40
    assert len(missed) <= 0.05 * tried, missed


def test_an_image_from_outside_does_not_rest_between_frames() -> None:
    """It may be another one in every frame, so nothing is known of its layout, even if the frame is made for it."""
    frame = Frame().texture("image", external=True).sink("image")
    frame.node("draw", fragment("image", Usage.COLOR)).node("look", compute("image", Usage.STORAGE_READ))
    graph = frame.graph()
    draw, look = graph.nodes
    look = replace(look, declaration=replace(look.declaration, rate=Rate(every=3)))
    whole = compile_frame(replace(graph, nodes=(draw, look)))
    frames = [whole, without_nodes(whole, frozenset({"look"})), whole, whole]
    assert hazards_of_frames(frames) == []

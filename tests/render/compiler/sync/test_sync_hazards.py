import random
from dataclasses import replace

from hazards import hazards
from ordered_frames import Compiled, compile_frame
from random_frames import random_frame

from renderwright.render.compiler.values.operations import BarrierOp, Op


def test_no_random_frame_has_a_hazard() -> None:
    for seed in range(120):
        compiled = compile_frame(random_frame(seed), alias=seed % 5 != 0, unified=seed % 3 == 0, keep=seed % 6 == 0)
        assert hazards(compiled) == [], f"seed {seed}"


def without_one_barrier(compiled: Compiled, rng: random.Random) -> tuple[Compiled, str] | None:
    """The frame with one barrier of one parity gone."""
    odd = rng.random() < 0.5
    ops: list[Op] = list(compiled.program.odd if odd else compiled.program.even)
    places = [
        (number, index)
        for number, op in enumerate(ops)
        if isinstance(op, BarrierOp)
        for index in range(len(op.barriers))
    ]
    if not places:
        return None
    number, index = rng.choice(places)
    op = ops[number]
    assert isinstance(op, BarrierOp)
    ops[number] = BarrierOp(op.barriers[:index] + op.barriers[index + 1 :])
    change = {"odd": tuple(ops)} if odd else {"even": tuple(ops)}
    return replace(compiled, program=replace(compiled.program, **change)), str(op.barriers[index])


def test_a_missing_barrier_is_noticed() -> None:
    rng = random.Random(11)
    missed = []
    tried = 0
    for seed in range(1000, 1060):
        mutant = without_one_barrier(compile_frame(random_frame(seed), unified=seed % 3 == 0, keep=seed % 6 == 0), rng)
        if mutant is None:
            continue
        tried += 1
        if not hazards(mutant[0]):
            missed.append(f"seed {seed}: {mutant[1]}")
    assert tried > 45
    assert len(missed) <= 0.05 * tried, missed

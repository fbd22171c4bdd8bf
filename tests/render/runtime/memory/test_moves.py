"""Contents that move within memory: none is overwritten before it has been read."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from renderwright.render.runtime.memory.moves import Hop, Move, in_order
from renderwright.render.runtime.memory.placed_cache import Span

HEAP: Any = SimpleNamespace(size=64, memory_class="textures")
OTHER: Any = SimpleNamespace(size=64, memory_class="textures")


def move(name: str, source: int, target: int, size: int, heap: Any = HEAP) -> Move:
    thing: Any = SimpleNamespace(name=name)
    return Move((name, 0), thing, thing, Span(HEAP, source, source + size), Span(heap, target, target + size))


def hops(*moves: Move) -> list[tuple[str, Hop]]:
    return [(step.key[0], hop) for step, hop in in_order(moves)]


def test_moves_that_do_not_meet_are_made_in_turn() -> None:
    assert hops(move("a", 0, 16, 8), move("b", 8, 32, 8)) == [("a", Hop.DIRECT), ("b", Hop.DIRECT)]


def test_a_move_waits_for_what_lies_at_its_target() -> None:
    assert hops(move("a", 0, 8, 8), move("b", 8, 16, 8)) == [("b", Hop.DIRECT), ("a", Hop.DIRECT)]


def test_two_that_change_places_take_a_step_aside() -> None:
    steps = hops(move("a", 0, 8, 8), move("b", 8, 0, 8))
    assert steps == [("a", Hop.ASIDE), ("b", Hop.DIRECT), ("a", Hop.BACK)]


def test_a_move_onto_a_part_of_itself_takes_a_step_aside() -> None:
    assert hops(move("a", 0, 4, 8)) == [("a", Hop.ASIDE), ("a", Hop.BACK)]
    assert hops(move("a", 0, 4, 8, OTHER)) == [("a", Hop.DIRECT)]


@pytest.mark.parametrize("seed", range(40))
def test_every_content_arrives(seed: int) -> None:
    """Plays the steps on bytes: random disjoint sources, random disjoint targets."""
    random_ = random.Random(seed)
    sizes = [random_.randint(1, 9) for _ in range(random_.randint(1, 7))]

    def places() -> list[int]:
        order = random_.sample(range(len(sizes)), len(sizes))
        at, found = 0, [0] * len(sizes)
        for number in order:
            at += random_.choice((0, 0, 1, 5))
            found[number] = at
            at += sizes[number]
        return found

    sources, targets = places(), places()
    moves = [move(str(n), sources[n], targets[n], size) for n, size in enumerate(sizes)]
    memory = bytearray(200)
    for number, size in enumerate(sizes):
        memory[sources[number] : sources[number] + size] = bytes([number + 1]) * size
    aside: dict[str, bytes] = {}
    steps = in_order(moves)
    for step, hop in steps:
        name = step.key[0]
        read = memory[step.source_span.start : step.source_span.end]
        if hop is Hop.ASIDE:
            aside[name] = bytes(read)
        else:
            memory[step.target_span.start : step.target_span.end] = aside[name] if hop is Hop.BACK else read
    for number, size in enumerate(sizes):
        assert memory[targets[number] : targets[number] + size] == bytes([number + 1]) * size
    assert len(steps) <= 2 * len(moves)

"""Orders moves of contents within memory so that nothing is overwritten before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from renderwright.render.runtime.memory.placed_cache import Span
from renderwright.render.runtime.memory.resources import CopyKey
from renderwright.render.types.physical import Physical


@dataclass(frozen=True)
class Move:
    """Contents that move from one place to another. Targets of different moves never overlap."""

    key: CopyKey
    source: Physical
    target: Physical
    source_span: Span
    target_span: Span


class Hop(Enum):
    """One step of a move."""

    DIRECT = "from the source to the target"
    ASIDE = "from the source to memory of its own"
    BACK = "from that memory to the target"


def in_order(moves: Sequence[Move]) -> list[tuple[Move, Hop]]:
    """The moves as a sequence of steps.

    A move waits until its target overlaps no source that is still needed. To break a cycle, which may be a single move
    that overlaps itself, one move steps aside into memory of its own.
    """
    waiting = list(moves)
    aside: set[CopyKey] = set()
    steps: list[tuple[Move, Hop]] = []
    while waiting:
        needed = [move.source_span for move in waiting if move.key not in aside]
        free = next((move for move in waiting if not any(move.target_span.overlaps(span) for span in needed)), None)
        if free is not None:
            waiting.remove(free)
            steps.append((free, Hop.BACK if free.key in aside else Hop.DIRECT))
        else:
            stuck = next(move for move in waiting if move.key not in aside)
            aside.add(stuck.key)
            steps.append((stuck, Hop.ASIDE))
    return steps

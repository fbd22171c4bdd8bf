"""The order in which contents move within memory, so that none is overwritten before it has been read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from renderwright.render.runtime.placed_cache import Span
from renderwright.render.runtime.resources import CopyKey
from renderwright.render.types.physical import Physical


@dataclass(frozen=True)
class Move:
    """Contents that go from one place to another. The targets of several moves never overlap one another."""

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
    """All moves in steps that may be done in turn.

    A move waits until no other move needs what lies at its target. Where moves wait for one another in a circle, or a
    move for itself, one of them steps aside.
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

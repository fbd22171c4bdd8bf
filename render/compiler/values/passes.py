"""``passes``' result: render passes with their attachments, and the state that nodes switch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from renderwright.render.compiler.diagnostics.merge_blockers import Obstacle, in_words
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.attachments import Attachment


class Pass(NamedTuple):
    """A run of nodes [first, last] in order. With attachments it is one render pass, else a plain stretch of commands.

    ``obstacle`` is why the pass before it could not take it in ('' when it took none, being first). How large it is, is
    no part of it (``Plan.extents``). All its nodes run on the ``queue``, and draw so many ``views`` at once.
    """

    first: int
    last: int
    attachments: tuple[Attachment, ...]
    obstacle: Obstacle = ""
    queue: str = GRAPHICS
    views: int = 1

    @property
    def alone(self) -> str:
        """The ``obstacle`` in words."""
        return in_words(self.obstacle)


@dataclass(frozen=True)
class StateChange:
    """The fixed-function state that node number ``node`` must switch, as (key, value) pairs that differ from before."""

    node: int
    changes: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class StatePlan:
    """Passes and state switches of a frame; ``saved`` counts the switches that neighbours made unnecessary."""

    passes: tuple[Pass, ...]
    changes: tuple[StateChange, ...]
    saved: int = 0

"""Prepared calls, the command buffers that they are recorded into, and submissions of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from renderwright.render.sync.queues import GRAPHICS


@dataclass(eq=False)
class OpList:
    """Prepared calls of one recorder, which do not change any more.

    ``keep`` owns the memory that the arguments point to. A list that is valid only ``once`` has to be recorded in each
    frame, although it is the same.
    """

    ops: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    keep: list[Any] = field(default_factory=list)
    once: bool = False


class CommandBuffer(Protocol):
    """The commands of a part of a frame, for one queue and one frame slot.

    It can be submitted in any number of frames of its slot before it is recorded anew. No state carries over to the
    next command buffer, so passes and labels end where they begin.
    """

    @property
    def queue(self) -> str:
        """The queue that it is submitted to."""


@dataclass(frozen=True)
class QueuedCommands:
    """One submission to a queue. It begins when the submissions of the frame with numbers ``waits`` have finished.

    Cross-frame work may continue beside the next frame: ``cross_frame`` is its number, -1 for work that ends with the
    frame. ``continuing`` is the cross-frame work of the previous frame that the frame's first graphics submission does
    not wait for; submissions that have to wait for it name it in ``cross_frame_waits``.
    """

    commands: tuple[CommandBuffer, ...]
    queue: str = GRAPHICS
    waits: tuple[int, ...] = ()
    cross_frame: int = -1
    cross_frame_waits: tuple[int, ...] = ()
    continuing: frozenset[int] = frozenset()


def same_lists(before: list[OpList], now: list[OpList]) -> bool:
    """Whether a command buffer that ``before`` was recorded into can be submitted in place of one with ``now``."""
    return before == now and not any(one.once for one in now)

"""Submissions of lists that are recorded for one frame. Every test may import this."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.command_buffers import OpList, QueuedCommands
from renderwright.render.backend.protocol import Backend
from renderwright.render.sync.queues import GRAPHICS


def once(backend: Backend, slot: int, lists: Sequence[OpList], queue: str = GRAPHICS) -> QueuedCommands:
    """A submission of a new command buffer with these lists."""
    commands = backend.create_commands(slot, queue, "test")
    backend.record(commands, lists)
    return QueuedCommands((commands,), queue)

"""What running out of device memory means, and its messages."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from renderwright.render.backend.command_buffers import CommandBuffer, OpList
from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.errors import OutOfMemoryError

log = logging.getLogger("renderwright.runtime")

_NAMED = 5
_MIB = 2**20


def explained(error: OutOfMemoryError, placement: Placement) -> OutOfMemoryError:
    """The error with the size of the plan's heaps and its largest resources."""
    heaps = sum(heap.size for heap in placement.heaps)
    owners = sorted((item for item in placement.resources if item.copies), key=lambda item: (-item.size, item.id))
    largest = ", ".join(f"{item.id} {item.size / _MIB:.1f} MiB" for item in owners[:_NAMED])
    return OutOfMemoryError(
        f"{error.message}; all heaps of the plan take {heaps / _MIB:.1f} MiB, its largest resources are {largest}",
        hint="make these smaller (a lower resolution, another format, fewer layers or samples), switch a plugin off, "
        "or close other programs on this device",
        where=error.where,
    )


class HopelessError(OutOfMemoryError):
    """A frame cannot be recorded or submitted even after all retries: no later frame can be either."""

    def __init__(self, error: OutOfMemoryError) -> None:
        super().__init__(
            f"no memory is left to run a frame: {error.message}",
            hint="close other programs on this device, or play at a lower resolution or with fewer plugins",
        )


def record(backend: Backend, commands: CommandBuffer, lists: Sequence[OpList]) -> None:
    """Record a command buffer. Raises ``HopelessError``."""
    try:
        backend.record(commands, lists)
    except OutOfMemoryError as error:
        raise HopelessError(error) from error


class OutOfMemoryLog:
    """Logs the consequence of a failed allocation once, not at every retry."""

    def __init__(self, first_frame: int) -> None:
        self._first_frame = first_frame
        self._said = ""

    def tell(self, consequence: str, error: OutOfMemoryError) -> None:
        """Log the consequence unless it was the last one logged."""
        if consequence != self._said:
            log.error("%s: %s", consequence, error)
        self._said = consequence

    def frame(self, frame: int, error: OutOfMemoryError) -> None:
        """Log that a frame is dropped. Raises the error for the first frame: there is no earlier state to return to."""
        if frame == self._first_frame:
            raise error
        self.tell("a frame is dropped", error)

    def over(self) -> None:
        """The retry has succeeded; log the next failure again."""
        self._said = ""

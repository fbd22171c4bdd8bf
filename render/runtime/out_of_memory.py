"""What a person is told when the device's memory is used up."""

from __future__ import annotations

import logging

from renderwright.render.compiler.values.placement import Placement
from renderwright.render.errors import OutOfMemoryError

log = logging.getLogger("renderwright.runtime")

_NAMED = 5
_MIB = 2**20


def explained(error: OutOfMemoryError, placement: Placement) -> OutOfMemoryError:
    """The error with what the plan needs, and with its largest resources."""
    heaps = sum(heap.size for heap in placement.heaps)
    owners = sorted((item for item in placement.resources if item.copies), key=lambda item: (-item.size, item.id))
    largest = ", ".join(f"{item.id} {item.size / _MIB:.1f} MiB" for item in owners[:_NAMED])
    return OutOfMemoryError(
        f"{error.message}; all heaps of the plan take {heaps / _MIB:.1f} MiB, its largest resources are {largest}",
        hint="make these smaller (a lower resolution, another format, fewer layers or samples), switch a plugin off, "
        "or close other programs on this device",
        where=error.where,
    )


def hopeless(error: OutOfMemoryError) -> OutOfMemoryError:
    """The error when a frame that is ready cannot be submitted, though all that could be freed was: no other can."""
    return OutOfMemoryError(
        f"no memory is left to run a frame: {error.message}",
        hint="close other programs on this device, or play at a lower resolution or with fewer plugins",
    )


class Shortage:
    """Says what a lack of memory means: once, not in every frame in which what failed is tried again."""

    def __init__(self, first_frame: int) -> None:
        self._first_frame = first_frame
        self._said = ""

    def tell(self, consequence: str, error: OutOfMemoryError) -> None:
        """Log it if it is news."""
        if consequence != self._said:
            log.error("%s: %s", consequence, error)
        self._said = consequence

    def frame(self, frame: int, error: OutOfMemoryError) -> None:
        """A frame could not be made. Raises the error if it was the first one: then there is nothing to go on with."""
        if frame == self._first_frame:
            raise error
        self.tell("a frame is left out", error)

    def over(self) -> None:
        """What failed has succeeded."""
        self._said = ""

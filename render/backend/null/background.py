"""Work that spans frames, as text."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.null.commands import NullCommands
from renderwright.render.backend.null.recorder import NullRecorder
from renderwright.render.backend.null.resources import NullObject
from renderwright.render.backend.protocol import QueuedLists
from renderwright.render.sync.queues import GRAPHICS


class NullBackground(NullObject):
    """Implements ``BackgroundWork``. Submitted slices finish at once, unless tests set ``held``."""

    kind = "work"

    def __init__(self, log: list[str]) -> None:
        super().__init__("background")
        self.held = False
        self._log = log
        self._buffers: dict[tuple[int, int], tuple[NullCommands, NullRecorder]] = {}
        self._submitted = 0

    def _buffer(self, slot: int, number: int) -> tuple[NullCommands, NullRecorder]:
        if (slot, number) not in self._buffers:
            commands = NullCommands(slot, GRAPHICS, {}, self._log)
            self._buffers[slot, number] = commands, NullRecorder(commands)
        return self._buffers[slot, number]

    def recorder(self, slot: int, buffer: int = 0) -> NullRecorder:
        """The recorder of a command buffer."""
        return self._buffer(slot, buffer)[1]

    def begin(self, slot: int) -> None:
        """Begin a run."""
        self._submitted = 0

    def record(self, slot: int, slices: Sequence[QueuedLists]) -> None:
        """Log the number of slices; ``submit`` plays them."""
        self._log.append(f"background work in {len(slices)} slices")

    def submit(self, slot: int, slices: Sequence[QueuedLists]) -> None:
        """Play the slices that have not been submitted yet."""
        for number in range(self._submitted, len(slices)):
            self._log.append(f" slice {number}")
            self._buffer(slot, slices[number].buffer)[0].play(slices[number].lists)
            self._submitted = number + 1

    def finished(self) -> bool:
        """Whether the work is not held."""
        return not self.held

    def wait(self) -> None:
        """Finish: clear ``held``."""
        self.held = False

    def publish(self) -> None:
        """Log that the results are visible."""
        self._log.append("background work is there")

"""Work that spans frames, as text."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.null.commands import NullCommands
from renderwright.render.backend.null.recorder import NullRecorder
from renderwright.render.backend.null.resources import NullCommandBuffer, NullObject
from renderwright.render.sync.queues import GRAPHICS


class NullBackground(NullObject):
    """Implements ``BackgroundWork``; its command buffers join the backend's ``objects``.

    Submitted slices finish at once, unless tests set ``held``.
    """

    kind = "work"

    def __init__(self, log: list[str], objects: list[NullObject] | None = None) -> None:
        super().__init__("background")
        self.held = False
        self._log = log
        self._objects = objects if objects is not None else []
        self._slots: dict[int, tuple[NullCommands, NullRecorder]] = {}
        self._submitted = 0

    def _slot(self, slot: int) -> tuple[NullCommands, NullRecorder]:
        if slot not in self._slots:
            commands = NullCommands(slot, GRAPHICS, {}, self._log)
            self._slots[slot] = commands, NullRecorder(commands)
        return self._slots[slot]

    def recorder(self, slot: int) -> NullRecorder:
        """The recorder of a slot."""
        return self._slot(slot)[1]

    def create_commands(self, slot: int, name: str) -> NullCommandBuffer:
        """An empty command buffer of a slot."""
        made = NullCommandBuffer(slot, GRAPHICS, name)
        self._objects.append(made)
        return made

    def begin(self, slot: int) -> None:
        """Begin a run."""
        self._submitted = 0

    def follow_frames(self) -> None:
        """Log the begin of the run; ``submit`` plays it."""
        self._log.append("background work")

    def submit(self, slot: int, slices: Sequence[QueuedCommands]) -> None:
        """Play the slices that have not been submitted yet."""
        for number in range(self._submitted, len(slices)):
            self._log.append(f" slice {number}")
            for buffer in slices[number].commands:
                self._slot(slot)[0].play_buffer(buffer)
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

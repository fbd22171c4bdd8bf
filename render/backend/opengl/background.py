"""Work that spans frames: slices are issued between frames, on the one context."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.opengl.commands import Commands
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.frames import FrameSlot, GLCommandBuffer
from renderwright.render.backend.opengl.recorder import GLRecorder
from renderwright.render.backend.opengl.timeline import FenceTimeline
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.backend.timeline import Retirement


class GLBackground:
    """Implements ``BackgroundWork``. ``keep`` is called with each command buffer, ``record`` makes a recorder."""

    def __init__(
        self,
        device: Device,
        commands: Commands,
        retirement: Retirement,
        keep: Callable[[GLCommandBuffer], GLCommandBuffer],
        record: Callable[[], GLRecorder],
    ) -> None:
        self._device = device
        self._keep = keep
        self._record = record
        self._retirement = retirement
        self._timeline = FenceTimeline(device)
        retirement.watch(self._timeline)
        self._slots = [FrameSlot(device, commands, self._timeline, timed=False) for _ in range(FRAMES_IN_FLIGHT)]
        self._recorders: dict[int, GLRecorder] = {}

    def recorder(self, slot: int) -> GLRecorder:
        """The recorder of a slot; it omits timestamps."""
        if slot not in self._recorders:
            self._recorders[slot] = self._record()
        return self._recorders[slot]

    def create_commands(self, slot: int, name: str) -> GLCommandBuffer:
        """An empty command buffer of a slot."""
        return self._keep(GLCommandBuffer(name))

    def begin(self, slot: int) -> None:
        """Begin a run; the slot's previous run must be finished."""
        self._device.context.enter()
        self._slots[slot].begin()

    def follow_frames(self) -> None:
        """Do nothing: the context executes all commands in order."""

    def submit(self, slot: int, slices: Sequence[QueuedCommands]) -> None:
        """Issue the slices that have not been issued yet."""
        self._device.context.enter()
        self._slots[slot].submit(slices)

    def finished(self) -> bool:
        """Whether all submitted slices have finished."""
        self._device.context.enter()
        return self._timeline.completed() >= self._timeline.submitted

    def wait(self) -> None:
        """Wait (bounded) until all submitted slices have finished."""
        self._device.context.enter()
        self._timeline.wait(self._timeline.submitted)

    def publish(self) -> None:
        """Do nothing: commands issued from now on see the results."""

    def release(self) -> None:
        """Delete everything."""
        self._retirement.ignore(self._timeline)
        for slot in self._slots:
            slot.release()
        self._timeline.release()

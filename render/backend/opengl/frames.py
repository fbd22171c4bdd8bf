"""Frame slots and their command buffers."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.command_buffers import OpList, QueuedCommands
from renderwright.render.backend.opengl.commands import Commands
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check, check_alive
from renderwright.render.backend.opengl.queries import SlotQueries
from renderwright.render.backend.opengl.timeline import FenceTimeline
from renderwright.render.errors import BackendError
from renderwright.render.sync.queues import GRAPHICS


class GLCommandBuffer:
    """The lists that it was recorded from, whose calls are issued at each submission."""

    queue = GRAPHICS

    def __init__(self, name: str) -> None:
        self.name = name
        self.lists: Sequence[OpList] | None = None

    def release(self) -> None:
        """Forget the lists."""
        self.lists = None


class FrameSlot:
    """One of the frames in flight: where it ends on the timeline, and its queries (None where none are taken)."""

    def __init__(self, device: Device, commands: Commands, timeline: FenceTimeline, *, timed: bool) -> None:
        self._device = device
        self._commands = commands
        self._timeline = timeline
        self._submitted = 0
        self._played = 0
        self.queries = SlotQueries(device) if timed else None

    def begin(self) -> None:
        """Wait until the device has finished the slot's last frame, and begin a new one.

        The last frame's timestamps stay until the new one is submitted.
        """
        self._timeline.wait(self._submitted)
        check_alive(self._device.api)
        self._played = 0

    def submit(self, submissions: Sequence[QueuedCommands]) -> None:
        """Issue the submissions that have not been issued since ``begin``, in their order, and a fence."""
        if self._played == 0 and self.queries is not None:
            self.queries.reset()
        for submission in submissions[self._played :]:
            for buffer in submission.commands:
                assert isinstance(buffer, GLCommandBuffer)
                if buffer.lists is None:
                    raise BackendError(f'"{buffer.name}" is submitted before it was recorded', hint="call record first")
                self._commands.play(buffer.lists)
        self._played = len(submissions)
        check(self._device.api, "submit a frame")
        self._submitted = self._timeline.signal()

    def timestamps(self) -> Sequence[int]:
        """Nanoseconds by query number, of the last finished frame."""
        if self.queries is None or self._timeline.completed() < self._submitted:
            return ()
        return self.queries.times()

    def passed(self) -> Sequence[bool]:
        """For each query, whether the device has passed it."""
        return () if self.queries is None else self.queries.passed()

    def release(self) -> None:
        """Delete the queries."""
        if self.queries is not None:
            self.queries.release()

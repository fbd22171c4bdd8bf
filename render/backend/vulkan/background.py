"""Work that spans frames: command buffers, events and a timeline of its own, on a queue that frames do not wait for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.backend.queue_waits import QueueWaits
from renderwright.render.backend.timeline import Retirement
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.frames import FrameSlot, SlotCommands
from renderwright.render.backend.vulkan.queues import Queue
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.sync.queues import COMPUTE, GRAPHICS


class VulkanBackground:
    """Implements ``BackgroundWork``.

    ``keep`` is called with each command buffer. If the device has a spare queue, slices run on it at the lowest
    priority beside the frames; else they run between frames.
    """

    def __init__(
        self,
        device: Device,
        graphics: Queue,
        retirement: Retirement,
        keep: Callable[[SlotCommands], SlotCommands],
        *,
        compute: bool,
    ) -> None:
        self._device = device
        self._keep = keep
        self._graphics = graphics
        self._retirement = retirement
        with ExitStack() as parts:
            self._queue = Queue(device, f"spare {COMPUTE if compute else GRAPHICS}")
            parts.callback(self._queue.release)
            self._slots: list[FrameSlot] = []
            for number in range(FRAMES_IN_FLIGHT):
                # Recorded lists know a single queue, which they call the graphics queue.
                slot = FrameSlot(device, {GRAPHICS: self._queue}, QueueWaits([GRAPHICS]), FRAMES_IN_FLIGHT + number)
                parts.callback(slot.release)
                self._slots.append(slot)
            self._parts = parts.pop_all()
        retirement.watch(self._queue.timeline)
        self._recorders: dict[int, VulkanRecorder] = {}

    def recorder(self, slot: int) -> VulkanRecorder:
        """The recorder of a slot; it omits timestamps."""
        if slot not in self._recorders:
            self._recorders[slot] = VulkanRecorder(self._device, self._slots[slot], GRAPHICS, timed=False)
        return self._recorders[slot]

    def create_commands(self, slot: int, name: str) -> SlotCommands:
        """An empty command buffer of a slot."""
        return self._keep(self._slots[slot].create_commands(GRAPHICS, name))

    def begin(self, slot: int) -> None:
        """Begin a run; the slot's previous run must be finished."""
        self._slots[slot].begin()

    def follow_frames(self) -> None:
        """Let the run begin when the work submitted to the graphics queue so far has finished."""
        self._queue.submit((), [(self._graphics.timeline, self._graphics.timeline.submitted)])

    def submit(self, slot: int, slices: Sequence[QueuedCommands]) -> None:
        """Submit the slices that have not been submitted yet."""
        self._slots[slot].submit(slices)

    def finished(self) -> bool:
        """Whether all submitted slices have finished."""
        return self._queue.timeline.completed() >= self._queue.timeline.submitted

    def wait(self) -> None:
        """Wait (bounded) until all submitted slices have finished."""
        self._queue.timeline.wait(self._queue.timeline.submitted)

    def publish(self) -> None:
        """Make finished results visible to all frames submitted from now on."""
        self._graphics.submit((), [(self._queue.timeline, self._queue.timeline.submitted)])

    def release(self) -> None:
        """Destroy everything; the device must not be using it."""
        self._retirement.ignore(self._queue.timeline)
        self._parts.close()

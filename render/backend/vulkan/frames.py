"""Frame slots, with command buffers, events and timestamp queries of their own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from renderwright.render.backend.command_buffers import OpList, QueuedCommands
from renderwright.render.backend.queue_waits import QueueWaits
from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.commands import CommandPool, VulkanCommandBuffer
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.events import SlotEvents
from renderwright.render.backend.vulkan.marks import SlotMarks
from renderwright.render.backend.vulkan.queries import SlotQueries
from renderwright.render.backend.vulkan.queues import Queues
from renderwright.render.sync.queues import GRAPHICS


class SlotCommands(VulkanCommandBuffer):
    """A command buffer of a frame slot."""

    def __init__(self, pool: CommandPool, queue: str, name: str, marks: SlotMarks) -> None:
        super().__init__(pool, queue, name)
        self._marks = marks

    def record(self, lists: Sequence[OpList]) -> None:
        """Replace the contents. The device must have finished the slot's last frame."""
        buffer = self.begin()
        self._marks.begin_buffer(buffer)
        for oplist in lists:
            for function, arguments in oplist.ops:
                function(buffer, *arguments)
        self.end()


class FrameSlot:
    """The device objects of one of the frames in flight. All slots share ``waits``, the queues' timeline values."""

    def __init__(self, device: Device, queues: Queues, waits: QueueWaits, number: int) -> None:
        self._queues = queues
        self._waits = waits
        self._pools: dict[str, CommandPool] = {}
        self._submitted = dict.fromkeys(queues, 0)
        with ExitStack() as parts:
            for name, queue in queues.items():
                self._pools[name] = CommandPool(device, queue, f"{name} commands of frame slot {number}")
                parts.callback(self._pools[name].release)
            self.queries = SlotQueries(device, number)
            parts.callback(self.queries.release)
            self.marks = SlotMarks(device, self.queries, number)
            parts.callback(self.marks.release)
            device.progress.watch(self.marks.count)
            parts.callback(device.progress.ignore, self.marks.count)
            self.events = SlotEvents(device, number)
            parts.callback(self.events.release)
            self._parts = parts.pop_all()
        self._values: list[int] = []
        self._entered = False

    def create_commands(self, queue: str, name: str) -> SlotCommands:
        """An empty command buffer for one of the queues."""
        return SlotCommands(self._pools[queue], queue, name, self.marks)

    def begin(self) -> None:
        """Wait until all queues have finished the slot's last frame, and begin a new one."""
        for name, queue in self._queues.items():
            queue.timeline.wait(self._submitted[name])
        self.events.reset()
        self._values, self._entered = [], False

    def submit(self, submissions: Sequence[QueuedCommands], acquired: CData = NULL, shown: CData = NULL) -> None:
        """Submit command buffers. A retry after running out of memory continues with the first unsubmitted one.

        The first submission to the graphics queue waits for the binary semaphore ``acquired``, the last one signals
        ``shown`` (either may be null).
        """
        if not self._entered:
            self._entered = True
            self._waits.begin_frame({name: queue.timeline.submitted for name, queue in self._queues.items()})
            self.queries.reset()
            self.marks.reset()
        graphics = [number for number, submission in enumerate(submissions) if submission.queue == GRAPHICS]
        for number in range(len(self._values), len(submissions)):
            submission = submissions[number]
            others = [(submissions[other].queue, self._values[other]) for other in submission.waits]
            waits = self._waits.of(submission.queue, others, submission.cross_frame_waits, submission.continuing)
            queue = self._queues[submission.queue]
            value = queue.submit(
                submission.commands,
                [(self._queues[name].timeline, reached) for name, reached in waits.values],
                acquired if number == graphics[0] else NULL,
                shown if number == graphics[-1] else NULL,
            )
            self._waits.note(submission.queue, value, waits, submission.cross_frame)
            self._values.append(value)
            self._submitted[submission.queue] = value
            self.queries.uncollected = True

    def timestamps(self) -> list[int]:
        """Nanoseconds by query number, of the last finished frame; 0 where the frame wrote none."""
        if self.queries.uncollected and self._finished():
            if self.queries.wait:
                for queue in self._queues.values():
                    queue.timeline.wait(queue.timeline.submitted)
            self.queries.collect()
        return self.queries.times

    def _finished(self) -> bool:
        """Whether the device has finished the slot's last frame."""
        return all(queue.timeline.completed() >= self._submitted[name] for name, queue in self._queues.items())

    def release(self) -> None:
        """Destroy the slot's objects."""
        self._parts.close()

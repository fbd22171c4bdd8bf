"""The queues and timelines of a plan's stream: the semaphore waits of each submission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from renderwright.render.compiler.values.operations import Submission
from renderwright.render.sync.oracle import stream as s
from renderwright.render.sync.oracle.names import ALL_COMMANDS
from renderwright.render.sync.queues import COMPUTE, COPY, GRAPHICS

FAMILIES = {GRAPHICS: 0, COMPUTE: 1, COPY: 2}
"""A family for each queue class, so that queue family ownership matters."""


class PlanQueues:
    """A timeline semaphore for each queue, whose value increases by one with every submission.

    The first submission of each queue in a frame waits for the previous frame's submissions of the other queues. The
    graphics queue does not wait for the cross-frame work at the end of a queue's previous frame. It waits for it at the
    wait point that the plan states, or in the frame after.
    """

    def __init__(self, programs: Sequence[Sequence[Submission]]) -> None:
        used = {GRAPHICS, *(item.queue for program in programs for item in program)}
        self.queues = tuple(s.Queue(name, family) for name, family in FAMILIES.items() if name in used)
        self._values = {queue.name: 0 for queue in self.queues}
        self._before = dict(self._values)
        self._begun: set[str] = set()
        self._signalled: list[tuple[str, int]] = []
        self._cross_frame: list[tuple[str, int, int]] = []
        self._cross_frame_before: list[tuple[str, int, int]] = []

    def timelines(self) -> Iterator[str]:
        """The ids of the timelines."""
        return (_timeline(queue.name) for queue in self.queues)

    def begin_frame(self) -> None:
        """Begin a frame: all submissions so far belong to the previous frame."""
        self._before = dict(self._values)
        self._begun = set()
        self._signalled = []
        self._cross_frame_before, self._cross_frame = self._cross_frame, []

    def submit(self, submission: Submission) -> tuple[tuple[s.Wait, ...], s.Wait]:
        """Submit: returns the waits and the signal of the frame's next submission."""
        queue, values = submission.queue, dict[str, int]()
        if queue not in self._begun:
            self._begun.add(queue)
            before = self._due() if queue == GRAPHICS else self._before
            values = {name: value for name, value in before.items() if name != queue and value}
        for name, value, work in self._cross_frame_before:
            if work in submission.cross_frame_waits:
                values[name] = max(value, values.get(name, 0))
        for number in submission.waits:
            name, value = self._signalled[number]
            values[name] = max(value, values.get(name, 0))
        self._values[queue] += 1
        self._signalled.append((queue, self._values[queue]))
        if submission.cross_frame >= 0:
            self._cross_frame.append((queue, self._values[queue], submission.cross_frame))
        waited = tuple(s.Wait(_timeline(name), value, ALL_COMMANDS) for name, value in values.items())
        return waited, s.Wait(_timeline(queue), self._values[queue], ALL_COMMANDS)

    def _due(self) -> dict[str, int]:
        """The timeline values before the frame, without cross-frame work at their ends."""
        before = dict(self._before)
        for name, value, _ in reversed(self._cross_frame_before):
            if before[name] == value:
                before[name] = value - 1
        return before

    def reached(self) -> Iterator[tuple[str, int]]:
        """The timelines with their values after all submissions."""
        return ((_timeline(name), value) for name, value in self._values.items() if value)


def _timeline(queue: str) -> str:
    return f"{queue} timeline"

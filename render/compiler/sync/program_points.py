"""Program points: the positions at which barriers can stand, numbered through a frame and on into the next."""

from __future__ import annotations

from renderwright.render.compiler.values.passes import PassPlan
from renderwright.render.sync.derive import point_behind_clear
from renderwright.render.sync.queues import GRAPHICS

PER_PASS = 3
"""Three points a pass: in front of it, behind its clear commands, and behind it."""

_BEHIND = 2


def in_front_of(number: int, *, cleared: bool = False) -> int:
    """The point in front of a pass, or behind its clear commands if it is ``cleared``."""
    point = PER_PASS * number
    return point_behind_clear(point) if cleared else point


def behind(number: int) -> int:
    """The point behind a pass."""
    return PER_PASS * number + _BEHIND


def is_behind(point: int) -> bool:
    """Whether a point is behind its pass."""
    return point % PER_PASS == _BEHIND


def pass_of(point: int) -> int:
    """The number of the pass that a point belongs to; the next frame goes on counting."""
    return point // PER_PASS


class ProgramPoints:
    """The program points of a frame of ``length`` points.

    The ``end`` of the frame counts as one more pass, on the graphics queue. Points of the next frame go on counting,
    those of the frame before are negative.
    """

    def __init__(self, pass_plan: PassPlan) -> None:
        self.end = in_front_of(len(pass_plan.passes))
        self.length = self.end + PER_PASS
        self.of_nodes = [
            in_front_of(number)
            for number, item in enumerate(pass_plan.passes)
            for _ in range(item.first, item.last + 1)
        ]
        self._queues = [*[item.queue for item in pass_plan.passes], GRAPHICS]
        self.several_queues = len(set(self._queues[:-1])) > 1

    def frame(self, point: int) -> int:
        """The frame of a point: 0 is the resource's own frame, 1 the next one."""
        return point // self.length

    def end_behind(self, last: int) -> int:
        """The point at the frame's end, or the next one if the ``last`` access is at the end itself: a clear command
        or a presentation."""
        return max(self.end, last + 1)

    def within(self, point: int) -> int:
        """The same point counted from the beginning of its frame."""
        return point % self.length

    def queue(self, point: int) -> str:
        """The queue of a point."""
        return self._queues[pass_of(self.within(point))]

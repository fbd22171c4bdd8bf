"""The places at which barriers can stand, numbered through the frame and on into the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.sync.queues import GRAPHICS


class Clock:
    """Numbers the places for barriers: two in front of each pass, since what waits for a clear command comes after it,
    and the same behind the last pass. The next frame goes on counting."""

    def __init__(self, state: StatePlan) -> None:
        self.end = 2 * len(state.passes)
        self.length = self.end + 2
        lengths = [item.last + 1 - item.first for item in state.passes]
        self._places = list(chain.from_iterable(map(repeat, range(0, self.end, 2), lengths)))
        queues = [item.queue for item in state.passes]
        self._queues = [*queues, GRAPHICS]
        self.several = len(set(queues)) > 1

    def places(self) -> Sequence[int]:
        """The place in front of each node's pass."""
        return self._places

    def frame(self, place: int) -> int:
        """In which frame, counted from the resource's own, the place is."""
        return place // self.length

    def queue(self, place: int) -> str:
        """The queue that the place is on; the end of a frame is on the graphics queue."""
        return self._queues[place % self.length // 2]

    def queues(self, places: Sequence[int]) -> tuple[str, ...]:
        """The queues of a life's steps at these places; those of a frame with a single queue count as graphics."""
        return tuple(map(self.queue, places)) if self.several else (GRAPHICS,) * len(places)

    def number(self, place: int) -> int:
        """The number of the pass that the place is in front of."""
        return place % self.length // 2

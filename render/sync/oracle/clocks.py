"""Who is ordered after whom: one vector clock for each stage of each queue.

A clock says, for every stage of every queue, before which position all commands have left that stage. That is enough,
because a barrier's first scope holds everything earlier on its queue: what is ordered is always a prefix. A chain of
barriers is the union of clocks; structs of one barrier do not chain, since all of them look at the clocks before it.
"""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.sync.oracle.names import ALL_COMMANDS, STAGES, bits, blocked, split, waited

Clock = dict[int, int]
"""By key (queue and stage): all commands before that position."""

BARRIERS = 60
"""A stage of its own, which only a semaphore that waits for everything counts: all barriers and layout changes."""
EVENTS = 61
"""A stage of its own: where events are set and reset. Only ALL_COMMANDS holds it."""
DISPLAY = 62
"""The stage of the display's own queue."""
SUBMITS = 59
"""A stage of its own: everything on a queue comes after what its last submission came after."""

_NOTHING: Clock = {}


def key(queue: int, bit: int) -> int:
    """The key of a stage of a queue in a clock."""
    return queue << 6 | bit


def merge(clock: Clock, other: Mapping[int, int]) -> None:
    """Let ``clock`` know what ``other`` knows."""
    for name, position in other.items():
        if clock.get(name, 0) < position:
            clock[name] = position


class Order:
    """The clocks of all queues."""

    def __init__(self, queues: int) -> None:
        self._after: list[dict[int, Clock]] = [{} for _ in range(queues)]
        self._submitted: list[Clock] = [{} for _ in range(queues)]

    def at(self, queue: int, bit: int) -> Clock:
        """What a command issued now finds finished when it comes to that stage."""
        return self._after[queue].get(bit, _NOTHING)

    def before(self, queue: int, stages: int, position: int) -> Clock:
        """What a dependency with these source stages waits for when it is issued at that position."""
        clock = dict(self._submitted[queue])
        for bit in bits(waited(stages)):
            clock[key(queue, bit)] = position
        for bit in bits(split(stages, source=True)):
            merge(clock, self.at(queue, bit))
        if stages & (ALL_COMMANDS | STAGES["BOTTOM_OF_PIPE"]):
            clock[key(queue, EVENTS)] = position
            merge(clock, self.at(queue, EVENTS))
        return clock

    def submitted(self, queue: int, position: int, clock: Clock) -> None:
        """All that is submitted to a queue from that position on comes after what the host knows to be finished."""
        known = self._submitted[queue]
        merge(known, clock)
        known[key(queue, SUBMITS)] = position + 1
        self.after(queue, ALL_COMMANDS, known)

    def after(self, queue: int, stages: int, clock: Clock) -> None:
        """Hold the destination stages of everything later until what the clock says is finished."""
        waiting = self._after[queue]
        for bit in bits(blocked(stages)):
            merge(waiting.setdefault(bit, {}), clock)
        if stages & (ALL_COMMANDS | STAGES["TOP_OF_PIPE"]):
            merge(waiting.setdefault(EVENTS, {}), clock)

"""Execution order: a vector clock for each stage of each queue.

A clock has, for every stage of every queue, the position before which all commands have left that stage. This is
sufficient, because a barrier's first synchronisation scope contains all earlier commands of its queue, so the ordered
commands are always a prefix. A dependency chain is the union of clocks. The structs of one barrier do not chain,
because all of them read the clocks before it.
"""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.sync.oracle.names import (
    ALL_COMMANDS,
    STAGES,
    bits,
    destination_scope_stages,
    source_scope_stages,
    split,
)

Clock = dict[int, int]
"""By key (queue and stage): all commands before that position."""

BARRIERS = 60
"""A pseudo-stage of all barriers and layout changes; only a semaphore that waits for all commands includes it."""
EVENTS = 61
"""A pseudo-stage in which events are set and reset. Only ALL_COMMANDS includes it."""
DISPLAY = 62
"""The stage of the display's own queue."""
SUBMITS = 59
"""A pseudo-stage: all commands of a queue come after the predecessors of its last submission."""

_NOTHING: Clock = {}


def key(queue: int, bit: int) -> int:
    """The key of a stage of a queue in a clock."""
    return queue << 6 | bit


def merge(clock: Clock, other: Mapping[int, int]) -> None:
    """Merges ``other`` into ``clock``: the maximum of each entry."""
    for name, position in other.items():
        if clock.get(name, 0) < position:
            clock[name] = position


class Order:
    """The clocks of all queues."""

    def __init__(self, queues: int) -> None:
        self._after: list[dict[int, Clock]] = [{} for _ in range(queues)]
        self._submitted: list[Clock] = [{} for _ in range(queues)]

    def at(self, queue: int, bit: int) -> Clock:
        """The clock of a command issued now when it reaches that stage."""
        return self._after[queue].get(bit, _NOTHING)

    def before(self, queue: int, stages: int, position: int) -> Clock:
        """The clock that a dependency with these source stages waits for if issued at that position."""
        clock = dict(self._submitted[queue])
        for bit in bits(source_scope_stages(stages)):
            clock[key(queue, bit)] = position
        for bit in bits(split(stages, source=True)):
            merge(clock, self.at(queue, bit))
        if stages & (ALL_COMMANDS | STAGES["BOTTOM_OF_PIPE"]):
            clock[key(queue, EVENTS)] = position
            merge(clock, self.at(queue, EVENTS))
        return clock

    def submitted(self, queue: int, position: int, clock: Clock) -> None:
        """Orders all commands of a queue from that position on after the host's clock."""
        known = self._submitted[queue]
        merge(known, clock)
        known[key(queue, SUBMITS)] = position + 1
        self.after(queue, ALL_COMMANDS, known)

    def after(self, queue: int, stages: int, clock: Clock) -> None:
        """Orders the destination stages of all later commands after the clock."""
        waiting = self._after[queue]
        for bit in bits(destination_scope_stages(stages)):
            merge(waiting.setdefault(bit, {}), clock)
        if stages & (ALL_COMMANDS | STAGES["TOP_OF_PIPE"]):
            merge(waiting.setdefault(EVENTS, {}), clock)

"""What each node knows to have finished on other queues: a vector clock, and the fewest waits that give it.

Source: C. J. Fidge, Timestamps in message-passing systems that preserve the partial ordering, 1988; F. Mattern, Virtual
time and global states of distributed systems, 1989.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.queues.dependencies import Group
from renderwright.render.sync.queues import GRAPHICS

Clock = dict[str, int]
"""By queue, how many of its nodes have finished."""


@dataclass(frozen=True)
class Waits:
    """By node number: the nodes of other queues waited for, and the slots during which the node may be running."""

    waits: tuple[tuple[int, ...], ...]
    windows: tuple[tuple[int, int], ...]


def waits_of(queues: Sequence[str], groups: Sequence[Group], silent: Set[int] = frozenset()) -> Waits:
    """The waits of nodes that run in order of number on their queues.

    The ``silent`` ones record nothing: whoever comes after one waits for what that one came after.
    Waiting for a node is waiting for all before it on its queue and for all that these waited for, so only what is not
    implied is waited for. All queues begin a frame together and end it together.
    """
    places, members = _places(queues)
    needed = _needed(queues, groups, silent)
    clocks: list[Clock] = []
    latest: dict[str, Clock] = {queue: {} for queue in members}
    waits: list[tuple[int, ...]] = []
    for node, queue in enumerate(queues):
        clock = dict(latest[queue])
        chosen = []
        # What was issued last implies most.
        for other in sorted(needed[node], reverse=True):
            if clock.get(queues[other], 0) <= places[other]:
                chosen.append(other)
                _join(clock, clocks[other], queues[other], places[other] + 1)
        waits.append(tuple(sorted(chosen)))
        clocks.append(clock)
        latest[queue] = clock
    return Waits(tuple(waits), _windows(queues, places, members.get(GRAPHICS, []), clocks))


def _join(clock: Clock, other: Clock, queue: str, count: int) -> None:
    for name, known in (*other.items(), (queue, count)):
        if known > clock.get(name, 0):
            clock[name] = known


def _places(queues: Sequence[str]) -> tuple[list[int], dict[str, list[int]]]:
    """The place of each node on its queue, and each queue's nodes."""
    members: dict[str, list[int]] = {}
    places = []
    for node, queue in enumerate(queues):
        line = members.setdefault(queue, [])
        places.append(len(line))
        line.append(node)
    return places, members


def _needed(queues: Sequence[str], groups: Sequence[Group], silent: Set[int]) -> list[set[int]]:
    """For each node that records something, the last one on each other queue that it depends on."""
    # By queue, the last node that each depends on; of a group, the last of its befores or of what silent ones carry.
    latest: list[dict[str, int]] = [{} for _ in queues]
    lasts: list[dict[str, int]] = [{} for _ in groups]
    leaving: list[list[int]] = [[] for _ in queues]
    pending = [len(group.befores) for group in groups]
    for number, group in enumerate(groups):
        for node in group.befores if group.device else ():
            leaving[node].append(number)
    for node, queue in enumerate(queues):
        carried = latest[node] if node in silent else {queue: node}
        for number in leaving[node]:
            _raise(lasts[number], carried)
            pending[number] -= 1
            if not pending[number]:
                for after in groups[number].afters:
                    _raise(latest[after], lasts[number])
    return [
        set() if node in silent else {other for name, other in latest[node].items() if name != queue}
        for node, queue in enumerate(queues)
    ]


def _raise(values: dict[str, int], others: dict[str, int]) -> None:
    for name, other in others.items():
        if other > values.get(name, -1):
            values[name] = other


def _windows(
    queues: Sequence[str], places: Sequence[int], graphics: Sequence[int], clocks: Sequence[Clock]
) -> tuple[tuple[int, int], ...]:
    """A graphics node has its own slot; another one all from behind the last graphics node that it knows to have
    finished up to the first that knows it to have finished.

    Nodes of two other queues may meet in the gap between two graphics nodes, which is no slot. So where there are two
    such queues, a window begins one slot earlier.
    """
    count = len(queues)
    early = len({*queues} - {GRAPHICS}) > 1
    windows = []
    for node, queue in enumerate(queues):
        if queue == GRAPHICS:
            windows.append((node, node + 1))
            continue
        known = clocks[node].get(GRAPHICS, 0)
        begin = graphics[known - 1] + (not early) if known else 0
        end = next((other for other in graphics if clocks[other].get(queue, 0) > places[node]), count)
        windows.append((begin, end))
    return tuple(windows)

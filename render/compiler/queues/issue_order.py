"""One order for the nodes of all queues: each queue's own, merged."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from renderwright.render.compiler.queues.dependencies import Group
from renderwright.render.sync.queues import GRAPHICS


def sequence(queues: Sequence[str], starts: Sequence[float], groups: Sequence[Group]) -> list[int]:
    """The nodes such that each queue's follow one another by start as far as that can be, and every group is satisfied.

    Nodes beside the graphics queue come as early as that allows: right behind what they wait for, where a render pass
    ends anyway.
    """
    lines: dict[str, deque[int]] = {GRAPHICS: deque()}

    def by_start(node: int) -> tuple[float, int]:
        return starts[node], node

    for node in sorted(range(len(queues)), key=by_start):
        lines.setdefault(queues[node], deque()).append(node)
    waiting = [0] * len(queues)
    leaving: list[list[int]] = [[] for _ in queues]
    pending = [len(group.befores) for group in groups]
    for number, group in enumerate(groups):
        for node in group.befores:
            leaving[node].append(number)
        for node in group.afters:
            waiting[node] += 1
    result: list[int] = []
    while len(result) < len(queues):
        # Graphics comes last: whoever else can go, goes first.
        queue = next((name for name in reversed(lines) if lines[name] and not waiting[lines[name][0]]), "")
        if queue:
            node = lines[queue].popleft()
        else:
            # What only has to be issued in order takes no time, so a start may be too early for it.
            node = min((each for line in lines.values() for each in line if not waiting[each]), key=by_start)
            lines[queues[node]].remove(node)
        result.append(node)
        for number in leaving[node]:
            pending[number] -= 1
            if not pending[number]:
                for after in groups[number].afters:
                    waiting[after] -= 1
    return result

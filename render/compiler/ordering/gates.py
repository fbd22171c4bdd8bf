"""Who waits for whom, as numbers: a gate opens when all nodes in front of it are done, and lets all behind it go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from render.compiler.precedence import Precedence


@dataclass(frozen=True)
class Gates:
    """``befores`` and ``afters`` are node numbers by gate, ``leaving`` and ``arriving`` gate numbers by node.

    No two gates are between the same nodes; ``times`` is how many precedences a gate stands for.
    """

    befores: Sequence[tuple[int, ...]]
    afters: Sequence[tuple[int, ...]]
    leaving: Sequence[Sequence[int]]
    arriving: Sequence[Sequence[int]]
    times: Sequence[int]

    @classmethod
    def between(cls, times: Mapping[tuple[tuple[int, ...], tuple[int, ...]], int], count: int) -> Gates:
        """One gate for each (befores, afters), with its ``times``, between as many nodes."""
        befores = [before for before, _ in times]
        afters = [after for _, after in times]
        leaving: list[list[int]] = [[] for _ in range(count)]
        arriving: list[list[int]] = [[] for _ in range(count)]
        for nodes, gates in ((befores, leaving), (afters, arriving)):
            for gate, members in enumerate(nodes):
                for node in members:
                    gates[node].append(gate)
        return cls(befores, afters, leaving, arriving, list(times.values()))


def gates_of(numbers: Mapping[str, int], groups: Iterable[Precedence]) -> Gates:
    """The gates of the precedences, for nodes with these numbers (0 .. count - 1)."""
    # What several names ask of the same nodes (the targets of one pass, say) is one gate.
    times = Counter([(group.befores, group.afters) for group in groups])
    number = numbers.__getitem__
    return Gates.between(
        {(tuple(map(number, before)), tuple(map(number, after))): count for (before, after), count in times.items()},
        len(numbers),
    )


@dataclass(frozen=True)
class Paths:
    """The costliest path that leads to each node, and the costliest that starts with it (its own cost included)."""

    before: Sequence[float]
    behind: Sequence[float]


def critical_paths(gates: Gates, costs: Sequence[float]) -> Paths:
    """Both paths of every node, in one walk there and one back."""
    before = [0.0] * len(costs)
    waiting = [len(arriving) for arriving in gates.arriving]
    pending = [len(nodes) for nodes in gates.befores]
    arrival = [0.0] * len(pending)
    walk = [node for node, count in enumerate(waiting) if not count]
    for node in walk:
        end = before[node] + costs[node]
        for gate in gates.leaving[node]:
            if end > arrival[gate]:
                arrival[gate] = end
            pending[gate] -= 1
            if pending[gate]:
                continue
            for other in gates.afters[gate]:
                if arrival[gate] > before[other]:
                    before[other] = arrival[gate]
                waiting[other] -= 1
                if not waiting[other]:
                    walk.append(other)
    behind = list(costs)
    beyond = [0.0] * len(pending)
    for node in reversed(walk):
        if gates.leaving[node]:
            behind[node] += max([beyond[gate] for gate in gates.leaving[node]])
        for gate in gates.arriving[node]:
            if behind[node] > beyond[gate]:
                beyond[gate] = behind[node]
    return Paths(before, behind)


def nested_ranks(gates: Gates, sizes: Sequence[float]) -> list[int]:
    """Each node's place in a depth-first walk from the results back to what they need, the larger one first.

    A branch is finished before the next begins, so few results wait for their readers; the longest branch comes first,
    as in R. Sethi and J. D. Ullman, "The generation of optimal code for arithmetic expressions", J. ACM 17, 1970. The
    places are a wish, not an order: the walk does not wait for a gate that it has met already.
    """
    ranks = [-1] * len(sizes)
    seen = [False] * len(gates.befores)
    count = 0
    for root in [node for node, leaving in enumerate(gates.leaving) if not leaving]:
        work = [root]
        while work:
            node = work[-1]
            if ranks[node] >= 0:
                work.pop()
                continue
            new: list[int] = []
            for gate in gates.arriving[node]:
                if not seen[gate]:
                    seen[gate] = True
                    new += [other for other in gates.befores[gate] if ranks[other] < 0]
            if new:
                new.sort(key=lambda other: (sizes[other], -other))
                work += new
                continue
            ranks[node] = count
            count += 1
            work.pop()
    return ranks

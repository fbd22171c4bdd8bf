"""Who waits for whom, as numbers: a gate opens when all nodes in front of it are done, and lets all behind it go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from render.compiler.ordering.crowds import Asked

Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The nodes in front of a gate, and those behind it."""


@dataclass(frozen=True)
class Gates:
    """``befores`` and ``afters`` are node numbers by gate; there are ``count`` nodes.

    ``times`` is how many precedences a gate stands for.
    """

    befores: Sequence[tuple[int, ...]]
    afters: Sequence[tuple[int, ...]]
    times: Sequence[int]
    count: int

    @cached_property
    def leaving(self) -> Sequence[Sequence[int]]:
        """By node, the gates that it stands in front of."""
        return self._by_node(self.befores)

    @cached_property
    def arriving(self) -> Sequence[Sequence[int]]:
        """By node, the gates that it stands behind."""
        return self._by_node(self.afters)

    def consumers(self) -> Sequence[int]:
        """By node, how many precedences stand for a node that waits for it."""
        found = [0] * self.count
        for before, after, times in zip(self.befores, self.afters, self.times, strict=True):
            for node in before:
                found[node] += len(after) * times
        return found

    def _by_node(self, sides: Sequence[tuple[int, ...]]) -> Sequence[Sequence[int]]:
        found: list[list[int]] = [[] for _ in range(self.count)]
        for gate, members in enumerate(sides):
            for node in members:
                found[node].append(gate)
        return found


@dataclass(frozen=True)
class Waits:
    """What is asked of ``count`` nodes, each with how many of them ask it: in ``pairs`` that one comes before
    another, in ``groups`` that several do, or come before several."""

    pairs: Sequence[tuple[int, int, int]]
    groups: Sequence[tuple[Sides, int]]
    count: int

    def gates(self) -> Gates:
        """The gates between the nodes."""
        return Gates(
            [(one,) for one, _, _ in self.pairs] + [before for (before, _), _ in self.groups],
            [(other,) for _, other, _ in self.pairs] + [after for (_, after), _ in self.groups],
            [times for _, _, times in self.pairs] + [times for _, times in self.groups],
            self.count,
        )

    def gates_between(self, run_of: Mapping[int, int], count: int) -> Gates:
        """The gates between ``count`` runs, each node being in one; there are none inside of runs."""
        times: dict[Sides, int] = {}
        for one, other, number in self.pairs:
            if run_of[one] != run_of[other]:
                key: Sides = (run_of[one],), (run_of[other],)
                times[key] = times.get(key, 0) + number
        run = run_of.__getitem__
        for (before, after), number in self.groups:
            if run_of[before[0]] != run_of[after[0]]:
                key = tuple(dict.fromkeys(map(run, before))), tuple(dict.fromkeys(map(run, after)))
                times[key] = times.get(key, 0) + number
        return Gates([before for before, _ in times], [after for _, after in times], list(times.values()), count)


def waits_of(numbers: Mapping[str, int], asked: Asked) -> Waits:
    """What is asked of nodes with these numbers (0 .. count - 1); of a crowd, the first one has a number."""
    number = numbers.__getitem__
    pairs = [(number(before), number(after), times) for (before, after), times in asked.pairs.items()]
    sides = {side: tuple(map(number, side)) for side in set(chain.from_iterable(asked.groups))}
    groups = [((sides[before], sides[after]), times) for (before, after), times in asked.groups.items()]
    return Waits(pairs, groups, len(numbers))


@dataclass(frozen=True)
class Paths:
    """The costliest path that leads to each node, and the costliest that starts with it (its own cost included)."""

    before: Sequence[float]
    behind: Sequence[float]


def critical_paths(gates: Gates, costs: Sequence[float]) -> Paths:
    """Both paths of every node, in one walk there and one back."""
    leaving, befores, afters = gates.leaving, gates.befores, gates.afters
    before = [0.0] * len(costs)
    waiting = list(map(len, gates.arriving))
    pending = list(map(len, befores))
    arrival = [0.0] * len(pending)
    walk = [node for node, count in enumerate(waiting) if not count]
    opened = []
    for node in walk:
        end = before[node] + costs[node]
        for gate in leaving[node]:
            if end > arrival[gate]:
                arrival[gate] = end
            pending[gate] -= 1
            if pending[gate]:
                continue
            opened.append(gate)
            for other in afters[gate]:
                if arrival[gate] > before[other]:
                    before[other] = arrival[gate]
                waiting[other] -= 1
                if not waiting[other]:
                    walk.append(other)
    behind = list(costs)
    for gate in reversed(opened):
        beyond = 0.0
        for node in afters[gate]:
            if behind[node] > beyond:
                beyond = behind[node]
        for node in befores[gate]:
            if costs[node] + beyond > behind[node]:
                behind[node] = costs[node] + beyond
    return Paths(before, behind)


def nested_ranks(gates: Gates, sizes: Sequence[float]) -> list[int]:
    """Each node's place in a depth-first walk from the results back to what they need, the larger one first.

    A branch is finished before the next begins, so few results wait for their readers; the longest branch comes first,
    as in R. Sethi and J. D. Ullman, "The generation of optimal code for arithmetic expressions", J. ACM 17, 1970. The
    places are a wish, not an order: the walk does not wait for a gate that it has met already.
    """
    arriving, befores = gates.arriving, gates.befores
    ranks = [-1] * len(sizes)
    seen = [False] * len(befores)
    count = 0
    for root in [node for node, leaving in enumerate(gates.leaving) if not leaving]:
        work = [root]
        while work:
            node = work[-1]
            if ranks[node] >= 0:
                work.pop()
                continue
            new = []
            for gate in arriving[node]:
                if not seen[gate]:
                    seen[gate] = True
                    for other in befores[gate]:
                        if ranks[other] < 0:
                            new.append(other)
            if not new:
                ranks[node] = count
                count += 1
                work.pop()
            elif len(new) == 1:
                work += new
            else:
                work += sorted(sorted(new, reverse=True), key=sizes.__getitem__)
    return ranks

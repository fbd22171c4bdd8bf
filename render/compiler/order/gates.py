"""Who waits for whom, as numbers; where several wait together, or are waited for together, with a gate between them.

A gate opens when all nodes in front of it are done, and lets all behind it go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from renderwright.render.compiler.order.crowds import Asked

Pair = tuple[int, int]
"""A node, and one that waits for it."""

Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The nodes in front of a gate, and those behind it."""


@dataclass(frozen=True)
class Gates:
    """Nodes have the numbers 0 .. ``count`` - 1, and gates those that follow.

    By number, ``befores`` are the nodes and gates that each waits for, and ``afters`` those that wait for it.
    ``consumers`` is, by node, how many precedences stand for a node that waits for it.
    """

    befores: Sequence[Sequence[int]]
    afters: Sequence[Sequence[int]]
    consumers: Sequence[int]
    count: int


@dataclass(frozen=True)
class Waits:
    """What is asked of ``count`` nodes, and how many ask it: in ``pairs`` that one comes before another, in ``groups``
    that several do, or come before several."""

    pairs: Mapping[Pair, int]
    groups: Mapping[Sides, int]
    count: int

    def gates(self) -> Gates:
        """The gates between the nodes, one for each group."""
        befores: list[list[int]] = [[] for _ in range(self.count + len(self.groups))]
        afters: list[list[int]] = [[] for _ in befores]
        consumers = [0] * self.count
        for (one, other), times in self.pairs.items():
            afters[one].append(other)
            befores[other].append(one)
            consumers[one] += times
        for gate, ((before, after), times) in enumerate(self.groups.items(), self.count):
            befores[gate] += before
            afters[gate] += after
            for node in before:
                afters[node].append(gate)
                consumers[node] += len(after) * times
            for node in after:
                befores[node].append(gate)
        return Gates(befores, afters, consumers, self.count)

    def between(self, run_of: Mapping[int, int], count: int) -> Waits:
        """What is asked of ``count`` runs, each node being in one; nothing is asked inside of runs."""
        pairs, groups = Counter[Pair](), Counter[Sides]()
        for (one, other), times in self.pairs.items():
            pairs[run_of[one], run_of[other]] += times
        run = run_of.__getitem__
        for sides, times in self.groups.items():
            before, after = (tuple(dict.fromkeys(map(run, side))) for side in sides)
            if len(before) == 1 == len(after):
                pairs[before[0], after[0]] += times
            else:
                groups[before, after] += times
        apart = {(one, other): times for (one, other), times in pairs.items() if one != other}
        return Waits(apart, groups, count)


def waits_of(numbers: Mapping[str, int], asked: Asked) -> Waits:
    """What is asked of nodes with these numbers (0 .. count - 1); of a crowd, the first one has a number."""
    number = numbers.__getitem__
    pairs = {(numbers[before], numbers[after]): times for (before, after), times in asked.pairs.items()}
    sides = {side: tuple(map(number, side)) for side in set(chain.from_iterable(asked.groups))}
    groups = {(sides[before], sides[after]): times for (before, after), times in asked.groups.items()}
    return Waits(pairs, groups, len(numbers))


@dataclass(frozen=True)
class Paths:
    """The costliest path that leads to each node, and the costliest that starts with it (its own cost included)."""

    before: Sequence[float]
    behind: Sequence[float]


def critical_paths(gates: Gates, costs: Sequence[float]) -> Paths:
    """Both paths of every node, in one walk there and one back."""
    afters = gates.afters
    behind = [*costs, *[0.0] * (len(afters) - len(costs))]  # gates cost nothing
    before = [0.0] * len(afters)
    waiting = list(map(len, gates.befores))
    walk = [node for node in range(gates.count) if not waiting[node]]
    for node in walk:
        end = before[node] + behind[node]
        for other in afters[node]:
            if end > before[other]:
                before[other] = end
            waiting[other] -= 1
            if not waiting[other]:
                walk.append(other)
    for node in reversed(walk):
        beyond = 0.0
        for other in afters[node]:
            if behind[other] > beyond:
                beyond = behind[other]
        behind[node] += beyond
    return Paths(before[: gates.count], behind[: gates.count])


def nested_ranks(gates: Gates, sizes: Sequence[float]) -> list[int]:
    """Each node's place in a depth-first walk from the results back to what they need, the larger one first.

    A branch is finished before the next begins, so few results wait for their readers; the longest branch comes first,
    as in R. Sethi and J. D. Ullman, "The generation of optimal code for arithmetic expressions", J. ACM 17, 1970. The
    places are a wish, not an order: the walk does not wait for a gate that it has met already.
    """
    befores, count = gates.befores, gates.count
    # Who has been met and has no place yet has anything but -1. ~node is to have its place, as its branches are done.
    ranks = [-1] * len(befores)
    place = 0
    work = [node for node in reversed(range(count)) if not gates.afters[node]]
    while work:
        node = work.pop()
        if node < 0:
            ranks[~node] = place
            place += 1
            continue
        if ranks[node] >= 0:
            continue
        ranks[node] = place
        new = []
        for other in befores[node]:
            if ranks[other] < 0:
                if other < count:
                    new.append(other)
                else:
                    ranks[other] = place
                    new += [each for each in befores[other] if ranks[each] < 0]
        if not new:
            place += 1
            continue
        work.append(~node)
        if len(new) > 1:
            new.sort(reverse=True)
            new.sort(key=sizes.__getitem__)
        work += new
    return ranks[:count]

"""Linear repairs for components with too many cycles to break them one after the other. They are not minimal."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence


def nodes_to_remove(successors: Mapping[str, Collection[str]], weakest: Sequence[str]) -> list[str]:
    """Nodes without which the graph has no cycle: the weakest first, each unless the ones before broke its cycles."""
    after = {name: set(others) for name, others in successors.items()}
    before: dict[str, set[str]] = {name: set() for name in successors}
    for name, others in after.items():
        for other in others:
            before[other].add(name)
    removed = []
    for victim in weakest:
        if victim in after:
            removed.append(victim)
            _take_out(victim, before, after)
    return removed


def _take_out(name: str, before: dict[str, set[str]], after: dict[str, set[str]]) -> None:
    """Take a node out, and then all that have no predecessor or no successor left: they are on no cycle."""
    work = [name]
    while work:
        node = work.pop()
        if node not in after:
            continue
        for other in after.pop(node):
            if other in before:
                before[other].discard(node)
                work += [other] if not before[other] else []
        for other in before.pop(node):
            if other in after:
                after[other].discard(node)
                work += [other] if not after[other] else []


def orders_to_ignore(
    nodes: Collection[str], declared: Collection[tuple[str, str]], implied: Collection[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Declared (before, after) orders without which the graph has no cycle; the ``implied`` ones alone have none.

    Nodes are placed one after the other: of those without an implied predecessor, one with the fewest declared
    predecessors, whose orders are ignored.
    """
    waits_for: dict[str, set[str]] = {name: set() for name in nodes}
    holds_back: dict[str, list[str]] = {name: [] for name in nodes}
    unplaced = dict.fromkeys(nodes, 0)
    implied_after: dict[str, list[str]] = {name: [] for name in nodes}
    for before, after in declared:
        waits_for[after].add(before)
        holds_back[before].append(after)
    for before, after in implied:
        unplaced[after] += 1
        implied_after[before].append(after)
    ready = [(len(waits_for[name]), name) for name in nodes if not unplaced[name]]
    heapq.heapify(ready)
    ignored: list[tuple[str, str]] = []
    placed: set[str] = set()
    while ready:
        count, name = heapq.heappop(ready)
        if name in placed or count != len(waits_for[name]):
            continue
        placed.add(name)
        ignored += [(before, name) for before in sorted(waits_for[name])]
        for other in implied_after[name]:
            unplaced[other] -= 1
        for other in holds_back[name]:
            waits_for[other].discard(name)
        for other in (*implied_after[name], *holds_back[name]):
            if not unplaced[other] and other not in placed:
                heapq.heappush(ready, (len(waits_for[other]), other))
    return ignored

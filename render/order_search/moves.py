"""The moves that make a found order from a known one, each with its gain."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from renderwright.render.compiler.values.preferred_order import OrderMove
from renderwright.render.order_search.problem import OrderProblem


def order_moves(problem: OrderProblem, known: Sequence[str], found: Sequence[str]) -> tuple[OrderMove, ...]:
    """The fewest nodes of which moves turn one order into the other, in the order found."""
    before = {node: place for place, node in enumerate(known)}
    after = {node: place for place, node in enumerate(found)}
    staying = _longest_increasing([before[node] for node in found])
    gains = _Gains(problem, before, after)
    return tuple(
        [
            OrderMove(node, after[node] - before[node], *gains.largest(node, earlier=after[node] < before[node]))
            for node in found
            if before[node] not in staying
        ]
    )


class _Gains:
    """Which live ranges get shorter at which node."""

    def __init__(self, problem: OrderProblem, before: Mapping[str, int], after: Mapping[str, int]) -> None:
        self._ends: dict[str, list[tuple[int, str]]] = {}
        self._begins: dict[str, list[tuple[int, str]]] = {}
        for name, resource in zip(problem.names, problem.resources, strict=True):
            users = [problem.members[unit] for unit in resource.users]
            first = min([members[0] for members in users], key=after.__getitem__)
            self._begins.setdefault(first, []).append((resource.size, name))
            if not resource.live_to_end:
                last = max([members[-1] for members in users], key=after.__getitem__)
                self._ends.setdefault(last, []).append((resource.size, name))
            if resource.past and not resource.host:
                last = max([problem.members[unit][-1] for unit in resource.past], key=after.__getitem__)
                self._ends.setdefault(last, []).append((resource.size, name))

    def largest(self, node: str, *, earlier: bool) -> tuple[str, int]:
        """The largest resource that the node frees if it runs ``earlier``, or begins if it runs later; '' for none."""
        size, name = max((self._ends if earlier else self._begins).get(node, [(0, "")]))
        return name, size


def _longest_increasing(places: Sequence[int]) -> set[int]:
    """The places of a longest increasing subsequence."""
    tails: list[int] = []
    parents: dict[int, int | None] = {}
    for place in places:
        number = bisect_left(tails, place)
        parents[place] = tails[number - 1] if number else None
        tails[number : number + 1] = [place]
    found: set[int] = set()
    last = tails[-1] if tails else None
    while last is not None:
        found.add(last)
        last = parents[last]
    return found

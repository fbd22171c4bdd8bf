"""The order of modifiers of one name, where nothing else orders them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from render.compiler.dynamic_order import DynamicOrder
from render.compiler.edges import Life
from render.compiler.faults import note, quoted
from render.compiler.findings import Problem
from render.compiler.stages import Edge, EdgeReason
from render.compiler.toposort import topological
from render.graph.requests import NodeDeclaration


def serialise(
    declarations: Mapping[str, NodeDeclaration], lives: Mapping[str, Life], edges: Sequence[Edge]
) -> tuple[list[Edge], list[Problem]]:
    """Edges that put the modifiers of every name in a row, and a note for each name where that was a free choice.

    Larger priority first, then earlier declaration, then name. One that must precede another already placed comes
    right before the first such; so the acyclic graph of ``edges`` stays acyclic. Names are taken in order of name.
    """
    contested = {name: sorted(life.modifiers) for name, life in sorted(lives.items()) if len(life.modifiers) > 1}
    if not contested:
        return [], []
    keys = {name: (-node.priority, node.index, name) for name, node in declarations.items()}
    pairs = {(edge.before, edge.after) for edge in edges}
    order = topological(sorted(declarations), sorted(pairs), keys.__getitem__)
    ancestors = _ancestors(order, pairs, {node for nodes in contested.values() for node in nodes})
    ranks = DynamicOrder(order, pairs)
    added: list[Edge] = []
    problems: list[Problem] = []
    for name, modifiers in contested.items():
        row: list[str] = []
        for node in sorted(modifiers, key=keys.__getitem__):
            _place(node, row, ranks)
        neighbours = list(pairwise(row))
        added += [Edge(before, after, EdgeReason.MODIFY_MODIFY, name) for before, after in neighbours]
        if any(not ancestors.reaches(before, after) for before, after in neighbours):
            message = f"the order in which {quoted(row)} modify `{name}` is the compiler's choice"
            hint = "declare before/after or priorities if another order is meant"
            problems.append(note("modifier-order", message, hint, [declarations[node].source for node in row]))
    return added, problems


def _place(node: str, row: list[str], ranks: DynamicOrder) -> None:
    """Insert ``node`` into the row, as far back as the graph allows."""
    at = len(row)
    if row and ranks.rank[node] < ranks.rank[row[-1]]:
        first = ranks.first_reached(node, set(row), ranks.rank[row[-1]])
        at = row.index(first) if first is not None else at
    if at > 0:
        ranks.add(row[at - 1], node)
    if at < len(row):
        ranks.add(node, row[at])
    row.insert(at, node)


class _Ancestors:
    """Which of some chosen nodes come before a node, as bit masks."""

    def __init__(self, bits: Mapping[str, int], masks: Mapping[str, int]) -> None:
        self._bits = bits
        self._masks = masks

    def reaches(self, before: str, after: str) -> bool:
        """Whether there is a path between two of the chosen nodes."""
        return bool(self._masks[after] & self._bits[before])


def _ancestors(order: Sequence[str], pairs: set[tuple[str, str]], chosen: set[str]) -> _Ancestors:
    bits = {node: 1 << number for number, node in enumerate(node for node in order if node in chosen)}
    befores: dict[str, list[str]] = {node: [] for node in order}
    for before, after in pairs:
        befores[after].append(before)
    masks: dict[str, int] = {}
    for node in order:
        mask = 0
        for before in befores[node]:
            mask |= masks[before] | bits.get(before, 0)
        masks[node] = mask
    return _Ancestors(bits, masks)

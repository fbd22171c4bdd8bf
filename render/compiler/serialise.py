"""The order of modifiers of one name, where nothing else orders them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from render.compiler.dynamic_order import DynamicOrder
from render.compiler.edges import Life
from render.compiler.faults import note, quoted
from render.compiler.findings import Problem
from render.compiler.precedence import EdgeReason, Precedence, schedule_groups
from render.compiler.toposort import ReadyHeap
from render.graph.requests import NodeDeclaration


def serialise(
    declarations: Mapping[str, NodeDeclaration], lives: Mapping[str, Life], groups: Sequence[Precedence]
) -> tuple[list[Precedence], list[Problem]]:
    """What puts the modifiers of every name in a row, and a note for each name where that was a free choice.

    Larger priority first, then earlier declaration, then name. One that must precede another already placed comes
    right before the first such; so the acyclic graph of ``groups`` stays acyclic. Names are taken in order of name.
    """
    contested = {name: sorted(life.modifiers) for name, life in sorted(lives.items()) if len(life.modifiers) > 1}
    if not contested:
        return [], []
    keys = {name: (-node.priority, node.index, name) for name, node in declarations.items()}
    pairs, joints = _pairs(groups)
    order = _with_joints(schedule_groups(sorted(declarations), groups, ReadyHeap(keys.__getitem__)), joints)
    ancestors = _ancestors(order, pairs, {node for nodes in contested.values() for node in nodes})
    ranks = DynamicOrder(order, pairs)
    added: list[Precedence] = []
    problems: list[Problem] = []
    for name, modifiers in contested.items():
        row: list[str] = []
        for node in sorted(modifiers, key=keys.__getitem__):
            _place(node, row, ranks)
        neighbours = list(pairwise(row))
        added += [Precedence((before,), (after,), EdgeReason.MODIFY_MODIFY, name) for before, after in neighbours]
        if any(not ancestors.reaches(before, after) for before, after in neighbours):
            message = f"the order in which {quoted(row, 6)} modify `{name}` is the compiler's choice"
            hint = "declare before/after or priorities if another order is meant"
            problems.append(note("modifier-order", message, hint, [declarations[node].source for node in row[:6]]))
    return added, problems


def _pairs(groups: Iterable[Precedence]) -> tuple[set[tuple[str, str]], dict[str, Precedence]]:
    """(before, after) pairs that say the same as the groups, many-to-many ones through a joint of their own."""
    pairs: set[tuple[str, str]] = set()
    joints: dict[str, Precedence] = {}
    for number, group in enumerate(groups):
        if min(len(group.befores), len(group.afters)) == 1:
            pairs.update((before, after) for before in group.befores for after in group.afters)
            continue
        joint = f"@{number}"  # no node can be called so
        joints[joint] = group
        pairs.update((before, joint) for before in group.befores)
        pairs.update((joint, after) for after in group.afters)
    return pairs, joints


def _with_joints(order: Sequence[str], joints: Mapping[str, Precedence]) -> list[str]:
    """The order with each joint right after the last of its befores."""
    place = {node: number for number, node in enumerate(order)}
    after: dict[str, list[str]] = {}
    for joint, group in joints.items():
        after.setdefault(max(group.befores, key=place.__getitem__), []).append(joint)
    return [name for node in order for name in (node, *after.get(node, ()))]


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

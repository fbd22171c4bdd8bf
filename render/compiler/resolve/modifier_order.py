"""The order of modifiers of one name, where nothing else orders them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from operator import eq, le, lt

from renderwright.render.compiler.diagnostics.faults import note, quoted
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.resolve.draft import Draft
from renderwright.render.compiler.resolve.dynamic_order import DynamicOrder
from renderwright.render.compiler.resolve.waits import Sides, urgency
from renderwright.render.compiler.values.precedence import Row
from renderwright.render.errors import SourceLocation
from renderwright.render.incremental.memo import Parts

_NAMED = 6
"""How many modifiers of a row a note names."""


def serialise(draft: Draft, parts: Parts) -> tuple[tuple[Row, ...], list[Problem]]:
    """The rows of the modifiers of every name, and a note on each that was a free choice.

    Larger priority first, then earlier declaration, then name. One that must precede another already placed comes
    right before the first such; so the acyclic graph of ``Draft.waits`` stays acyclic. Names are taken in order of
    name. The draft must have no cycle.
    """
    waits = draft.waits
    crowds = waits.crowds
    several = {
        name: numbers
        for name, numbers in sorted(waits.modifiers.items())
        if len(numbers) > 1 or len(crowds[numbers[0]].names) > 1
    }
    if not several:
        return (), []
    rank = dict(zip(waits.order, count(), strict=False))
    wished: dict[tuple[int, ...], tuple[str, ...]] = {}
    chosen: set[tuple[int, ...]] = set()
    rising = True
    # Targets that are filled together have the same modifiers.
    for numbers in set(several.values()):
        if len(numbers) == 1:
            wished[numbers] = crowds[numbers[0]].names
            chosen.add(numbers)
            continue
        nodes = sorted([(urgency(node), rank[number]) for number in numbers for node in crowds[number].nodes])
        wished[numbers] = tuple([name for (_, _, name), _ in nodes])
        ranks = [rank for _, rank in nodes]
        rising = rising and all(map(le, ranks, ranks[1:]))
        # Nothing leads from one of a crowd to another.
        if any(map(eq, ranks, ranks[1:])):
            chosen.add(numbers)
    rows: Mapping[str, Sequence[str]] = {name: wished[numbers] for name, numbers in several.items()}
    free: set[str] = set()
    if rising:
        free = {name for name, numbers in several.items() if numbers in chosen}
    else:
        rows = _insert(rows, waits.spelt, waits.names)
    unsure = {name: row for name, row in rows.items() if name not in free}
    if unsure:
        free |= set(_free(unsure, waits.spelt, waits.names))
    problems: list[Problem] = []
    in_row, choice = parts.of(Row), parts.of(_choice)
    found = tuple([in_row(name, tuple(row), name) for name, row in rows.items()])
    for row, name in found:
        if name in free:
            sources = tuple([draft.declaration(node).source for node in row[:_NAMED]])
            problems.append(choice(name, name, row, sources))
    return found, problems


def _choice(name: str, row: Sequence[str], sources: Sequence[SourceLocation]) -> Problem:
    message = f"the order in which {quoted(row, _NAMED)} modify `{name}` is the compiler's choice"
    hint = "declare before/after or priorities if another order is meant"
    return note("modifier-order", message, hint, sources)


def _free(rows: Mapping[str, Sequence[str]], groups: Sequence[Sides], order: Sequence[str]) -> Iterator[str]:
    """The rows, by name, of which nothing else says that each node comes after the one before."""
    depths = _depths(order, groups)
    ancestors: _Ancestors | None = None
    for name, row in rows.items():
        free = not _rises([depths[node] for node in row])
        if not free:
            # Who is deeper need not be behind.
            ancestors = ancestors or _ancestors(*_spelt(order, groups), {node for row in rows.values() for node in row})
            free = any(not ancestors.reaches(before, after) for before, after in pairwise(row))
        if free:
            yield name


def _rises(numbers: Sequence[int]) -> bool:
    return all(map(lt, numbers, numbers[1:]))


def _depths(order: Sequence[str], groups: Sequence[Sides]) -> Mapping[str, int]:
    """The length of the longest path to each node: a node has no path to one that is not deeper."""
    leaving: dict[str, list[int]] = {node: [] for node in order}
    for number, (befores, _) in enumerate(groups):
        for node in befores:
            leaving[node].append(number)
    depths = dict.fromkeys(order, 0)
    behind = [0] * len(groups)
    pending = [len(befores) for befores, _ in groups]
    for node in order:
        depth = depths[node] + 1
        for number in leaving[node]:
            if depth > behind[number]:
                behind[number] = depth
            pending[number] -= 1
            if not pending[number]:
                depth_behind = behind[number]
                for after in groups[number][1]:
                    if depth_behind > depths[after]:
                        depths[after] = depth_behind
    return depths


def _insert(rows: Mapping[str, Sequence[str]], groups: Sequence[Sides], order: Sequence[str]) -> dict[str, list[str]]:
    """The rows as the graph allows them."""
    ranks = DynamicOrder(*_spelt(order, groups))
    result = {}
    for name, wished in rows.items():
        row: list[str] = []
        for node in wished:
            _place(node, row, ranks)
        result[name] = row
    return result


def _spelt(order: Sequence[str], groups: Iterable[Sides]) -> tuple[list[str], set[tuple[str, str]]]:
    """The order and the groups as a graph of pairs."""
    pairs, joints = _pairs(groups)
    return _with_joints(order, joints), pairs


def _pairs(groups: Iterable[Sides]) -> tuple[set[tuple[str, str]], dict[str, Sides]]:
    """(before, after) pairs that say the same as the groups, many-to-many ones through a joint of their own."""
    pairs: set[tuple[str, str]] = set()
    joints: dict[str, Sides] = {}
    for number, (befores, afters) in enumerate(groups):
        if min(len(befores), len(afters)) == 1:
            pairs.update((before, after) for before in befores for after in afters)
            continue
        joint = f"@{number}"  # no node can be called so
        joints[joint] = befores, afters
        pairs.update((before, joint) for before in befores)
        pairs.update((joint, after) for after in afters)
    return pairs, joints


def _with_joints(order: Sequence[str], joints: Mapping[str, Sides]) -> list[str]:
    """The order with each joint right after the last of its befores."""
    place = {node: number for number, node in enumerate(order)}
    after: dict[str, list[str]] = {}
    for joint, (befores, _) in joints.items():
        after.setdefault(max(befores, key=place.__getitem__), []).append(joint)
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

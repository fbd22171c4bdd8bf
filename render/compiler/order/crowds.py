"""Crowds: neighbours in a row that draw the same way to the same targets and wait for the same nodes, taken as one.

They are runs (``ordering.runs``) that can be told at a glance, and most nodes of a large frame are in one. An edit
leaves most of them as they are, so they are remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, filterfalse, groupby, islice, pairwise
from typing import NamedTuple

from renderwright.render.compiler.instances.precedence import Precedence, Row
from renderwright.render.compiler.order.facts import Alike
from renderwright.render.incremental.memo import Parts

Crowd = tuple[str, ...]
"""Nodes (by id) in their order; the first one stands for all."""

Ids = tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """What precedences and rows ask, with the first node of each of the ``crowds`` for all of it (``others`` are those
    that it stands for); and how many of them ask it: in ``pairs`` that one node comes before another, in ``groups``
    that all of some come before all of others.
    """

    crowds: Sequence[Crowd]
    others: frozenset[str]
    pairs: Mapping[tuple[str, str], int]
    groups: Mapping[tuple[Ids, Ids], int]


def asked(
    groups: Sequence[Precedence], rows: Sequence[Row], alike: Callable[[Sequence[str]], Sequence[Alike]], parts: Parts
) -> Asked:
    """What these ask of nodes; ``alike`` tells what ``NodeFacts`` says by that name of nodes (by id)."""
    lines = parts.of(_lines)("rows", tuple(rows))
    wide, narrow = [], []
    for group in groups:
        before, after, _, _ = group
        if len(before) == 1 == len(after):
            narrow.append((before[0], after[0]))
        else:
            wide.append(group)
    pairs = Counter(narrow)
    apart = lines.shared.union(lines.members.intersection(chain.from_iterable(pairs)))
    kinds = alike(lines.nodes)
    taken = _taken(lines, wide, kinds, apart, parts)
    if taken.split:
        taken = _taken(lines, wide, kinds, apart | taken.split, parts)
    for links, times in zip(taken.links, lines.times, strict=True):
        for pair in links:
            pairs[pair] += times
    return Asked(taken.roll.crowds, taken.roll.others, pairs, Counter(taken.sides))


class _Lines(NamedTuple):
    """What several names ask of the same nodes (the targets of one pass, say) is asked once: one of the ``rows`` with
    the same nodes, and how many there are. ``nodes`` are those of all these rows, and ``members`` the same as a set;
    ``shared`` are those in more than one."""

    rows: tuple[Row, ...]
    times: tuple[int, ...]
    nodes: Ids
    members: frozenset[str]
    shared: frozenset[str]


def _lines(rows: Iterable[Row]) -> _Lines:
    times = Counter([row.nodes for row in rows])
    firsts = {row.nodes: row for row in reversed(tuple(rows))}
    nodes = tuple(chain.from_iterable(times))
    shared = frozenset([node for node, count in Counter(nodes).items() if count > 1])
    return _Lines(tuple([firsts[row] for row in times]), tuple(times.values()), nodes, frozenset(nodes), shared)


class _Roll(NamedTuple):
    """The crowds, the number of each member's crowd, and who is not the first of his."""

    crowds: tuple[Crowd, ...]
    numbers: Mapping[str, int]
    others: frozenset[str]


def _roll(crowds: tuple[Crowd, ...]) -> _Roll:
    numbers = {node: number for number, crowd in enumerate(crowds) for node in crowd}
    return _Roll(crowds, numbers, frozenset(chain.from_iterable([crowd[1:] for crowd in crowds])))


class _Taken(NamedTuple):
    """The crowds; of each row the pairs of neighbours that are left, and of each wide group the nodes that are left;
    and the members of crowds of which such a group has only a part."""

    roll: _Roll
    links: Sequence[Sequence[tuple[str, str]]]
    sides: Sequence[tuple[Ids, Ids]]
    split: frozenset[str]


def _taken(
    lines: _Lines, wide: Iterable[Precedence], kinds: Iterable[Alike], apart: frozenset[str], parts: Parts
) -> _Taken:
    """With crowds that none of the nodes is in that stand ``apart``."""
    line, group = parts.of(_line), parts.of(_group)
    rest = iter(kinds)
    found = [line(name, row, tuple(islice(rest, len(row))), apart) for row, name in lines.rows]
    roll = parts.of(_roll)("crowds", tuple(chain.from_iterable([each.crowds for each in found])))
    groups = [group((reason, name, before[0], after[0]), before, after, roll) for before, after, reason, name in wide]
    split = frozenset[str]().union(*[each.split for each in groups])
    return _Taken(roll, [each.links for each in found], [each.sides for each in groups], split)


class _Line(NamedTuple):
    """The crowds of a row, and the pairs of neighbours with one node for each."""

    crowds: tuple[Crowd, ...]
    links: tuple[tuple[str, str], ...]


def _line(row: Ids, alike: Sequence[Alike], apart: Set[str]) -> _Line:
    kinds = [() if node in apart else kind for node, kind in zip(row, alike, strict=True)]
    crowds = []
    left: list[str] = []
    nodes = iter(row)
    for kind, members in groupby(kinds):
        crowd = tuple(islice(nodes, len(list(members))))
        if kind and len(crowd) > 1:
            crowds.append(crowd)
            left.append(crowd[0])
        else:
            left += crowd
    return _Line(tuple(crowds), tuple(pairwise(left)))


class _Group(NamedTuple):
    """Both sides of a group with one node for each crowd, and the members of crowds that only a part of is on one."""

    sides: tuple[Ids, Ids]
    split: frozenset[str]


def _group(befores: Ids, afters: Ids, roll: _Roll) -> _Group:
    split: set[str] = set()
    for side in (befores, afters):
        for number, members in Counter(map(roll.numbers.get, side)).items():
            if number is not None and members < len(roll.crowds[number]):
                split.update(roll.crowds[number])
    before, after = (tuple(filterfalse(roll.others.__contains__, side)) for side in (befores, afters))
    return _Group((before, after), frozenset(split))

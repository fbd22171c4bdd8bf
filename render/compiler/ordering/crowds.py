"""Crowds: neighbours in a row that draw the same way to the same targets and wait for the same nodes, taken as one.

They are runs (``ordering.runs``) that can be told at a glance, and most nodes of a large frame are in one. An edit
leaves most of them as they are, so they are remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, groupby, islice, pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from render.compiler.memo import Parts
from render.compiler.precedence import Precedence, Row

Crowd = tuple[str, ...]
"""Nodes (by id) in their order; the first one stands for all."""

Ids = tuple[str, ...]

_SIDES = attrgetter("befores", "afters")


@dataclass(frozen=True)
class Asked:
    """What precedences and rows ask, with the first node of each of the ``crowds`` for all of it; and how many of them
    ask it: in ``pairs`` that one node comes before another, in ``groups`` that all of some come before all of others.
    """

    crowds: Sequence[Crowd]
    pairs: Mapping[tuple[str, str], int]
    groups: Mapping[tuple[Ids, Ids], int]


def asked(
    groups: Iterable[Precedence], rows: Iterable[Row], alike: Mapping[str, tuple[Any, ...]], parts: Parts
) -> Asked:
    """What these ask of nodes; ``alike`` is that of ``NodeFacts``, by id."""
    # What several names ask of the same nodes (the targets of one pass, say) is asked once.
    in_rows = Counter([row.nodes for row in rows])
    in_groups = Counter(map(_SIDES, groups))
    pairs = {
        (*before, *after): in_groups.pop((before, after))
        for before, after in list(in_groups)
        if len(before) == 1 == len(after)
    }
    sides = set(chain.from_iterable(in_groups))
    entangled = _in_several(in_rows).union(*pairs)
    crowds = _crowds(in_rows, alike, entangled, parts)
    each = parts.of(_with_crowds)
    views = {side: each(side, side, crowds) for side in sides}
    if split := set[str]().union(*[view.split for view in views.values()]):
        crowds = _crowds(in_rows, alike, entangled | split, parts)
        views = {side: each(side, side, crowds) for side in sides}
    for row, times in in_rows.items():
        for pair in pairwise(each(row, row, crowds).nodes):
            pairs[pair] = pairs.get(pair, 0) + times
    between: dict[tuple[Ids, Ids], int] = {}
    for (before, after), times in in_groups.items():
        key = views[before].nodes, views[after].nodes
        between[key] = between.get(key, 0) + times
    return Asked(crowds, pairs, between)


def _in_several(rows: Collection[Ids]) -> set[str]:
    """Who is in more than one row."""
    if len(set[str]().union(*rows)) == sum(map(len, rows)):
        return set()
    return {node for node, count in Counter(chain.from_iterable(rows)).items() if count > 1}


def _crowds(
    rows: Iterable[Ids], alike: Mapping[str, tuple[Any, ...]], entangled: set[str], parts: Parts
) -> tuple[Crowd, ...]:
    """The crowds of all rows; none of the ``entangled`` nodes is in one."""
    each, kind = parts.of(_crowds_of_row), alike.__getitem__
    found = [each(row, row, tuple(map(kind, row)), entangled.intersection(row)) for row in rows]
    return tuple(chain.from_iterable(found))


def _crowds_of_row(row: Ids, alike: Sequence[tuple[Any, ...]], entangled: Set[str]) -> tuple[Crowd, ...]:
    kinds = [() if node in entangled else kind for node, kind in zip(row, alike, strict=True)]
    found = []
    nodes = iter(row)
    for kind, members in groupby(kinds):
        crowd = tuple(islice(nodes, len(list(members))))
        if kind and len(crowd) > 1:
            found.append(crowd)
    return tuple(found)


class _View(NamedTuple):
    """Some nodes with one for each crowd; and the members of crowds that only a part of is among them."""

    nodes: Ids
    split: frozenset[str]


def _with_crowds(nodes: Ids, crowds: Sequence[Crowd]) -> _View:
    here = set(nodes)
    firsts: dict[str, str] = {}
    split: set[str] = set()
    for crowd in crowds:
        if here.isdisjoint(crowd):
            continue
        if not here.issuperset(crowd):
            split.update(crowd)
        firsts.update(dict.fromkeys(crowd, crowd[0]))
    return _View(tuple(dict.fromkeys(map(firsts.get, nodes, nodes))), frozenset(split))

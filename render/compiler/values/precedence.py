"""Dependencies between nodes as hyperedges: every node of one set runs before every node of another.

A name with m modifiers and n readers implies m * n edges. A hyperedge (``Precedence``) states them in m + n words, so
that all stages stay linear in the size of the graph; ``edges_of`` expands hyperedges for reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple


class EdgeReason(StrEnum):
    """Why one node runs before another."""

    EXPLICIT = "declared before/after"
    CREATE_MODIFY = "created, then modified"
    CREATE_READ = "created, then read"
    MODIFY_READ = "modified, then read"
    USE_RENAME = "used, then renamed away"
    MODIFY_MODIFY = "modifiers of one name are serialised"


@dataclass(frozen=True, order=True)
class Edge:
    """``before`` runs before ``after`` (node names, or instance ids once multiplexed), because of ``resource``."""

    before: str
    after: str
    reason: EdgeReason
    resource: str = ""


class Precedence(NamedTuple):
    """A hyperedge: each of ``befores`` runs before each of ``afters``; the two are disjoint."""

    befores: tuple[str, ...]
    afters: tuple[str, ...]
    reason: EdgeReason
    resource: str = ""

    def edges(self) -> Iterator[Edge]:
        """All pairs of the hyperedge."""
        for before in self.befores:
            for after in self.afters:
                yield Edge(before, after, self.reason, self.resource)


class ModifierOrder(NamedTuple):
    """The modifiers of one name in the order in which they are serialised."""

    nodes: tuple[str, ...]
    resource: str


def precedences(
    befores: Sequence[str],
    afters: Sequence[str],
    reason: EdgeReason,
    resource: str = "",
    owners: Mapping[str, str] | None = None,
) -> Iterator[Precedence]:
    """Each of ``befores`` before each of ``afters``, except that no node runs before itself.

    With ``owners`` (the node of each instance) no instance runs before an instance of the same node either.
    """
    if not befores or not afters:
        return
    owner = owners.__getitem__ if owners is not None else str
    on_both_sides = set(map(owner, befores)).intersection(map(owner, afters))
    apart = tuple([before for before in befores if owner(before) not in on_both_sides])
    if apart:
        yield Precedence(apart, tuple(afters), reason, resource)
    for before in befores:
        if owner(before) in on_both_sides:
            others = tuple([after for after in afters if owner(after) != owner(before)])
            if others:
                yield Precedence((before,), others, reason, resource)


def with_links(groups: Iterable[Precedence], rows: Iterable[ModifierOrder]) -> tuple[Precedence, ...]:
    """The hyperedges, and one for each two neighbours of a row."""
    links = [
        Precedence((before,), (after,), EdgeReason.MODIFY_MODIFY, row.resource)
        for row in rows
        for before, after in pairwise(row.nodes)
    ]
    return (*groups, *links)


def edges_of(groups: Iterable[Precedence]) -> tuple[Edge, ...]:
    """The hyperedges expanded: one edge for each (before, after), the one with the smallest reason; sorted."""
    best: dict[tuple[str, str], Edge] = {}
    for group in groups:
        for edge in group.edges():
            pair = (edge.before, edge.after)
            known = best.get(pair)
            if known is None or (edge.reason, edge.resource) < (known.reason, known.resource):
                best[pair] = edge
    return tuple(best[pair] for pair in sorted(best))

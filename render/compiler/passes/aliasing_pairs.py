"""Aliasing pairs: subresources of merge candidates that share memory, so that a barrier has to stand between them.

Which nodes are merge candidates does not depend on sizes, and hardly any of their subresources share memory. So a
resize forms other passes only if it changes these pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from renderwright.render.compiler.passes.subresources import Subresource, subresource_accesses
from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.placement import PlacedResource, Placement

AliasingPair = tuple[Subresource, Subresource]


def merge_candidates(
    graph: InstanceGraph, histories: Mapping[str, AccessHistory]
) -> tuple[tuple[Subresource, ...], ...]:
    """The subresources of each group of merge candidates; a render pass lies within one group.

    A group is two or more nodes with the same attachments; only nodes that record nothing stand between them.
    """
    accesses = subresource_accesses(histories, len(graph.nodes))
    groups = [group for group in _same_attachments(graph) if len(group) > 1]
    return tuple([tuple(dict.fromkeys([key for node in group for key in accesses[node]])) for group in groups])


def _same_attachments(graph: InstanceGraph) -> Sequence[Sequence[int]]:
    """The numbers of the recording nodes, neighbours with the same attachments in one group."""
    groups: list[list[int]] = []
    for number, node in enumerate(graph.nodes):
        if not node.records:
            continue
        if groups and node.attached and node.attached == graph.nodes[groups[-1][0]].attached:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


class _ByteRange(NamedTuple):
    heap: int
    start: int
    end: int
    subresource: Subresource


def aliasing_pairs(groups: Sequence[Sequence[Subresource]], placement: Placement) -> frozenset[AliasingPair]:
    """The pairs within one group, in both orders, whose bytes overlap in an even or in an odd frame."""
    names = {subresource.resource for group in groups for subresource in group}
    placed = {item.id: item for item in placement.resources if item.id in names and item.copies}
    pairs: set[AliasingPair] = set()
    for group in groups:
        for parity in (0, 1):
            for one, other in _overlapping(sorted(_byte_ranges(group, placed, parity))):
                if one[:2] != other[:2]:
                    pairs |= {(one, other), (other, one)}
    return frozenset(pairs)


def _byte_ranges(
    group: Sequence[Subresource], placed: Mapping[str, PlacedResource], parity: int
) -> Iterator[_ByteRange]:
    """The memory of the subresources in an even (0) or odd (1) frame; external resources have none."""
    for subresource in group:
        item = placed.get(subresource.resource)
        if item is not None:
            copy = item.copies[1 - parity if subresource.previous else parity]
            yield _ByteRange(copy.heap, copy.offset, copy.offset + item.size, subresource)


def _overlapping(ranges: Sequence[_ByteRange]) -> Iterator[AliasingPair]:
    """The pairs of sorted ranges that overlap."""
    for number, one in enumerate(ranges):
        for other in ranges[number + 1 :]:
            if other.heap != one.heap or other.start >= one.end:
                break
            yield one.subresource, other.subresource

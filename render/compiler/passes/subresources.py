"""The accesses of each node to subresources: resources, or the cells of textures that are used in parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from renderwright.render.compiler.resources.access_history import AccessHistory, NodeAccess
from renderwright.render.types.parts import WHOLE, Part


class Subresource(NamedTuple):
    """A ``part`` of one copy of a resource (by id): the frame's own copy, or that of the ``previous`` frame."""

    resource: str
    previous: bool
    part: Part


NodeSubresources = Mapping[Subresource, NodeAccess]
"""The accesses of one node, in the graph's order of resources."""


def subresource_accesses(histories: Mapping[str, AccessHistory], count: int) -> Sequence[NodeSubresources]:
    """The accesses of each of ``count`` nodes, by number."""
    found: list[dict[Subresource, NodeAccess]] = [{} for _ in range(count)]
    for name, accessed in histories.items():
        for subresource, accesses in _subresources(name, accessed):
            for access in accesses:
                found[access.node][subresource] = access
    return found


def _subresources(name: str, accessed: AccessHistory) -> Iterator[tuple[Subresource, Sequence[NodeAccess]]]:
    if not accessed.cells:
        yield Subresource(name, False, WHOLE), accessed.own
        yield Subresource(name, True, WHOLE), accessed.history_reads
    for cell in accessed.cells:
        yield Subresource(name, False, cell.part), cell.own
        yield Subresource(name, True, cell.part), cell.history_reads

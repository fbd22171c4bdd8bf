"""The result of ``place``: heaps, and the place of each resource in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.types.physical import PhysicalInfo
from renderwright.render.types.resources import Extent


class Copy(NamedTuple):
    """One of the physical copies of a resource.

    ``live_range`` is the half-open [start, end) in moments of the circle of 2N; a full circle has ``end == start +
    2N``, and a live range may wrap past 2N. ``heap`` indexes ``Placement.heaps``.
    """

    heap: int
    offset: int
    live_range: tuple[int, int]


class PlacedResource(NamedTuple):
    """A resource instance with its physical description and its place.

    ``copies`` is (even, odd) for GPU resources of the graph, and empty for external resources and blobs. A ``kept``
    resource outlives frames in which its makers do not run; both of its copies are the same. A resource whose history
    is read later than in the next frame has one more copy for each further frame, and frames write them in turn.
    """

    id: str
    info: PhysicalInfo | None
    size: int
    alignment: int
    copies: tuple[Copy, ...]
    has_history: bool
    first: FirstFrame
    kept: bool = False

    @property
    def turns(self) -> int:
        """How many frames pass until one writes the same copy again."""
        return max(2, len(self.copies))


@dataclass(frozen=True)
class HeapPlan:
    """A heap: its memory class, its size in bytes, and lower bounds of the size.

    ``load`` is the largest sum of sizes alive at one moment; ``clique``, at least as large, the largest sum found among
    resources that are pairwise alive together. ``optimal`` says that ``size`` is proved to be the least.
    """

    memory_class: str
    size: int
    load: int
    clique: int
    optimal: bool


@dataclass(frozen=True)
class Placement:
    """The place of every resource in memory.

    ``extents`` are the values of the auto-resolutions. While a dynamic resolution makes them smaller, ``full`` are the
    values that memory is planned for; else it is empty.
    """

    resources: tuple[PlacedResource, ...]
    heaps: tuple[HeapPlan, ...]
    extents: tuple[tuple[str, Extent], ...]
    problems: tuple[Problem, ...] = ()
    full: tuple[tuple[str, Extent], ...] = ()

    @property
    def planned_extents(self) -> tuple[tuple[str, Extent], ...]:
        """The values of the auto-resolutions that memory is planned for."""
        return self.full or self.extents

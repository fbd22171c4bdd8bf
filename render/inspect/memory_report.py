"""The memory of a plan: each heap against its lower bounds and against published packing methods."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.backend.capabilities import Aliasing
from renderwright.render.compiler.values.placement import Copy, PlacedResource
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.memory.arcs import arc_length, arcs_meet
from renderwright.render.memory.baselines import BASELINES, BaselineItem, BaselineProblem, outlives_frame
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class ResourceMemory:
    """A resource with memory. ``copies`` are (even, odd), or a single one if the resource is kept.

    It ``needs_two_copies`` if history readers or the host use a copy beyond its frame.
    ``owner`` is the plugin of the creator, '' for the skeleton and the engine. ``description`` is equal for textures
    that could share one image. It is '' for buffers and for storage images, whose contents sharing would lose.
    """

    id: str
    owner: str
    size: int
    alignment: int
    copies: tuple[Copy, ...]
    has_history: bool
    needs_two_copies: bool
    kept: bool
    description: str


@dataclass(frozen=True)
class Peak:
    """A moment, and the resources of the copies that are in use then, in decreasing size."""

    moment: int
    resources: tuple[ResourceMemory, ...]


@dataclass(frozen=True)
class HeapReport:
    """A heap of a plan, with the resources that have a copy in it, in decreasing size.

    ``clique`` is a lower bound of every packing; ``optimal`` says that none is smaller than ``size``.
    """

    number: int
    memory_class: str
    size: int
    load: int
    clique: int
    optimal: bool
    period: int
    resources: tuple[ResourceMemory, ...]

    def copies(self) -> Iterator[tuple[ResourceMemory, int, Copy]]:
        """All copies in this heap: the resource, the index (0 even or only, 1 odd), and the copy."""
        for item in self.resources:
            for frame, copy in enumerate(item.copies):
                if copy.heap == self.number:
                    yield item, frame, copy

    @property
    def gap(self) -> float:
        """The excess of the size over the bound, as a fraction of the bound."""
        return self.size / self.clique - 1.0

    @cached_property
    def peak(self) -> Peak:
        """The first moment of the largest total in use at once."""
        starts = sorted({copy.live_range[0] % self.period for _, _, copy in self.copies()})
        used = {moment: tuple(self._used_at(moment)) for moment in starts}
        moment = max(starts, key=lambda start: sum(item.size for item in used[start]))
        return Peak(moment, used[moment])

    def _used_at(self, moment: int) -> Iterator[ResourceMemory]:
        for item, _, copy in self.copies():
            if arcs_meet(copy.live_range, (moment, moment + 1), self.period):
                yield item

    @cached_property
    def busy(self) -> int:
        """Sum of size x live range over all copies, in bytes x moments."""
        return sum(item.size * arc_length(*copy.live_range, self.period) for item, _, copy in self.copies())

    @property
    def occupancy(self) -> float:
        """The fraction of the heap's bytes x moments that is in use."""
        return self.busy / (self.size * self.period)

    @cached_property
    def unaliased_size(self) -> int:
        """The bytes without aliasing: the size of each resource, and twice that of those that need two copies.

        Without aliasing, a single copy is enough for contents that end with their frame.
        """
        places = {(item.id, frame if item.needs_two_copies else 0): item.size for item, frame, _ in self.copies()}
        return sum(places.values())

    @property
    def aliasing(self) -> float:
        """The aliasing ratio: ``unaliased_size`` / ``size``."""
        return self.unaliased_size / self.size

    @property
    def fragmentation(self) -> int:
        """The excess of the size over the load, in bytes."""
        return self.size - self.load


@dataclass(frozen=True)
class MemoryReport:
    """All heaps and resources of a plan, and the total size by baseline (empty if not requested). ``best_order`` is the
    total size in the best order found, None if it was not searched.

    ``nodes`` are the ids in order: moment i is node i of an even frame, moment ``len(nodes)`` + i the same node of an
    odd one. Baselines have one heap of any size for each memory class. ``aliasing`` is what resources share on the
    device: the heaps of one that shares whole textures have a memory class for each kind of them.
    """

    nodes: tuple[str, ...]
    heaps: tuple[HeapReport, ...]
    resources: tuple[ResourceMemory, ...]
    baselines: Mapping[str, int]
    best_order: int | None = None
    aliasing: Aliasing = Aliasing.BYTES

    @property
    def size(self) -> int:
        """Bytes of all heaps."""
        return sum(heap.size for heap in self.heaps)

    @property
    def bound(self) -> int:
        """The sum of the heaps' lower bounds, in bytes."""
        return sum(heap.clique for heap in self.heaps)

    @property
    def unaliased_size(self) -> int:
        """The bytes of all resources without aliasing, twice that of those that need two copies."""
        return sum(item.size * (2 if item.needs_two_copies else 1) for item in self.resources)


def memory_report(
    plan: Plan, *, compare: bool = False, best_order: Plan | None = None, aliasing: Aliasing = Aliasing.BYTES
) -> MemoryReport:
    """The report on a plan; ``compare`` adds the baselines for the same resources, ``best_order`` is the same frame in
    the best order found, ``aliasing`` what resources share on the device."""
    nodes = tuple(node.id for node in plan.graph.nodes)
    owners = _owners(plan)
    resources = tuple(
        sorted(
            (_resource(placed, owners[placed.id], len(nodes)) for placed in plan.placement.resources if placed.copies),
            key=lambda item: (-item.size, item.id),
        )
    )
    heaps = tuple(
        HeapReport(
            number,
            heap.memory_class,
            heap.size,
            heap.load,
            heap.clique,
            heap.optimal,
            2 * len(nodes),
            tuple(item for item in resources if any(copy.heap == number for copy in item.copies)),
        )
        for number, heap in enumerate(plan.placement.heaps)
    )
    baselines = _baselines(plan, resources, len(nodes)) if compare and resources else {}
    best = sum(heap.size for heap in best_order.placement.heaps) if best_order is not None else None
    return MemoryReport(nodes, heaps, resources, baselines, best, aliasing)


def _owners(plan: Plan) -> Mapping[str, str]:
    plugins = {node.id: node.declaration.plugin for node in plan.graph.nodes}
    return {item.id: plugins.get(item.creator, "") for item in plan.graph.resources}


def _resource(placed: PlacedResource, owner: str, nodes: int) -> ResourceMemory:
    return ResourceMemory(
        placed.id,
        owner,
        placed.size,
        placed.alignment,
        placed.copies[:1] if placed.kept else placed.copies,
        placed.has_history,
        not placed.kept and (placed.turns > 2 or outlives_frame(*placed.copies[0].live_range, 2 * nodes, nodes)),
        placed.kept,
        _description(placed),
    )


def _description(placed: PlacedResource) -> str:
    info = placed.info
    if not isinstance(info, TextureInfo) or Usage.STORAGE_WRITE in info.usages:
        return ""
    width, height = info.extent
    return f"{info.format} {width}x{height} {info.mips} {info.layers} {info.samples}"


def _baselines(plan: Plan, resources: Sequence[ResourceMemory], nodes: int) -> Mapping[str, int]:
    classes: dict[str, list[ResourceMemory]] = defaultdict(list)
    order = {placed.id: number for number, placed in enumerate(plan.placement.resources)}
    for item in sorted(resources, key=lambda item: order[item.id]):
        classes[plan.placement.heaps[item.copies[0].heap].memory_class].append(item)
    problems = [_problem(items, nodes) for items in classes.values()]
    return {name: sum(baseline(problem).total for problem in problems) for name, baseline in BASELINES.items()}


def _problem(items: Sequence[ResourceMemory], nodes: int) -> BaselineProblem:
    period = 2 * nodes
    copies: list[BaselineItem] = []
    for item in items:
        untied = item.kept or len(item.copies) > 2
        twins = (-1,) * len(item.copies) if untied else (len(copies) + 1, len(copies))
        copies += [
            BaselineItem(
                *copy.live_range, item.size, item.alignment, item.description, item.needs_two_copies or item.kept, twin
            )
            for copy, twin in zip(item.copies, twins, strict=True)
        ]
    return BaselineProblem(tuple(copies), period)

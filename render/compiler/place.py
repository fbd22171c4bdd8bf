"""place: how large every resource is, how long it lives, and where in memory it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from render.compiler.findings import Problem, Severity
from render.compiler.rates import kept_resources
from render.compiler.resolutions import ResolutionValues, resolution_values, scaled
from render.compiler.snapshot import CompileOptions, SizeInputs
from render.compiler.stages import Copy, HeapPlan, InstanceGraph, PlacedResource, Placement, ResourceInstance
from render.compiler.timeline import Timeline, timelines
from render.errors import CompileError
from render.graph.requests import FirstFrame
from render.graph.resources import Blob, Buffer, Extent, Resolution, Texture
from render.memory.bound import load
from render.memory.needs import MemoryModel, MemoryNeeds
from render.memory.packing import PackItem, pack
from render.memory.physical import BufferInfo, PhysicalInfo, TextureInfo
from render.suggest import did_you_mean
from render.sync.usages import Usage

Arc = tuple[int, int]

_STRICTEST_FIRST = (FirstFrame.CLEAR, FirstFrame.INVALID, FirstFrame.DISCARD)
_LOAD_CLEARS = frozenset({Usage.COLOR, Usage.DEPTH, Usage.RESOLVE})


def place(graph: InstanceGraph, sizes: SizeInputs, options: CompileOptions, model: MemoryModel) -> Placement:
    """Gives every resource its description and, to those that the graph owns, two places in a heap.

    Lifetimes follow the cyclic time of two frames. Raises ``CompileError`` for a size that cannot be resolved.
    """
    values = resolution_values(sizes.resolutions)
    formats = dict(sizes.external_formats)
    times = timelines(graph)
    policies = _first_frames(graph)
    kept = kept_resources(graph)
    drafts = [
        _draft(item, graph, times.get(item.id, Timeline()), values, formats, policies, model, item.id in kept)
        for item in graph.resources
    ]
    placed, heaps = _pack_heaps(drafts, 2 * len(graph.nodes), options)
    return Placement(placed, heaps, tuple(values.extents.items()), _notes(values))


@dataclass(frozen=True)
class _Draft:
    """A resource before packing; ``needs`` is None for what takes no memory of the graph's."""

    id: str
    info: PhysicalInfo | None
    needs: MemoryNeeds | None
    arcs: tuple[Arc, Arc]
    history: bool
    first: FirstFrame
    kept: bool


def _draft(
    item: ResourceInstance,
    graph: InstanceGraph,
    time: Timeline,
    values: ResolutionValues,
    formats: Mapping[str, str],
    policies: Mapping[str, FirstFrame],
    model: MemoryModel,
    kept: bool,
) -> _Draft:
    history = item.id in policies
    first = policies.get(item.id, FirstFrame.DISCARD)
    desc = item.resource.desc
    if history and item.resource.external and not isinstance(desc, Blob):
        raise CompileError(
            f'"{item.id}" comes from outside the frame and has no history',
            hint="copy it to a resource of the graph and read the history of that",
            where=item.resource.source,
        )
    info: PhysicalInfo | None = None
    if isinstance(desc, Texture):
        info = _texture_info(item, desc, time, _extent(item, desc, values), formats, kept)
    elif isinstance(desc, Buffer):
        info = _buffer_info(item, desc, time, kept)
    needs = None
    if not item.resource.external and time.nodes:
        if isinstance(info, TextureInfo):
            needs = model.texture_needs(info)
        elif isinstance(info, BufferInfo):
            needs = model.buffer_needs(info)
    arcs = ((0, 0), (0, 0))
    if needs:
        arcs = ((0, 2 * len(graph.nodes)),) * 2 if kept else _arcs(item, time, graph)
    return _Draft(item.id, info, needs, arcs, history, first, kept)


def _texture_info(
    item: ResourceInstance, desc: Texture, time: Timeline, extent: Extent, formats: Mapping[str, str], kept: bool
) -> TextureInfo:
    usages = _usages(time)
    if time.history or kept:
        # What a frame left behind is carried over when the plan changes, and cleared when there is nothing to carry.
        usages |= {Usage.COPY_SRC, Usage.COPY_DST}
    if needs_clear_command(item, time):
        usages |= {Usage.COPY_DST}
    format_name = desc.format
    if item.resource.external:
        format_name = next((formats[name] for name in (item.id, *item.resource.names) if name in formats), desc.format)
    return TextureInfo(format_name, extent, desc.mips, desc.layers, desc.samples, usages)


def _buffer_info(item: ResourceInstance, desc: Buffer, time: Timeline, kept: bool) -> BufferInfo:
    if desc.size < 1 and not item.resource.external:
        raise CompileError(
            f'buffer "{item.id}" of node "{item.creator}" has {desc.size} bytes',
            hint="give it at least one byte",
            where=item.resource.source,
        )
    usages = _usages(time)
    return BufferInfo(desc.size, usages | {Usage.COPY_SRC, Usage.COPY_DST} if time.history or kept else usages)


def needs_clear_command(item: ResourceInstance, time: Timeline) -> bool:
    """Whether the texture's first user is no attachment whose load could give it the value that its creator wants."""
    return (
        item.resource.clear is not None
        and not item.resource.external
        and isinstance(item.resource.desc, Texture)
        and bool(time.own)
        and not time.own[0].usages & _LOAD_CLEARS
    )


def _usages(time: Timeline) -> frozenset[Usage]:
    usages = frozenset(usage for access in time.own + time.history for usage in access.usages)
    return usages | {Usage.PRESENT} if time.presented else usages


def _extent(item: ResourceInstance, desc: Texture, values: ResolutionValues) -> Extent:
    if not isinstance(desc.size, Resolution):
        return scaled(desc.size, 1.0)
    name = desc.size.name
    value = values.extents.get(name)
    if value is None:
        failure = values.failures.get(name) or f'there is no resolution "{name}"'
        raise CompileError(
            f'texture "{item.id}" of node "{item.creator}" has no size: {failure}',
            hint=did_you_mean(name, values.extents),
            where=item.resource.source,
        )
    return scaled(value, desc.size.scale)


def _first_frames(graph: InstanceGraph) -> Mapping[str, FirstFrame]:
    """The strictest first-frame policy among the history readers of each resource that has any."""
    asked: dict[str, set[FirstFrame]] = {}
    for node in graph.nodes:
        for use in node.uses:
            for name in use.resources if use.history else ():
                asked.setdefault(name, set()).add(use.request.first)
    return {name: next(policy for policy in _STRICTEST_FIRST if policy in asked[name]) for name in asked}


def _arcs(item: ResourceInstance, time: Timeline, graph: InstanceGraph) -> tuple[Arc, Arc]:
    """The lives of the even and of the odd copy, half-open, on the circle of two frames of ``count`` slots each."""
    count = len(graph.nodes)
    first, last = min(time.nodes), max(time.nodes)
    if item.id in graph.sinks:
        last = count - 1
    end = last + 1
    if time.history:
        end = count + 1 + max(access.node for access in time.history)
    if any(Usage.HOST_READ in access.usages for access in time.own):
        # The host reads after the frame's fence; it has until this copy's turn comes round again.
        end = 2 * count
    return (first, end), (count + first, count + end)


def _pack_heaps(
    drafts: Sequence[_Draft], period: int, options: CompileOptions
) -> tuple[tuple[PlacedResource, ...], tuple[HeapPlan, ...]]:
    """One packing problem for each class of memory."""
    classes = sorted({draft.needs.memory_class for draft in drafts if draft.needs})
    heaps = []
    copies: dict[str, tuple[Copy, Copy]] = {}
    for heap, memory_class in enumerate(classes):
        members = [(draft, draft.needs) for draft in drafts if draft.needs and draft.needs.memory_class == memory_class]
        items: list[PackItem] = []
        first_items = []
        for draft, needs in members:
            first_items.append(len(items))
            items += _items(draft, needs, len(items))
        packing = pack(items if options.alias else [_forever(item, period) for item in items], period)
        heaps.append(HeapPlan(memory_class, packing.makespan, load(items, period)))
        for number, (draft, _) in zip(first_items, members, strict=True):
            even, odd = packing.offsets[number], packing.offsets[number if draft.kept else number + 1]
            copies[draft.id] = Copy(heap, even, draft.arcs[0]), Copy(heap, odd, draft.arcs[1])
    placed = tuple(
        PlacedResource(
            draft.id,
            draft.info,
            draft.needs.size if draft.needs else 0,
            draft.needs.alignment if draft.needs else 0,
            copies.get(draft.id, ()),
            draft.history,
            draft.first,
            draft.kept,
        )
        for draft in drafts
    )
    return placed, tuple(heaps)


def _items(draft: _Draft, needs: MemoryNeeds, number: int) -> tuple[PackItem, ...]:
    """The two copies; without history they would share an offset, so that one texture serves both frames.

    What is kept is one item: it is there in all frames alike.
    """
    even, odd = draft.arcs
    if draft.kept:
        return (PackItem(*even, needs.size, needs.alignment),)
    twins = (-1, -1) if draft.history else (number + 1, number)
    return (
        PackItem(*even, needs.size, needs.alignment, twins[0]),
        PackItem(*odd, needs.size, needs.alignment, twins[1]),
    )


def _forever(item: PackItem, period: int) -> PackItem:
    return PackItem(0, period, item.size, item.alignment)


def _notes(values: ResolutionValues) -> tuple[Problem, ...]:
    """Broken resolutions that no texture uses are worth a word; with a user, they are errors."""
    return tuple(
        Problem(Severity.NOTE, "resolution", f'resolution "{name}" has no value: {failure}')
        for name, failure in values.failures.items()
    )

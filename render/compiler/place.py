"""place: how large every resource is, and where in memory it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

from render.compiler.findings import Problem, Severity
from render.compiler.memo import Parts
from render.compiler.outline import Outline, Outlined
from render.compiler.resolutions import ResolutionValues, mips_within, resolution_values, scaled
from render.compiler.snapshot import CompileOptions, SizeInputs
from render.compiler.stages import Copy, HeapPlan, PlacedResource, Placement, ResourceInstance
from render.errors import CompileError
from render.graph.resources import Buffer, Extent, Resolution, Texture
from render.memory.blocks import pack_blocks
from render.memory.bound import load
from render.memory.needs import MemoryModel, MemoryNeeds
from render.memory.packing import PackItem, pack
from render.memory.physical import BufferInfo, PhysicalInfo, TextureInfo
from render.memory.problem import LivesOf, lives_of
from render.suggest import did_you_mean


def place(
    outline: Outline, sizes: SizeInputs, options: CompileOptions, model: MemoryModel, parts: Parts | None = None
) -> Placement:
    """Gives every resource its description and, to those that the graph owns, two places in a heap.

    Lifetimes follow the cyclic time of two frames. Raises ``CompileError`` for a size that cannot be resolved.
    """
    parts = parts or Parts()
    values = resolution_values(sizes.resolutions)
    alike = parts.of(_alike)("", outline.resources)
    drafts = _drafts(outline.resources, alike, values, dict(sizes.external_formats), model)
    # What lives when outlasts a resize.
    lives = parts.of(lives_of)
    placed, heaps = _pack_heaps(
        drafts, outline.period, options, lambda arcs, period: lives((arcs, period), arcs, period)
    )
    return Placement(placed, heaps, tuple(values.extents.items()), _notes(values))


class _Draft(NamedTuple):
    """A resource before packing; ``needs`` is None for what takes no memory of the graph's."""

    shape: Outlined
    info: PhysicalInfo | None
    needs: MemoryNeeds | None


def _alike(shapes: Sequence[Outlined]) -> tuple[int, ...]:
    """For each resource the number of the first one that is like it in all that its size, format and usages depend
    on."""
    first: dict[object, int] = {}
    alike = []
    for number, shape in enumerate(shapes):
        resource = shape.item.resource
        key = (resource.desc, shape.owned, shape.usages, shape.transient, shape.shared)
        # Formats of what comes from outside are given by name.
        alike.append(number if resource.external else first.setdefault(key, number))
    return tuple(alike)


def _drafts(
    shapes: Sequence[Outlined],
    alike: Sequence[int],
    values: ResolutionValues,
    formats: Mapping[str, str],
    model: MemoryModel,
) -> Sequence[_Draft]:
    """Descriptions of all resources; the model is asked once for those that are described alike."""
    known: dict[PhysicalInfo, MemoryNeeds] = {}
    drafts: list[_Draft] = []
    for number, (shape, first) in enumerate(zip(shapes, alike, strict=True)):
        if first != number:
            drafts.append(_Draft(shape, drafts[first].info, drafts[first].needs))
            continue
        info = _info(shape, values, formats)
        needs = None
        if shape.owned and info is not None:
            needs = known.get(info)
            if needs is None:
                needs = model.texture_needs(info) if isinstance(info, TextureInfo) else model.buffer_needs(info)
                known[info] = needs
        drafts.append(_Draft(shape, info, needs))
    return drafts


def _info(shape: Outlined, values: ResolutionValues, formats: Mapping[str, str]) -> PhysicalInfo | None:
    item, desc = shape.item, shape.item.resource.desc
    if isinstance(desc, Texture):
        extent = _extent(item, desc, values)
        format = _format(item, desc, formats)
        mips = mips_within(extent, desc.mips)
        return TextureInfo(
            format, extent, mips, desc.layers, desc.samples, shape.usages, shape.transient, shape.shared, desc.cube
        )
    return _buffer_info(item, desc, shape) if isinstance(desc, Buffer) else None


def _format(item: ResourceInstance, desc: Texture, formats: Mapping[str, str]) -> str:
    if not item.resource.external:
        return desc.format
    return next((formats[name] for name in (item.id, *item.resource.names) if name in formats), desc.format)


def _buffer_info(item: ResourceInstance, desc: Buffer, shape: Outlined) -> BufferInfo:
    if desc.size < 1 and not item.resource.external:
        raise CompileError(
            f'buffer "{item.id}" of node "{item.creator}" has {desc.size} bytes',
            hint="give it at least one byte",
            where=item.resource.source,
            node=item.resource.creator,
        )
    return BufferInfo(desc.size, shape.usages, shape.shared)


def _extent(item: ResourceInstance, desc: Texture, values: ResolutionValues) -> Extent:
    if not isinstance(desc.size, Resolution):
        return scaled(desc.size, 1.0)
    name = desc.size.name
    value = values.extents.get(name)
    if value is None:
        failure = values.failures.get(name)
        raise CompileError(
            f'texture "{item.id}" of node "{item.creator}" has no size: '
            + (failure or f'there is no resolution "{name}"'),
            hint=f'give "{name}", or what it follows, a size' if failure else did_you_mean(name, values.extents),
            where=item.resource.source,
            node=item.resource.creator,
        )
    return scaled(value, desc.size.scale)


def _pack_heaps(
    drafts: Sequence[_Draft], period: int, options: CompileOptions, lives_of: LivesOf
) -> tuple[tuple[PlacedResource, ...], tuple[HeapPlan, ...]]:
    """One packing problem for each class of memory, and for each resource that wants memory for itself."""
    groups: dict[tuple[str, str], list[tuple[Outlined, MemoryNeeds]]] = {}
    for shape, _, needs in drafts:
        if needs is not None:
            alone = shape.item.id if needs.dedicated else ""
            groups.setdefault((needs.memory_class, alone), []).append((shape, needs))
    heaps: list[HeapPlan] = []
    copies: dict[str, tuple[Copy, ...]] = {}
    for (memory_class, alone), members in sorted(groups.items(), key=lambda group: group[0]):
        items: list[PackItem] = []
        first_items = []
        for shape, needs in members:
            first_items.append(len(items))
            items += _items(shape, needs, len(items))
        limit = min([needs.size if alone else needs.heap_limit for _, needs in members])
        packed = items if options.alias else [_forever(item, period) for item in items]
        places: dict[int, tuple[int, int]] = {}
        for block in pack_blocks(packed, period, limit, lambda some: pack(some, period, options.packing, lives_of)):
            packing = block.packing
            places.update(zip(block.items, zip(repeat(len(heaps)), packing.offsets), strict=True))
            # Without aliasing, the lives that were packed are not those that count.
            bound = packing.load if options.alias else load([items[item] for item in block.items], period)
            heaps.append(HeapPlan(memory_class, packing.makespan, bound, packing.clique, packing.optimal))
        for number, (shape, _) in zip(first_items, members, strict=True):
            numbers = [number] * 2 if shape.kept else range(number, number + shape.age + 1)
            copies[shape.item.id] = tuple(
                [Copy(*places[each], shape.arcs[parity % 2]) for parity, each in enumerate(numbers)]
            )
    placed = [
        PlacedResource(
            shape.item.id,
            info,
            needs.size if needs else 0,
            needs.alignment if needs else 0,
            copies.get(shape.item.id, ()),
            shape.history,
            shape.first,
            shape.kept,
        )
        for shape, info, needs in drafts
    ]
    return tuple(placed), tuple(heaps)


def _items(shape: Outlined, needs: MemoryNeeds, number: int) -> tuple[PackItem, ...]:
    """The two copies; without history they would share an offset, so that one texture serves both frames.

    What is kept is one item: it is there in all frames alike.
    """
    even, odd = shape.arcs
    if shape.kept:
        return (PackItem(*even, needs.size, needs.alignment),)
    if shape.age > 1:
        return (PackItem(*even, needs.size, needs.alignment),) * (shape.age + 1)
    twins = (-1, -1) if shape.history else (number + 1, number)
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

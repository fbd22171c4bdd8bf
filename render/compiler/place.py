"""place: how large every resource is, and where in memory it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat

from render.columns import named, rows_of
from render.compiler.findings import Problem, Severity
from render.compiler.images import kind_of
from render.compiler.memo import Parts
from render.compiler.outline import Outline, Outlined
from render.compiler.resolutions import ResolutionValues, mips_within, resolution_values, scaled
from render.compiler.snapshot import CompileOptions, SizeInputs
from render.compiler.stages import Copy, HeapPlan, PlacedResource, Placement, ResourceInstance
from render.errors import CompileError
from render.graph.resources import Buffer, Extent, Resolution, ResourceDesc, Texture
from render.memory.blocks import pack_blocks
from render.memory.bound import load
from render.memory.needs import MemoryModel, MemoryNeeds
from render.memory.packing import PackItem, pack
from render.memory.physical import BufferInfo, PhysicalInfo, TextureInfo
from render.memory.problem import LivesOf, lives_of
from render.suggest import did_you_mean
from render.sync.usages import Usage


def place(
    outline: Outline, sizes: SizeInputs, options: CompileOptions, model: MemoryModel, parts: Parts | None = None
) -> Placement:
    """Gives every resource its description and, to those that the graph owns, two places in a heap.

    Lifetimes follow the cyclic time of two frames. Raises ``CompileError`` for a size that cannot be resolved.
    """
    parts = parts or Parts()
    values = resolution_values(sizes.resolutions)
    # What is alike, and what lives when, outlasts a resize.
    alike = parts.of(_alike)("", outline.resources)
    described = _described(outline.resources, alike, values, dict(sizes.external_formats), model, parts)
    lives = parts.of(lives_of)
    placed, heaps = _pack_heaps(
        outline.resources,
        described,
        outline.period,
        options,
        lambda arcs, period: lives((arcs, period), arcs, period),
    )
    return Placement(placed, heaps, tuple(values.extents.items()), _notes(values))


def _alike(shapes: Sequence[Outlined]) -> tuple[int, ...]:
    """For each resource the number of the first one that is like it in all that its size, format and usages depend
    on."""
    first: dict[object, int] = {}
    # The copies of a resource for several views have one description: it is looked at once.
    kinds: dict[int, int] = {}
    numbers: dict[ResourceDesc, int] = {}
    alike = []
    for number, shape in enumerate(shapes):
        resource = shape.item.resource
        desc = resource.desc
        kind = kinds.get(id(desc))
        if kind is None:
            kind = kinds[id(desc)] = numbers.setdefault(desc, len(numbers))
        key = (kind, shape.owned, shape.usages, shape.transient, shape.shared)
        # Formats of what comes from outside are given by name.
        alike.append(number if resource.external else first.setdefault(key, number))
    return tuple(alike)


Described = tuple[PhysicalInfo | None, MemoryNeeds | None]
"""A resource before packing; without needs, it takes no memory of the graph's."""


def _described(
    shapes: Sequence[Outlined],
    alike: Sequence[int],
    values: ResolutionValues,
    formats: Mapping[str, str],
    model: MemoryModel,
    parts: Parts,
) -> Sequence[Described]:
    """Descriptions of all resources; the model is asked once for those that are described alike."""
    firsts = list(dict.fromkeys(alike))
    those = [shapes[number] for number in firsts]
    found = parts.of(_description).all(
        [shape.item.id for shape in those],
        [shape.item for shape in those],
        [shape.owned for shape in those],
        [shape.usages for shape in those],
        [(shape.transient, shape.shared) for shape in those],
        *map(repeat, (values, formats, model)),
    )
    return list(map(dict(zip(firsts, found, strict=True)).__getitem__, alike))


def _description(
    item: ResourceInstance,
    owned: bool,
    usages: frozenset[Usage],
    transient_and_shared: tuple[bool, bool],
    values: ResolutionValues,
    formats: Mapping[str, str],
    model: MemoryModel,
) -> Described:
    """A resource with all of ``Outlined`` that its memory depends on."""
    desc = item.resource.desc
    transient, shared = transient_and_shared
    if isinstance(desc, Texture):
        extent = _extent(item, desc, values)
        format = _format(item, desc, formats)
        mips = mips_within(extent, desc.mips)
        texture = TextureInfo(format, extent, mips, desc.layers, desc.samples, usages, transient, shared, desc.cube)
        return texture, model.texture_needs(texture) if owned else None
    if isinstance(desc, Buffer):
        buffer = _buffer_info(item, desc, usages, shared)
        return buffer, model.buffer_needs(buffer) if owned else None
    return None, None


def _format(item: ResourceInstance, desc: Texture, formats: Mapping[str, str]) -> str:
    if not item.resource.external:
        return desc.format
    return next((formats[name] for name in (item.id, *item.resource.names) if name in formats), desc.format)


def _buffer_info(item: ResourceInstance, desc: Buffer, usages: frozenset[Usage], shared: bool) -> BufferInfo:
    if desc.size < 1 and not item.resource.external:
        raise CompileError(
            f'buffer "{item.id}" of node "{item.creator}" has {desc.size} bytes',
            hint="give it at least one byte",
            where=item.resource.source,
            node=item.resource.creator,
        )
    return BufferInfo(desc.size, usages, shared)


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
    shapes: Sequence[Outlined], described: Sequence[Described], period: int, options: CompileOptions, lives_of: LivesOf
) -> tuple[tuple[PlacedResource, ...], tuple[HeapPlan, ...]]:
    """One packing problem for each class of memory, and for each resource that wants memory for itself."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, (_, needs) in enumerate(described):
        if needs is not None:
            alone = shapes[number].item.id if needs.dedicated else ""
            groups.setdefault((needs.memory_class, alone), []).append(number)
    # Only where a life need not change its layout does it matter that another one has just left the same image.
    regrouped = options.keeps_images and options.alias
    kinds: dict[object | None, int] = {None: -1}
    heaps: list[HeapPlan] = []
    copies: list[tuple[Copy, ...]] = [()] * len(shapes)
    for (memory_class, alone), members in sorted(groups.items(), key=lambda group: group[0]):
        those = [shapes[number] for number in members]
        wanted = [needs for number in members if (needs := described[number][1]) is not None]
        numbers = [-1] * len(those)
        if regrouped:
            found = [kind_of(shape, described[number][0]) for shape, number in zip(those, members, strict=True)]
            numbers = [kinds.setdefault(kind, len(kinds)) for kind in found]
        counts = [1 if shape.kept else shape.age + 1 for shape in those]
        items = _items(those, wanted, numbers, counts)
        limit = min([needs.size if alone else needs.heap_limit for needs in wanted])
        packed = items if options.alias else [_forever(item, period) for item in items]
        heap_of = [0] * len(items)
        offsets = [0] * len(items)
        for block in pack_blocks(packed, period, limit, lambda some: pack(some, period, options.packing, lives_of)):
            packing = block.packing
            for item, offset in zip(block.items, packing.offsets, strict=True):
                heap_of[item], offsets[item] = len(heaps), offset
            # Without aliasing, the lives that were packed are not those that count.
            bound = packing.load if options.alias else load([items[item] for item in block.items], period)
            heaps.append(HeapPlan(memory_class, packing.makespan, bound, packing.clique, packing.optimal))
        made = rows_of(Copy, heap_of, offsets, [item[:2] for item in items])
        end = 0
        for number, shape, count in zip(members, those, counts, strict=True):
            start, end = end, end + count
            own = tuple(made[start:end])
            # What is kept has one copy, which serves both frames.
            copies[number] = own * 2 if shape.kept else own
    resources, _, _, _, history, first, kept, *_ = zip(*shapes, strict=True) if shapes else [()] * 7
    infos, all_needs = zip(*described, strict=True) if shapes else ((), ())
    placed = rows_of(
        PlacedResource,
        [resource.id for resource in resources],
        infos,
        [needs.size if needs else 0 for needs in all_needs],
        [needs.alignment if needs else 0 for needs in all_needs],
        copies,
        history,
        first,
        kept,
    )
    return tuple(placed), tuple(heaps)


def _items(
    shapes: Sequence[Outlined], needs: Sequence[MemoryNeeds], kinds: Sequence[int], counts: Sequence[int]
) -> list[PackItem]:
    """The copies of resources, so many of each: one if it is there in all frames alike. Two without history would share
    an offset, so that one texture serves both frames."""
    rows: list[tuple[int, int, int, int, int, None, int]] = []
    for shape, each, kind, count in zip(shapes, needs, kinds, counts, strict=True):
        size, alignment, ((start, end), (odd_start, odd_end)) = each.size, each.alignment, shape.arcs
        one = other = -1
        if count == 2 and not shape.history:
            one = len(rows)
            other = one + 1
        else:
            kind = -1
        both = (
            (start, end, size, alignment, other, None, kind),
            (odd_start, odd_end, size, alignment, one, None, kind),
        )
        rows += both if count == 2 else [both[turn % 2] for turn in range(count)]
    return named(PackItem, rows)


def _forever(item: PackItem, period: int) -> PackItem:
    return PackItem(0, period, item.size, item.alignment)


def _notes(values: ResolutionValues) -> tuple[Problem, ...]:
    """Broken resolutions that no texture uses are worth a word; with a user, they are errors."""
    return tuple(
        Problem(Severity.NOTE, "resolution", f'resolution "{name}" has no value: {failure}')
        for name, failure in values.failures.items()
    )

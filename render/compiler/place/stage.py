"""place: how large every resource is, and where in memory it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat

import numpy as np

from renderwright.render.columns import rows_of
from renderwright.render.compiler.diagnostics.findings import Problem, Severity
from renderwright.render.compiler.place.image_reuse import kind_of
from renderwright.render.compiler.resources.live_ranges import Arc
from renderwright.render.compiler.resources.requirements import Outline, Outlined
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import Copy, HeapPlan, PlacedResource, Placement
from renderwright.render.errors import CompileError
from renderwright.render.graph.resolutions import ResolutionValues, mips_within, resolution_values, scaled
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.incremental.memo import Parts
from renderwright.render.memory.blocks import pack_blocks
from renderwright.render.memory.bound import load
from renderwright.render.memory.needs import MemoryModel, MemoryNeeds
from renderwright.render.memory.packing import pack_columns
from renderwright.render.memory.problem import Columns, LivesOf, lives_of
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.physical import BufferInfo, PhysicalInfo, TextureInfo
from renderwright.render.types.resources import Buffer, Extent, Resolution, ResourceDesc, Texture
from renderwright.render.types.usages import Usage


def place(
    outline: Outline, sizes: SizeInputs, options: CompileOptions, model: MemoryModel, parts: Parts | None = None
) -> Placement:
    """Gives every resource its description and, to those that the graph owns, two places in a heap.

    Lifetimes follow the cyclic time of two frames. Raises ``CompileError`` for a size that cannot be resolved.
    """
    parts = parts or Parts()
    values = resolution_values(sizes.resolutions)
    described = _described(outline.resources, values, dict(sizes.external_formats), model, parts)
    # What lives when outlasts a resize.
    lives = parts.of(lives_of)
    placed, heaps = _pack_heaps(
        outline.resources,
        described,
        outline.period,
        options,
        lambda arcs, period: lives((arcs, period), arcs, period),
    )
    return Placement(placed, heaps, tuple(values.extents.items()), _notes(values))


Described = tuple[PhysicalInfo | None, MemoryNeeds | None]
"""A resource before packing; without needs, it takes no memory of the graph's."""


def _described(
    shapes: Sequence[Outlined], values: ResolutionValues, formats: Mapping[str, str], model: MemoryModel, parts: Parts
) -> Sequence[Described]:
    """Descriptions of all resources; the model is asked once for those that are described alike."""
    items = [shape.item for shape in shapes]
    traits = [(shape.owned, shape.usages, shape.transient, shape.shared) for shape in shapes]
    sorts = parts.of(_sort, shared=True).all([item.id for item in items], items, traits)
    first: dict[int, int] = {}
    alike = [first.setdefault(id(sort), number) for number, sort in enumerate(sorts)]
    firsts = list(first.values())
    found = parts.of(_description).all(
        [items[number].id for number in firsts],
        [items[number] for number in firsts],
        [traits[number] for number in firsts],
        *map(repeat, (values, formats, model)),
    )
    return list(map(dict(zip(firsts, found, strict=True)).__getitem__, alike))


Traits = tuple[bool, frozenset[Usage], bool, bool]
"""Whether a resource is ``owned``, its ``usages``, whether it is ``transient`` and ``shared``."""


def _sort(item: ResourceInstance, traits: Traits) -> tuple[str, ResourceDesc, Traits]:
    """All that a resource's size, format and usages depend on."""
    # Formats of what comes from outside are given by name.
    return item.id if item.resource.external else "", item.resource.desc, traits


def _description(
    item: ResourceInstance,
    traits: Traits,
    values: ResolutionValues,
    formats: Mapping[str, str],
    model: MemoryModel,
) -> Described:
    desc = item.resource.desc
    owned, usages, transient, shared = traits
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
        arcs = _arcs(those, counts)
        items = _columns(those, wanted, numbers, counts, arcs, period)
        limit = min([needs.size if alone else needs.heap_limit for needs in wanted])
        heap_of = [0] * len(arcs)
        offsets = [0] * len(arcs)
        packed = items if options.alias else _forever(items)
        for block in pack_blocks(packed, limit, lambda some: pack_columns(some, options.packing, lives_of)):
            packing = block.packing
            for item, offset in zip(block.items, packing.offsets, strict=True):
                heap_of[item], offsets[item] = len(heaps), offset
            # Without aliasing, the lives that were packed are not those that count.
            bound = packing.load if options.alias else load([items.items[item] for item in block.items], period)
            heaps.append(HeapPlan(memory_class, packing.makespan, bound, packing.clique, packing.optimal))
        made = rows_of(Copy, heap_of, offsets, arcs)
        end = 0
        for number, shape, count in zip(members, those, counts, strict=True):
            start, end = end, end + count
            own = tuple(made[start:end])
            # What is kept has one copy, which serves both frames.
            copies[number] = own * 2 if shape.kept else own
    infos, all_needs = zip(*described, strict=True) if shapes else ((), ())
    placed = rows_of(
        PlacedResource,
        [shape.item.id for shape in shapes],
        infos,
        [needs.size if needs else 0 for needs in all_needs],
        [needs.alignment if needs else 0 for needs in all_needs],
        copies,
        [shape.history for shape in shapes],
        [shape.first for shape in shapes],
        [shape.kept for shape in shapes],
    )
    return tuple(placed), tuple(heaps)


def _arcs(shapes: Sequence[Outlined], counts: Sequence[int]) -> list[Arc]:
    """The lives of the copies of resources, so many of each: one if it is there in all frames alike."""
    each = zip(shapes, counts, strict=True)
    lives = [shape.arcs if count == 2 else [shape.arcs[turn % 2] for turn in range(count)] for shape, count in each]
    return list(chain.from_iterable(lives))


def _columns(
    shapes: Sequence[Outlined],
    needs: Sequence[MemoryNeeds],
    kinds: Sequence[int],
    counts: Sequence[int],
    arcs: Sequence[Arc],
    period: int,
) -> Columns:
    """The copies with these lives. Two without history would share an offset, so that one texture serves both
    frames."""
    starts, ends = np.fromiter(chain.from_iterable(arcs), np.int64).reshape(-1, 2).T
    repeats = np.fromiter(counts, np.int64)
    sizes, alignments = (
        np.fromiter(column, np.int64).repeat(repeats)
        for column in ([each.size for each in needs], [each.alignment for each in needs])
    )
    lasting = np.fromiter([shape.history for shape in shapes], np.bool_)
    paired = (repeats == 2) & ~lasting
    ones = (repeats.cumsum() - repeats)[paired]
    own = np.where(paired, np.fromiter(kinds, np.int64), -1).repeat(repeats)
    free = np.full(len(arcs), -1)
    return Columns(period, starts, ends, sizes, alignments, free, own, (ones, ones + 1))


def _forever(items: Columns) -> Columns:
    """The same always, with no wish to share anything."""
    nobody, never = np.zeros(0, np.int64), np.zeros_like(items.starts)
    return replace(items, starts=never, ends=never, twins=(nobody, nobody), kinds=never - 1)


def _notes(values: ResolutionValues) -> tuple[Problem, ...]:
    """Broken resolutions that no texture uses are worth a word; with a user, they are errors."""
    return tuple(
        Problem(Severity.NOTE, "resolution", f'resolution "{name}" has no value: {failure}')
        for name, failure in values.failures.items()
    )

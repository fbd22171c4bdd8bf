"""Packs the copies of resources into heaps: one packing problem for each class of memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from renderwright.render.compiler.place.description import Description
from renderwright.render.compiler.place.image_reuse import ImageKind, image_kind
from renderwright.render.compiler.resources.live_ranges import LiveRange
from renderwright.render.compiler.resources.requirements import Requirements, ResourceRequirements
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import Copy, HeapPlan
from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.blocks import pack_blocks
from renderwright.render.memory.bound import load
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.memory.packing import pack


@dataclass(frozen=True)
class PackedHeaps:
    """The heaps, and the copies of each resource that takes memory, by resource id."""

    heaps: tuple[HeapPlan, ...]
    copies: Mapping[str, tuple[Copy, ...]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A resource to be packed, with the live range of each copy. Textures of equal ``kind`` can be one image in turn;
    None is no kind."""

    resource: ResourceRequirements
    needs: MemoryNeeds
    live_ranges: tuple[LiveRange, ...]
    kind: ImageKind | None


def pack_heaps(
    requirements: Requirements,
    descriptions: Sequence[Description],
    options: CompileOptions,
    between: Callable[[], None],
) -> PackedHeaps:
    """Packs all resources that take memory; a dedicated one has heaps of its own. The packer calls ``between``."""
    pack_chosen = partial(pack, policy=options.packing, between=between)
    heaps: list[HeapPlan] = []
    copies: dict[str, tuple[Copy, ...]] = {}
    for (memory_class, dedicated), members in sorted(_by_memory_class(requirements, descriptions, options).items()):
        # The heap of a dedicated resource is as large as one copy, so copies that are in use at once have a heap each.
        limit = min([member.needs.size if dedicated else member.needs.heap_limit for member in members])
        # The packer breaks ties by position, so names must not decide it.
        members.sort(key=_position)
        items = _items(members)
        packed = items if options.alias else [_without_aliasing(item, requirements.period) for item in items]
        placed: dict[int, Copy] = {}
        for block in pack_blocks(packed, requirements.period, limit, pack_chosen):
            packing = block.packing
            for number, offset in zip(block.items, packing.offsets, strict=True):
                placed[number] = Copy(len(heaps), offset, (items[number].start, items[number].end))
            # Without aliasing, the packed live ranges are not the real ones.
            packed = [items[number] for number in block.items]
            largest_load = packing.load if options.alias else load(packed, requirements.period)
            heaps.append(HeapPlan(memory_class, packing.makespan, largest_load, packing.clique, packing.optimal))
        first = 0
        for member in members:
            end = first + len(member.live_ranges)
            own = tuple([placed[number] for number in range(first, end)])
            # The one copy of a kept resource serves even and odd frames.
            copies[member.resource.item.id] = own * 2 if member.resource.kept else own
            first = end
    return PackedHeaps(tuple(heaps), copies)


def _by_memory_class(
    requirements: Requirements, descriptions: Sequence[Description], options: CompileOptions
) -> dict[tuple[str, str], list[_Candidate]]:
    """The resources of each packing problem: by class of memory, and by id if they are dedicated (else '')."""
    # Only where an image can keep its layout does it matter which texture used the same memory before.
    by_image = options.keeps_images and options.alias
    found: dict[tuple[str, str], list[_Candidate]] = {}
    for resource, description in zip(requirements.resources, descriptions, strict=True):
        needs = description.needs
        if needs is None:
            continue
        kind = image_kind(resource, description.info) if by_image else None
        key = needs.memory_class, resource.item.id if needs.dedicated else ""
        found.setdefault(key, []).append(_Candidate(resource, needs, _live_ranges(resource), kind))
    return found


def _live_ranges(resource: ResourceRequirements) -> tuple[LiveRange, ...]:
    """The live range of each copy. A kept resource has one copy, another one a copy for each frame until the first is
    written again."""
    ranges = resource.live_ranges
    assert ranges is not None, f"{resource.item.id} takes no memory of the graph"
    if resource.kept:
        return ranges[:1]
    if resource.age == 1:
        return ranges
    return tuple([ranges[copy % 2] for copy in range(resource.age + 1)])


def _position(member: _Candidate) -> tuple[object, ...]:
    """Sort key of the resources of a packing problem. Those that only their names tell apart are interchangeable."""
    needs, resource = member.needs, member.resource
    kind = "" if member.kind is None else member.kind.sort_key
    return member.live_ranges, -needs.size, -needs.alignment, resource.has_history, kind, resource.item.id


def _items(members: Sequence[_Candidate]) -> list[PackItem]:
    """The copies of the resources. The two copies of a resource without history prefer one offset, so that one texture
    serves both frames."""
    items: list[PackItem] = []
    number_of_kind: dict[ImageKind, int] = {}
    for member in members:
        needs, ranges, first = member.needs, member.live_ranges, len(items)
        paired = len(ranges) == 2 and not member.resource.has_history
        twins = (first + 1, first) if paired else (-1,) * len(ranges)
        kind = -1 if member.kind is None else number_of_kind.setdefault(member.kind, len(number_of_kind))
        for (start, end), twin in zip(ranges, twins, strict=True):
            items.append(PackItem(start, end, needs.size, needs.alignment, twin, kind=kind))
    return items


def _without_aliasing(item: PackItem, period: int) -> PackItem:
    """The item alive at all times: it shares its bytes with no other, not even with its twin."""
    return PackItem(0, period, item.size, item.alignment)

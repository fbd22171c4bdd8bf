"""image_reuse: which textures are one image in turn, where all textures are in the general layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.resources.requirements import Requirements, ResourceRequirements
from renderwright.render.compiler.sync.byte_ranges import ByteOverlaps
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.sync.images import NO_REUSE, CopyKey, ImageReuse
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import PhysicalInfo, TextureInfo
from renderwright.render.types.resources import Extent, Resolution, Texture
from renderwright.render.types.usages import Usage


@dataclass(frozen=True, slots=True)
class ImageKind:
    """Equal for textures that could be one image, at whatever resolution: of two sizes that are equal now, a dynamic
    resolution may change one."""

    info: TextureInfo
    size: Resolution | Extent
    mips: int

    @property
    def sort_key(self) -> str:
        """The same in every process, as the order of a set's elements is not."""
        usages = sorted([usage.value for usage in self.info.usages])
        return repr((replace(self.info, usages=frozenset()), usages, self.size, self.mips))


@dataclass(frozen=True, slots=True)
class _ImageUse:
    """The live range of a copy, and the image that it is.

    ``image`` is None for a copy that has an image of its own and is brought into its layout in every frame.
    """

    copy: CopyKey
    start: int
    end: int
    image: object | None


def image_reuse(
    graph: InstanceGraph,
    histories: Mapping[str, AccessHistory],
    requirements: Requirements,
    placement: Placement,
    overlaps: ByteOverlaps,
    queues: Sequence[str],
) -> ImageReuse:
    """Textures of one description at one place in memory are one image.

    A copy finds its image in the layout if the last use of any of its bytes, in this frame or in one before, was of the
    same image. Histories, and textures that are used by parts, have images of their own; histories stay in their layout
    only where no other resource shares the memory. Excluded are resources with one copy for all frames, those read more
    than a frame later, those that the host reads, those whose creator does not run in every frame, and those with a
    part that some frames do not use; and all of them where there is more than one queue.
    """
    if not set(queues) <= {GRAPHICS}:
        return NO_REUSE
    uses = list(_image_uses(graph, histories, requirements, placement))
    period, carried_over = requirements.period, requirements.carried_over
    keep_layout = frozenset(
        use.copy for use, stays in zip(uses, _in_layout(uses, overlaps, period), strict=True) if stays
    )
    by_image: dict[object, list[_ImageUse]] = {}
    for use in sorted(uses, key=lambda use: (use.start, use.copy)):
        if use.image is not None and use.copy[0] not in carried_over:
            by_image.setdefault(use.image, []).append(use)
    history_copies = sorted(copy for copy in keep_layout if copy[0] in carried_over)
    return ImageReuse(
        tuple(sorted(_names(by_image.values()))),
        keep_layout,
        (
            _initial_transitions(by_image.values(), keep_layout, 0, period),
            _initial_transitions(by_image.values(), keep_layout, period // 2, period),
        ),
        (
            tuple([copy for copy in history_copies if copy[1] == 0]),
            tuple([copy for copy in history_copies if copy[1] != 0]),
        ),
    )


def _names(images: Iterable[Sequence[_ImageUse]]) -> Iterator[tuple[CopyKey, str]]:
    """The name of the image of each copy that shares one."""
    for uses in images:
        if len(uses) > 1:
            name = _name([use.copy for use in uses])
            yield from [(use.copy, name) for use in uses]


def _initial_transitions(
    images: Iterable[Sequence[_ImageUse]], keep_layout: Set[CopyKey], frame_start: int, period: int
) -> tuple[CopyKey, ...]:
    """The first copy of each image in a frame, if the image is in its layout when the frame begins."""
    first_uses = [min(uses, key=lambda use: (use.start - frame_start) % period) for uses in images]
    return tuple(sorted([use.copy for use in first_uses if use.copy in keep_layout]))


def _image_uses(
    graph: InstanceGraph, histories: Mapping[str, AccessHistory], requirements: Requirements, placement: Placement
) -> Iterator[_ImageUse]:
    """The uses by all copies, in the order of ``ByteOverlaps.copies``."""
    rated = {node.id for node in graph.rated}
    for resource, placed in zip(requirements.resources, placement.resources, strict=True):
        eligible = (
            _can_keep_layout(resource)
            and resource.item.creator not in rated
            and not _leaves_parts_out(graph, histories[placed.id])
        )
        # A texture that shares no image has its own, and so has each copy of a history.
        kind = image_kind(resource, placed.info) if eligible and not histories[placed.id].cells else placed.id
        for number, copy in enumerate(placed.copies):
            image = (copy.heap, copy.offset, kind, number if resource.has_history else None)
            start, end = copy.live_range
            yield _ImageUse((placed.id, number), start, end, image if eligible else None)


def _leaves_parts_out(graph: InstanceGraph, history: AccessHistory) -> bool:
    """Whether frames that skip nodes may not use, and so not bring into its layout, a part that others do."""
    for cell in history.cells:
        users = [graph.nodes[access.node].declaration for access in (*cell.own, *cell.history_reads)]
        if users and all(map(is_rated, users)):
            return True
    return False


def image_kind(resource: ResourceRequirements, info: PhysicalInfo | None) -> ImageKind | None:
    """The kind of a texture; None for what cannot share an image."""
    desc = resource.item.resource.desc
    if not isinstance(desc, Texture) or not isinstance(info, TextureInfo):
        return None
    if resource.has_history or not _can_keep_layout(resource):
        return None
    return ImageKind(info, desc.size, desc.mips)


def _can_keep_layout(resource: ResourceRequirements) -> bool:
    holds_its_memory = resource.kept or resource.age > 1 or Usage.HOST_READ in resource.usages
    return resource.owned and not holds_its_memory and isinstance(resource.item.resource.desc, Texture)


def _name(members: Sequence[CopyKey]) -> str:
    """The names of the textures; where only one copy of a texture is among the members, with its frame."""
    found: dict[str, None] = {}
    for name, copy in members:
        one_parity = (name, 1 - copy) not in members
        found[f"{name} ({'odd' if copy else 'even'})" if one_parity else name] = None
    return ", ".join(found)


def _in_layout(uses: Sequence[_ImageUse], overlaps: ByteOverlaps, period: int) -> Sequence[bool]:
    """For each use, whether the last use before it of any of its bytes was of the same image."""
    if not uses:
        return ()
    numbers = {image: number for number, image in enumerate(dict.fromkeys([use.image for use in uses]))}
    images = np.array([numbers[use.image] for use in uses], np.int64)
    starts = np.array([use.start for use in uses], np.int64)
    ends = np.array([use.end for use in uses], np.int64)
    begins, other = overlaps.by_copy
    use = np.arange(len(uses)).repeat(np.diff(begins, append=len(other)))
    ago = (starts[use] - ends[other]) % period
    same = images[use] == images[other]
    since_same = np.minimum.reduceat(np.where(same, ago, period), begins)
    since_other = np.minimum.reduceat(np.where(same, period, ago), begins)
    found: list[bool] = ((since_same < since_other) & (images != numbers.get(None, -1))).tolist()
    return found

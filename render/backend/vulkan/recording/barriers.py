"""Converts barriers and attachments from Vulkan's structs to the stream's."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.constants import QUEUE_FAMILY_IGNORED, WHOLE_SIZE
from renderwright.render.backend.vulkan.recording.objects import Objects, number_of
from renderwright.render.backend.vulkan.recording.pipelines import LAYOUT_NAMES
from renderwright.render.sync.oracle.stream import Attachment, Dependency, Range

_ALL_LEVELS = 0xFFFFFFFF
_LOADS = {
    lib.VK_ATTACHMENT_LOAD_OP_LOAD: "load",
    lib.VK_ATTACHMENT_LOAD_OP_CLEAR: "clear",
    lib.VK_ATTACHMENT_LOAD_OP_DONT_CARE: "dont_care",
}
_STORES = {
    lib.VK_ATTACHMENT_STORE_OP_STORE: "store",
    lib.VK_ATTACHMENT_STORE_OP_DONT_CARE: "dont_care",
}


def subresources(part: CData) -> Range:
    """The range of a VkImageSubresourceRange."""
    mips = None if part.levelCount == _ALL_LEVELS else (int(part.baseMipLevel), int(part.levelCount))
    layers = None if part.layerCount == _ALL_LEVELS else (int(part.baseArrayLayer), int(part.layerCount))
    return Range(mips, layers)


def mip_layers(part: CData) -> Range:
    """The range of a VkImageSubresourceLayers."""
    return Range((int(part.mipLevel), 1), (int(part.baseArrayLayer), int(part.layerCount)))


def dependencies(info: CData, objects: Objects) -> tuple[Dependency, ...]:
    """The barriers of a VkDependencyInfo."""
    return tuple(_dependencies(info, objects))


def _dependencies(info: CData, objects: Objects) -> Iterator[Dependency]:
    for number in range(info.memoryBarrierCount):
        yield Dependency(*_masks(info.pMemoryBarriers[number]))
    for number in range(info.bufferMemoryBarrierCount):
        barrier = info.pBufferMemoryBarriers[number]
        handle = number_of(barrier.buffer)
        size = None if barrier.size == WHOLE_SIZE else int(barrier.size)
        part = objects.part(handle, Range(offset=int(barrier.offset), size=size))
        name = objects.resource(handle)
        yield Dependency(*_masks(barrier), name, part, families=_families(barrier))
    for number in range(info.imageMemoryBarrierCount):
        barrier = info.pImageMemoryBarriers[number]
        handle = number_of(barrier.image)
        part = objects.part(handle, subresources(barrier.subresourceRange))
        layouts = LAYOUT_NAMES[barrier.oldLayout], LAYOUT_NAMES[barrier.newLayout]
        yield Dependency(*_masks(barrier), objects.resource(handle), part, *layouts, _families(barrier))


def _masks(barrier: CData) -> tuple[int, int, int, int]:
    return (
        int(barrier.srcStageMask),
        int(barrier.srcAccessMask),
        int(barrier.dstStageMask),
        int(barrier.dstAccessMask),
    )


def _families(barrier: CData) -> tuple[int, int] | None:
    families = int(barrier.srcQueueFamilyIndex), int(barrier.dstQueueFamilyIndex)
    return None if families[0] == families[1] or QUEUE_FAMILY_IGNORED in families else families


def attachments(info: CData, objects: Objects) -> tuple[Attachment, ...]:
    """The attachments of a VkRenderingInfo; several of each if the views of its mask are not contiguous."""
    colors = [info.pColorAttachments[number] for number in range(info.colorAttachmentCount)]
    spans: list[tuple[int, int] | None] = [*view_spans(int(info.viewMask))] or [None]
    found = [_attachment(one, "color", objects, span) for one in colors if one.imageView != NULL for span in spans]
    if info.pDepthAttachment != NULL and info.pDepthAttachment.imageView != NULL:
        found += [_attachment(info.pDepthAttachment[0], "depth", objects, span) for span in spans]
    return tuple(found)


def view_spans(mask: int) -> list[tuple[int, int]]:
    """The runs of set bits of a view mask, as (first, count)."""
    spans: list[tuple[int, int]] = []
    for bit in range(mask.bit_length()):
        if mask >> bit & 1:
            if spans and sum(spans[-1]) == bit:
                spans[-1] = (spans[-1][0], spans[-1][1] + 1)
            else:
                spans.append((bit, 1))
    return spans


def _of_views(part: Range, span: tuple[int, int] | None) -> Range:
    """The layers of an image view that rendering to those views accesses."""
    if span is None:
        return part
    first = part.layers[0] if part.layers is not None else 0
    return Range(part.mips, (first + span[0], span[1]))


def _attachment(info: CData, aspect: str, objects: Objects, span: tuple[int, int] | None) -> Attachment:
    view = objects.views[number_of(info.imageView)]
    resolved: tuple[str, str, Range] | tuple[()] = ()
    if info.resolveMode != lib.VK_RESOLVE_MODE_NONE and info.resolveImageView != NULL:
        target = objects.views[number_of(info.resolveImageView)]
        layout = LAYOUT_NAMES[info.resolveImageLayout]
        resolved = objects.resource(target.image), layout, objects.part(target.image, _of_views(target.range, span))
    return Attachment(
        objects.resource(view.image),
        aspect,
        LAYOUT_NAMES[info.imageLayout],
        _LOADS.get(info.loadOp, "none"),
        _STORES.get(info.storeOp, "none"),
        objects.part(view.image, _of_views(view.range, span)),
        *resolved,
    )

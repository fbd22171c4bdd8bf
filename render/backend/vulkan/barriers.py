"""Planned barriers as the structs of vkCmdPipelineBarrier2."""

from __future__ import annotations

from collections.abc import Sequence

from render.backend.protocol import BoundBarrier
from render.backend.vulkan.api import CData
from render.backend.vulkan.arena import Arena
from render.backend.vulkan.buffers import VulkanBuffer
from render.backend.vulkan.constants import QUEUE_FAMILY_IGNORED, WHOLE_SIZE
from render.backend.vulkan.textures import Presents, VulkanTexture, whole_aspect
from render.memory.physical import TextureInfo
from render.sync.flags import Access, Layout, Stage


def image_barrier(
    arena: Arena,
    image: CData,
    info: TextureInfo,
    source: tuple[Stage, Access, Layout],
    target: tuple[Stage, Access, Layout],
    mips: tuple[int, int] | None = None,
) -> CData:
    """A barrier on all layers of an image, and on all its mips or on (first, count) of them."""
    first, count = mips or (0, info.mips)
    return arena.new(
        "VkImageMemoryBarrier2",
        srcStageMask=int(source[0]),
        srcAccessMask=int(source[1]),
        dstStageMask=int(target[0]),
        dstAccessMask=int(target[1]),
        oldLayout=int(source[2]),
        newLayout=int(target[2]),
        srcQueueFamilyIndex=QUEUE_FAMILY_IGNORED,
        dstQueueFamilyIndex=QUEUE_FAMILY_IGNORED,
        image=image,
        subresourceRange={
            "aspectMask": whole_aspect(info),
            "baseMipLevel": first,
            "levelCount": count,
            "layerCount": info.layers,
        },
    )


def dependency(
    arena: Arena, images: Sequence[CData] = (), buffers: Sequence[CData] = (), memory: Sequence[CData] = ()
) -> CData:
    """A VkDependencyInfo over the given barrier structs."""
    return arena.new(
        "VkDependencyInfo",
        memoryBarrierCount=len(memory),
        pMemoryBarriers=arena.array("VkMemoryBarrier2", memory),
        bufferMemoryBarrierCount=len(buffers),
        pBufferMemoryBarriers=arena.array("VkBufferMemoryBarrier2", buffers),
        imageMemoryBarrierCount=len(images),
        pImageMemoryBarriers=arena.array("VkImageMemoryBarrier2", images),
    )


def memory_barrier(arena: Arena, source: tuple[Stage, Access], target: tuple[Stage, Access]) -> CData:
    """A barrier on all memory."""
    return arena.new(
        "VkMemoryBarrier2",
        srcStageMask=int(source[0]),
        srcAccessMask=int(source[1]),
        dstStageMask=int(target[0]),
        dstAccessMask=int(target[1]),
    )


def planned_dependency(arena: Arena, barriers: Sequence[BoundBarrier]) -> CData:
    """The VkDependencyInfo of planned barriers on their physical resources."""
    images, buffers = [], []
    for bound in barriers:
        if isinstance(bound.physical, VulkanTexture):
            images.append(_planned_image(arena, bound, bound.physical))
        else:
            assert isinstance(bound.physical, VulkanBuffer)
            buffers.append(_planned_buffer(arena, bound, bound.physical))
    return dependency(arena, images, buffers)


def _planned_image(arena: Arena, bound: BoundBarrier, texture: VulkanTexture) -> CData:
    barrier = bound.barrier
    source = (barrier.src_stages, barrier.src_access, barrier.old_layout)
    target = (barrier.dst_stages, barrier.dst_access, barrier.new_layout)
    if texture.presents is not Presents.NOTHING and barrier.old_layout is Layout.UNDEFINED:
        source = _acquired(source, texture.presents)
    if barrier.new_layout is Layout.PRESENT_SRC:
        target = _presented(target, texture.presents)
    if barrier.old_layout is Layout.PRESENT_SRC and texture.presents is not Presents.SWAPCHAIN:
        source = (source[0], source[1], Layout.TRANSFER_SRC)
    return image_barrier(arena, texture.image, texture.info, source, target)


def _acquired(source: tuple[Stage, Access, Layout], presents: Presents) -> tuple[Stage, Access, Layout]:
    # A swapchain image is waited for at colour output; the last frame left an offscreen one to the copy stage.
    # Sourcing there chains this barrier behind that.
    stage = Stage.COLOR_ATTACHMENT_OUTPUT if presents is Presents.SWAPCHAIN else Stage.COPY
    return source[0] | stage, source[1], source[2]


def _presented(target: tuple[Stage, Access, Layout], presents: Presents) -> tuple[Stage, Access, Layout]:
    if presents is Presents.SWAPCHAIN:
        # Presentation needs no stage, but with one the semaphore it waits for is signalled after the layout change.
        return target[0] | Stage.COLOR_ATTACHMENT_OUTPUT, target[1], target[2]
    return target[0] | Stage.COPY, target[1] | Access.TRANSFER_READ, Layout.TRANSFER_SRC


def _planned_buffer(arena: Arena, bound: BoundBarrier, buffer: VulkanBuffer) -> CData:
    barrier = bound.barrier
    return arena.new(
        "VkBufferMemoryBarrier2",
        srcStageMask=int(barrier.src_stages),
        srcAccessMask=int(barrier.src_access),
        dstStageMask=int(barrier.dst_stages),
        dstAccessMask=int(barrier.dst_access),
        srcQueueFamilyIndex=QUEUE_FAMILY_IGNORED,
        dstQueueFamilyIndex=QUEUE_FAMILY_IGNORED,
        buffer=buffer.handle,
        size=WHOLE_SIZE,
    )

"""Planned barriers as the structs of vkCmdPipelineBarrier2."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.protocol import BoundBarrier
from renderwright.render.backend.vulkan.api import CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.constants import QUEUE_FAMILY_IGNORED, WHOLE_SIZE
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.textures import Presents, VulkanTexture, whole_aspect
from renderwright.render.sync.barriers import Barrier, MemoryBarrier
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.physical import Physical, TextureInfo

Families = tuple[int, int]

_NO_TRANSFER = (QUEUE_FAMILY_IGNORED, QUEUE_FAMILY_IGNORED)


def image_barrier(
    arena: Arena,
    image: CData,
    info: TextureInfo,
    source: tuple[Stage, Access, Layout],
    target: tuple[Stage, Access, Layout],
    mips: tuple[int, int] | None = None,
    families: Families = _NO_TRANSFER,
    layers: tuple[int, int] | None = None,
) -> CData:
    """A VkImageMemoryBarrier2 for all mips and layers of an image, or (first, count) of them.

    ``families`` are the queue families of an ownership transfer.
    """
    first, count = mips or (0, info.mips)
    first_layer, layer_count = layers or (0, info.layers)
    return arena.new(
        "VkImageMemoryBarrier2",
        srcStageMask=int(source[0]),
        srcAccessMask=int(source[1]),
        dstStageMask=int(target[0]),
        dstAccessMask=int(target[1]),
        oldLayout=int(source[2]),
        newLayout=int(target[2]),
        srcQueueFamilyIndex=families[0],
        dstQueueFamilyIndex=families[1],
        image=image,
        subresourceRange={
            "aspectMask": whole_aspect(info),
            "baseMipLevel": first,
            "levelCount": count,
            "baseArrayLayer": first_layer,
            "layerCount": layer_count,
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
    """A global memory barrier."""
    return arena.new(
        "VkMemoryBarrier2",
        srcStageMask=int(source[0]),
        srcAccessMask=int(source[1]),
        dstStageMask=int(target[0]),
        dstAccessMask=int(target[1]),
    )


def planned_dependency(
    arena: Arena, barriers: Sequence[BoundBarrier | MemoryBarrier], queue: str, device: Device
) -> CData:
    """The VkDependencyInfo of planned barriers on their physical resources, on a queue.

    Concurrent resources and queues of one family need no ownership transfer. The acquire is then omitted, and the
    release is only issued if it changes the layout. The semaphore between the queues provides the dependency.
    """
    images, buffers, memory = [], [], []
    for bound in barriers:
        if isinstance(bound, MemoryBarrier):
            source, target = (bound.src_stages, bound.src_access), (bound.dst_stages, bound.dst_access)
            memory.append(memory_barrier(arena, source, target))
            continue
        barrier, physical = bound.barrier, bound.physical
        families = _families(barrier, physical, device)
        if barrier.owners is not None and families == _NO_TRANSFER:
            acquires = barrier.owners[1] == queue
            if acquires or barrier.old_layout == barrier.new_layout:
                continue
        if isinstance(physical, VulkanTexture):
            images.append(_planned_image(arena, barrier, physical, families))
        else:
            assert isinstance(physical, VulkanBuffer)
            buffers.append(_planned_buffer(arena, barrier, physical, families))
    return dependency(arena, images, buffers, memory)


def _families(barrier: Barrier, physical: Physical, device: Device) -> Families:
    if barrier.owners is None or physical.info.concurrent:
        return _NO_TRANSFER
    source, target = (device.families[queue] for queue in barrier.owners)
    return _NO_TRANSFER if source == target else (source, target)


def _planned_image(arena: Arena, barrier: Barrier, texture: VulkanTexture, families: Families) -> CData:
    source = (barrier.src_stages, barrier.src_access, barrier.old_layout)
    target = (barrier.dst_stages, barrier.dst_access, barrier.new_layout)
    if texture.presents is not Presents.NOTHING and barrier.old_layout is Layout.UNDEFINED:
        source = _acquired(source, texture.presents)
    if barrier.new_layout is Layout.PRESENT_SRC:
        target = _presented(target, texture.presents)
    if barrier.old_layout is Layout.PRESENT_SRC and texture.presents is not Presents.SWAPCHAIN:
        source = (source[0], source[1], Layout.TRANSFER_SRC)
    return image_barrier(arena, texture.image, texture.info, source, target, barrier.mips, families, barrier.layers)


def _acquired(source: tuple[Stage, Access, Layout], presents: Presents) -> tuple[Stage, Access, Layout]:
    # The acquire semaphore of a swapchain image waits at colour output, and the last frame released an offscreen target
    # to the copy stage. A source scope with that stage chains this barrier to it.
    stage = Stage.COLOR_ATTACHMENT_OUTPUT if presents is Presents.SWAPCHAIN else Stage.COPY
    return source[0] | stage, source[1], source[2]


def _presented(target: tuple[Stage, Access, Layout], presents: Presents) -> tuple[Stage, Access, Layout]:
    if presents is Presents.SWAPCHAIN:
        # Presentation needs no stage, but this one orders the layout change before the signal of its semaphore.
        return target[0] | Stage.COLOR_ATTACHMENT_OUTPUT, target[1], target[2]
    return target[0] | Stage.COPY, target[1] | Access.TRANSFER_READ, Layout.TRANSFER_SRC


def _planned_buffer(arena: Arena, barrier: Barrier, buffer: VulkanBuffer, families: Families) -> CData:
    return arena.new(
        "VkBufferMemoryBarrier2",
        srcStageMask=int(barrier.src_stages),
        srcAccessMask=int(barrier.src_access),
        dstStageMask=int(barrier.dst_stages),
        dstAccessMask=int(barrier.dst_access),
        srcQueueFamilyIndex=families[0],
        dstQueueFamilyIndex=families[1],
        buffer=buffer.handle,
        size=WHOLE_SIZE,
    )

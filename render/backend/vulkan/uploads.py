"""Fills textures and buffers from the host, through staging memory."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.backend.vulkan.api import CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.barriers import dependency, image_barrier, memory_barrier
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.textures import VulkanTexture, view_aspect
from renderwright.render.backend.vulkan.transfers import Transfers
from renderwright.render.errors import BackendError
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.physical import TextureInfo

_Use = tuple[Stage, Access, Layout]

_NOTHING = (Stage.NONE, Access.NONE)
_COPY_WRITE = (Stage.COPY, Access.TRANSFER_WRITE)
_BLIT_READ = (Stage.BLIT, Access.TRANSFER_READ)
_BLIT_WRITE = (Stage.BLIT, Access.TRANSFER_WRITE)
_EVERYTHING = (Stage.ALL_COMMANDS, Access.MEMORY_READ | Access.MEMORY_WRITE)
_READS = (Stage.ALL_COMMANDS, Access.MEMORY_READ)


def upload_texture(device: Device, transfers: Transfers, texture: VulkanTexture, data: memoryview) -> None:
    """Fill mip 0, make the other mips from it, and leave the texture in SHADER_READ_ONLY."""
    info = texture.info
    require_blits(device, info, texture.name)

    def record(target: CData, staging: CData) -> None:
        arena = Arena()
        vk = device.dispatch

        first = (Stage.COPY | Stage.BLIT, Access.TRANSFER_WRITE, Layout.TRANSFER_DST)
        fresh = image_barrier(arena, texture.image, info, (*_NOTHING, Layout.UNDEFINED), first)
        vk.vkCmdPipelineBarrier2(target, dependency(arena, [fresh]))
        region = arena.new(
            "VkBufferImageCopy",
            imageSubresource={"aspectMask": view_aspect(info), "layerCount": info.layers},
            imageExtent={"width": info.extent[0], "height": info.extent[1], "depth": 1},
        )
        vk.vkCmdCopyBufferToImage(target, staging, texture.image, int(Layout.TRANSFER_DST), 1, region)
        record_mips(device, target, texture, _COPY_WRITE)

    _run(transfers, data, record)


def record_mips(device: Device, target: CData, texture: VulkanTexture, written: tuple[Stage, Access]) -> None:
    """Record on a graphics queue that the other mips are made from mip 0, which is ``written``, and leave the texture
    in SHADER_READ_ONLY; all of it is in TRANSFER_DST."""
    info, arena = texture.info, Arena()

    def barrier(source: _Use, goal: _Use, mips: tuple[int, int]) -> None:
        struct = image_barrier(arena, texture.image, info, source, goal, mips)
        device.dispatch.vkCmdPipelineBarrier2(target, dependency(arena, [struct]))

    done = (*_READS, Layout.SHADER_READ_ONLY)
    for mip in range(1, info.mips):
        barrier((*written, Layout.TRANSFER_DST), (*_BLIT_READ, Layout.TRANSFER_SRC), (mip - 1, 1))
        _blit(device, arena, target, texture, mip)
        written = _BLIT_WRITE
    if info.mips > 1:
        barrier((*_BLIT_READ, Layout.TRANSFER_SRC), done, (0, info.mips - 1))
    barrier((*written, Layout.TRANSFER_DST), done, (info.mips - 1, 1))


def upload_buffer(device: Device, transfers: Transfers, buffer: VulkanBuffer, data: bytes) -> None:
    """Write ``data`` to the start of the buffer."""
    if len(data) > buffer.info.size:
        raise BackendError(f"{len(data)} bytes do not fit into {buffer.name!r} of {buffer.info.size}")
    if buffer.data is not None:
        buffer.data[: len(data)] = data
        return

    def record(target: CData, staging: CData) -> None:
        arena = Arena()
        region = arena.new("VkBufferCopy", size=len(data))
        device.dispatch.vkCmdCopyBuffer(target, staging, buffer.handle, 1, region)
        after = memory_barrier(arena, _COPY_WRITE, _EVERYTHING)
        device.dispatch.vkCmdPipelineBarrier2(target, dependency(arena, memory=[after]))

    if data:
        _run(transfers, data, record)


def _run(transfers: Transfers, data: bytes | memoryview, record: Callable[[CData, CData], None]) -> None:
    with transfers.staging(len(data), "upload") as staging:
        assert staging.data is not None
        staging.data[:] = data
        transfers.run(lambda target: record(target, staging.handle))


def _blit(device: Device, arena: Arena, target: CData, texture: VulkanTexture, mip: int) -> None:
    width, height = texture.info.extent
    layers = {"aspectMask": view_aspect(texture.info), "layerCount": texture.info.layers}

    def corners(level: int) -> list[dict[str, int]]:
        return [{}, {"x": max(1, width >> level), "y": max(1, height >> level), "z": 1}]

    region = arena.new(
        "VkImageBlit",
        srcSubresource={**layers, "mipLevel": mip - 1},
        srcOffsets=corners(mip - 1),
        dstSubresource={**layers, "mipLevel": mip},
        dstOffsets=corners(mip),
    )
    device.dispatch.vkCmdBlitImage(
        target,
        texture.image,
        int(Layout.TRANSFER_SRC),
        texture.image,
        int(Layout.TRANSFER_DST),
        1,
        region,
        lib.VK_FILTER_LINEAR,
    )


def require_blits(device: Device, info: TextureInfo, name: str) -> None:
    """``BackendError`` unless the device can make the texture's mips, if it has several."""
    needed = (
        lib.VK_FORMAT_FEATURE_BLIT_SRC_BIT
        | lib.VK_FORMAT_FEATURE_BLIT_DST_BIT
        | lib.VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
    )
    if info.mips > 1 and device.format_features(info.format) & needed != needed:
        raise BackendError(
            f'{device.physical.name} cannot make mips of {name!r} in format "{info.format}"',
            hint="create the texture with one mip, or in another format",
        )

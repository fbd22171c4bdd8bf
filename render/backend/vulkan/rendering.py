"""Converts a pass's attachments to the structs of vkCmdBeginRendering."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.protocol import AttachedTexture
from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.errors import BackendError
from renderwright.render.formats import Aspect, format_named
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.resources import ClearValue, Extent
from renderwright.render.types.usages import Usage
from renderwright.render.types.views import view_mask

_LOADS = {
    Load.LOAD: lib.VK_ATTACHMENT_LOAD_OP_LOAD,
    Load.CLEAR: lib.VK_ATTACHMENT_LOAD_OP_CLEAR,
    Load.DISCARD: lib.VK_ATTACHMENT_LOAD_OP_DONT_CARE,
}
_STORES = {Store.STORE: lib.VK_ATTACHMENT_STORE_OP_STORE, Store.DISCARD: lib.VK_ATTACHMENT_STORE_OP_DONT_CARE}

Attached = tuple[Attachment, VulkanTexture, Layout]


def rendering_info(arena: Arena, attachments: Sequence[AttachedTexture], extent: Extent, views: int = 1) -> CData:
    """The VkRenderingInfo of a pass with multiview of ``views`` views.

    Colours are in the given order; resolve targets belong to the multisampled colours in order.
    """
    colors: list[Attached] = []
    resolves: list[Attached] = []
    depth = NULL
    for attachment, texture, layout in attachments:
        assert isinstance(texture, VulkanTexture)
        if attachment.usage is Usage.COLOR:
            colors.append((attachment, texture, layout))
        elif attachment.usage is Usage.RESOLVE:
            resolves.append((attachment, texture, layout))
        else:
            depth = _depth(arena, attachment, texture, layout)
    return arena.new(
        "VkRenderingInfo",
        renderArea={"extent": {"width": extent[0], "height": extent[1]}},
        layerCount=min((_layers(attachment, texture) for attachment, texture, _ in attachments), default=1),
        viewMask=view_mask(views),
        colorAttachmentCount=len(colors),
        pColorAttachments=arena.array("VkRenderingAttachmentInfo", _colors(arena, colors, resolves)),
        pDepthAttachment=depth,
    )


def clear_color(format_name: str, value: ClearValue) -> dict[str, list[float] | list[int]]:
    """A VkClearColorValue: floats, or integers for an integer format."""
    if format_name.endswith("_uint"):
        return {"uint32": [int(part) for part in value]}
    if format_name.endswith("_sint"):
        return {"int32": [int(part) for part in value]}
    return {"float32": list(value)}


def _layers(attachment: Attachment, texture: PhysicalTexture) -> int:
    return attachment.part.layers[1] if attachment.part.layers is not None else texture.info.layers


def _colors(arena: Arena, colors: Sequence[Attached], resolves: Sequence[Attached]) -> list[CData]:
    waiting = list(resolves)
    structs = []
    for attachment, texture, layout in colors:
        struct = arena.new(
            "VkRenderingAttachmentInfo",
            imageView=texture.target_view(attachment.part),
            imageLayout=int(layout),
            loadOp=_LOADS[attachment.load],
            storeOp=_STORES[attachment.store],
            clearValue={"color": clear_color(texture.info.format, attachment.clear)},
        )
        if texture.info.samples > 1 and waiting:
            integer = texture.info.format.endswith(("_uint", "_sint"))
            struct.resolveMode = lib.VK_RESOLVE_MODE_SAMPLE_ZERO_BIT if integer else lib.VK_RESOLVE_MODE_AVERAGE_BIT
            target, single, resolved = waiting.pop(0)
            struct.resolveImageView = single.target_view(target.part)
            struct.resolveImageLayout = int(resolved)
        structs.append(struct)
    if waiting:
        raise BackendError(
            f"{waiting[0][1].name!r} is a resolve target of a pass that has no multisampled colour for it",
            hint="give the colour attachment more samples, or drop the resolve request",
        )
    return structs


def _depth(arena: Arena, attachment: Attachment, texture: VulkanTexture, layout: Layout) -> CData:
    if format_named(texture.info.format).aspect is Aspect.COLOR:
        raise BackendError(f'{texture.name!r} is a depth attachment, but "{texture.info.format}" is no depth format')
    read_only = attachment.usage is Usage.DEPTH_READ
    return arena.new(
        "VkRenderingAttachmentInfo",
        imageView=texture.target_view(attachment.part),
        imageLayout=int(layout),
        loadOp=_LOADS[attachment.load],
        # A store is a write access, which a read-only attachment must not have.
        storeOp=lib.VK_ATTACHMENT_STORE_OP_NONE if read_only else _STORES[attachment.store],
        clearValue={"depthStencil": {"depth": attachment.clear[0]}},
    )

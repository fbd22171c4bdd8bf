"""Images: creation of a VkImage from a TextureInfo, and textures with their views."""

from __future__ import annotations

from enum import Enum

from renderwright.render.backend.resource_limits import TextureLimits, require_texture, require_usable
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.errors import BackendError
from renderwright.render.formats import Aspect, format_named, without_encoding
from renderwright.render.shaders.dimensions import Dimension, misfit
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage

_USAGE_BITS = {
    Usage.COLOR: lib.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    Usage.RESOLVE: lib.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    Usage.DEPTH: lib.VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
    Usage.DEPTH_READ: lib.VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
    Usage.SAMPLED: lib.VK_IMAGE_USAGE_SAMPLED_BIT,
    Usage.STORAGE: lib.VK_IMAGE_USAGE_STORAGE_BIT,
    Usage.STORAGE_READ: lib.VK_IMAGE_USAGE_STORAGE_BIT,
    Usage.STORAGE_WRITE: lib.VK_IMAGE_USAGE_STORAGE_BIT,
}
_FEATURE_BITS = {
    lib.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT: lib.VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT,
    lib.VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT: lib.VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT,
    lib.VK_IMAGE_USAGE_SAMPLED_BIT: lib.VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
    lib.VK_IMAGE_USAGE_STORAGE_BIT: lib.VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT,
}
# Every texture with memory can be cleared, copied and read back, whatever its declared usages.
_ALWAYS = lib.VK_IMAGE_USAGE_TRANSFER_SRC_BIT | lib.VK_IMAGE_USAGE_TRANSFER_DST_BIT

_SAMPLE_BITS = 7
"""The bits of a VkSampleCountFlags: from 1 to 64 samples."""

_MIP_0 = Part(mips=(0, 1))


_VIEW_TYPES = {
    Dimension.D2: lib.VK_IMAGE_VIEW_TYPE_2D,
    Dimension.D2_ARRAY: lib.VK_IMAGE_VIEW_TYPE_2D_ARRAY,
    Dimension.CUBE: lib.VK_IMAGE_VIEW_TYPE_CUBE,
    Dimension.CUBE_ARRAY: lib.VK_IMAGE_VIEW_TYPE_CUBE_ARRAY,
}


class Presents(Enum):
    """What happens to a texture at the end of the frame."""

    NOTHING = "it belongs to no target"
    SWAPCHAIN = "the presentation engine takes it"
    OFFSCREEN = "it stays as a source of copies"


class VulkanTexture:
    """A VkImage with a view of the whole for sampling and a view of mip 0 for attachments and storage.

    Further views, of parts or in other dimensions, are created at their first use. A view is null if no usage needs it.
    Shaders store to an sRGB texture through views without the encoding, since no device stores encoded values.
    ``memory`` is null if a heap, a swapchain or another API owns it. The texture takes ownership of image and memory,
    even if its constructor raises, unless the image is ``borrowed``.
    """

    def __init__(
        self,
        device: Device,
        info: TextureInfo,
        name: str,
        image: CData,
        *,
        memory: CData = NULL,
        presents: Presents = Presents.NOTHING,
        borrowed: bool = False,
    ) -> None:
        self.info = info
        self.name = name
        self.released = False
        self.image = image
        self.presents = presents
        self._device = device
        self._memory = memory
        self._borrowed = borrowed or presents is Presents.SWAPCHAIN
        # The default view of a cube array is a 2D array, because not every device supports views of cube arrays.
        self._dimension = Dimension.CUBE if not misfit(info, WHOLE, Dimension.CUBE) else _flat(info, WHOLE)
        self._parts: dict[tuple[Part, Dimension], CData] = {}
        self._stored: dict[tuple[Part, Dimension], CData] = {}
        self.view: CData = NULL
        self.mip_view: CData = NULL
        device.name(lib.VK_OBJECT_TYPE_IMAGE, image, name)
        try:
            self.view = self._view(WHOLE, self._dimension, "")
            plain = info.mips == 1 and self._dimension is _flat(info, WHOLE)
            self.mip_view = self.view if plain else self._view(_MIP_0, _flat(info, _MIP_0), " mip 0")
        except BaseException:
            self.release()
            raise

    def sampled_view(self, part: Part = WHOLE, dimension: Dimension | None = None) -> CData:
        """The view for sampling a part, in a dimension that it supports; by default the texture's own dimension."""
        if part == WHOLE and dimension in (None, self._dimension):
            return self.view
        dimension = dimension or _flat(self.info, part)
        return self._part_view(part, dimension)

    def target_view(self, part: Part = WHOLE, dimension: Dimension | None = None) -> CData:
        """The view of one mip of a part (by default the largest) for attachments and storage: 2D or an array."""
        flat = _flat(self.info, part)
        if part == WHOLE and dimension in (None, flat):
            return self.mip_view
        return self._part_view(Part(part.mips or (0, 1), part.layers), dimension or flat)

    def storage_view(self, part: Part = WHOLE, dimension: Dimension | None = None) -> CData:
        """The view of one mip of a part (by default the largest) that shaders store to."""
        if not _stores_encoded(self.info):
            return self.target_view(part, dimension)
        key = Part(part.mips or (0, 1), part.layers), dimension or _flat(self.info, part)
        if key not in self._stored:
            self._stored[key] = self._view(*key, f" {part} to store to", stored=True)
        return self._stored[key]

    def _part_view(self, part: Part, dimension: Dimension) -> CData:
        view = self._parts.get((part, dimension))
        if view is None:
            suffix = f" {part}" if dimension is _flat(self.info, part) else f" {part} as {dimension}"
            view = self._parts[part, dimension] = self._view(part, dimension, suffix)
        return view

    def release(self) -> None:
        """Destroy the views, and the image and memory if the texture owns them."""
        self.released = True
        dispatch, handle = self._device.dispatch, self._device.handle
        for view in {self.view, self.mip_view, *self._parts.values(), *self._stored.values()} - {NULL}:
            dispatch.vkDestroyImageView(handle, view, NULL)
        if not self._borrowed:
            dispatch.vkDestroyImage(handle, self.image, NULL)
        if self._memory != NULL:
            dispatch.vkFreeMemory(handle, self._memory, NULL)

    def _view(self, part: Part, dimension: Dimension, suffix: str, *, stored: bool = False) -> CData:
        if not any(usage in _USAGE_BITS for usage in self.info.usages):
            return NULL
        if dimension is Dimension.CUBE_ARRAY and "imageCubeArray" not in self._device.features:
            raise BackendError(
                f"{self._device.physical.name} cannot sample {self.name!r}: it does not support cube arrays",
                hint="use one texture for each cube, or sample it as a sampler2DArray",
            )
        arena = Arena()
        format_name, uses = self.info.format, NULL
        if _stores_encoded(self.info):
            storage = lib.VK_IMAGE_USAGE_STORAGE_BIT
            format_name = without_encoding(format_name) if stored else format_name
            usage = storage if stored else _usage_bits(self._device, self.info) & ~storage
            uses = arena.new("VkImageViewUsageCreateInfo", usage=usage)
        mip, mips = part.mips or (0, self.info.mips)
        layer, layers = part.layers or (0, self.info.layers)
        info = arena.new(
            "VkImageViewCreateInfo",
            pNext=uses,
            image=self.image,
            viewType=_VIEW_TYPES[dimension],
            format=format_named(format_name).vk,
            subresourceRange={
                "aspectMask": view_aspect(self.info),
                "baseMipLevel": mip,
                "levelCount": mips,
                "baseArrayLayer": layer,
                "layerCount": layers,
            },
        )
        view = arena.out("VkImageView")
        check(
            self._device.dispatch.vkCreateImageView(self._device.handle, info, NULL, view),
            f"create a view of {self.name!r}",
        )
        self._device.name(lib.VK_OBJECT_TYPE_IMAGE_VIEW, view[0], self.name + suffix)
        return view[0]


def image_handle(number: int) -> CData:
    """The VkImage of a handle that another API gave as a number."""
    return ffi.cast("VkImage", number)


def _flat(info: TextureInfo, part: Part) -> Dimension:
    """The dimension of a part as a render target: one layer is 2D, several are an array, also of a cube."""
    return Dimension.D2 if (part.layers or (0, info.layers))[1] == 1 else Dimension.D2_ARRAY


def view_aspect(info: TextureInfo) -> int:
    """The aspect of shaders, attachments and copies: colour or depth."""
    color = format_named(info.format).aspect is Aspect.COLOR
    return int(lib.VK_IMAGE_ASPECT_COLOR_BIT if color else lib.VK_IMAGE_ASPECT_DEPTH_BIT)


def whole_aspect(info: TextureInfo) -> int:
    """All aspects of the image, for barriers."""
    aspect = view_aspect(info)
    if format_named(info.format).aspect is Aspect.DEPTH_STENCIL:
        aspect |= lib.VK_IMAGE_ASPECT_STENCIL_BIT
    return aspect


def image_info(arena: Arena, device: Device, info: TextureInfo) -> CData:
    """The VkImageCreateInfo of a texture.

    Textures that share memory pass no contents on, so none has VK_IMAGE_CREATE_ALIAS_BIT, which disables compression on
    some drivers. Raises ``BackendError`` if the device does not support the format with these usages.
    """
    usage = _usage_bits(device, info)
    _require_limits(device, info, usage)
    formats = NULL
    if _stores_encoded(info):
        numbers = [format_named(name).vk for name in (info.format, without_encoding(info.format))]
        views = arena.array("VkFormat", numbers)
        formats = arena.new("VkImageFormatListCreateInfo", viewFormatCount=len(numbers), pViewFormats=views)
    return arena.new(
        "VkImageCreateInfo",
        pNext=formats,
        flags=_create_flags(info),
        imageType=lib.VK_IMAGE_TYPE_2D,
        format=format_named(info.format).vk,
        extent={"width": info.extent[0], "height": info.extent[1], "depth": 1},
        mipLevels=info.mips,
        arrayLayers=info.layers,
        samples=info.samples,
        tiling=lib.VK_IMAGE_TILING_OPTIMAL,
        usage=usage,
        initialLayout=lib.VK_IMAGE_LAYOUT_UNDEFINED,
        **device.sharing(arena, concurrent=info.concurrent),
    )


def _create_flags(info: TextureInfo) -> int:
    flags = lib.VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT if info.cube else 0
    if _stores_encoded(info):
        flags |= lib.VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | lib.VK_IMAGE_CREATE_EXTENDED_USAGE_BIT
    return int(flags)


def _stores_encoded(info: TextureInfo) -> bool:
    """Whether shaders store to an sRGB texture, which takes values that they have encoded."""
    return Usage.STORAGE_WRITE in info.usages and format_named(info.format).srgb


def create_image(device: Device, info: TextureInfo, name: str) -> CData:
    """A VkImage without memory."""
    arena = Arena()
    image = arena.out("VkImage")
    result = device.dispatch.vkCreateImage(device.handle, image_info(arena, device, info), NULL, image)
    check(result, f"create the texture {name!r}")
    return image[0]


def _usage_bits(device: Device, info: TextureInfo) -> int:
    require_usable(device.physical.name, info, lambda name, usage: _usable(device, name, usage))
    lazy = info.transient and device.memory.lazy
    bits = lib.VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT if lazy else _ALWAYS
    for usage in info.usages:
        bits |= _USAGE_BITS.get(usage, 0)
    return int(bits)


def _usable(device: Device, format_name: str, usage: Usage) -> bool:
    bit = _USAGE_BITS.get(usage, 0)
    stores = usage is Usage.STORAGE_WRITE
    features = device.format_features(without_encoding(format_name) if stores else format_name)
    return not bit or bool(features & _FEATURE_BITS[bit])


def _require_limits(device: Device, info: TextureInfo, usage: int) -> None:
    limits = ffi.new("VkImageFormatProperties*")
    flags = _create_flags(info)
    number = format_named(info.format).vk
    result = device.dispatch.vkGetPhysicalDeviceImageFormatProperties(
        device.physical.handle, number, lib.VK_IMAGE_TYPE_2D, lib.VK_IMAGE_TILING_OPTIMAL, usage, flags, limits
    )
    check(result, f'use textures of format "{info.format}" as {", ".join(sorted(info.usages))}')
    most = TextureLimits(
        width=limits.maxExtent.width,
        height=limits.maxExtent.height,
        layers=limits.maxArrayLayers,
        mips=limits.maxMipLevels,
        samples=tuple(1 << bit for bit in range(_SAMPLE_BITS) if limits.sampleCounts & 1 << bit),
        bytes=limits.maxResourceSize,
    )
    require_texture(device.physical.name, info, most)

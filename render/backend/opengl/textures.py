"""Textures: storage, and views of their parts."""

from __future__ import annotations

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check
from renderwright.render.backend.opengl.formats import pixel_format
from renderwright.render.backend.resource_limits import TextureLimits, require_texture, require_usable
from renderwright.render.errors import BackendError
from renderwright.render.formats import Aspect, format_named, without_encoding
from renderwright.render.memory.whole_textures import TextureKind, texture_kind
from renderwright.render.shaders.dimensions import Dimension
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import ATTACHMENTS, Usage

_TARGETS = {
    Dimension.D2: gl.TEXTURE_2D,
    Dimension.D2_ARRAY: gl.TEXTURE_2D_ARRAY,
    Dimension.CUBE: gl.TEXTURE_CUBE_MAP,
    Dimension.CUBE_ARRAY: gl.TEXTURE_CUBE_MAP_ARRAY,
}
_MULTISAMPLED = {
    gl.TEXTURE_2D: gl.TEXTURE_2D_MULTISAMPLE,
    gl.TEXTURE_2D_ARRAY: gl.TEXTURE_2D_MULTISAMPLE_ARRAY,
}


class Storage:
    """The immutable storage of a texture: one layer is 2D, several are an array, also of a cube.

    Raises ``OutOfMemoryError`` if the driver has no room, and ``BackendError`` for what it cannot have.
    """

    def __init__(self, device: Device, kind: TextureKind, name: str) -> None:
        self._device = device
        self.kind = kind
        self.target = _target(Dimension.D2 if kind.layers == 1 else Dimension.D2_ARRAY, kind.samples)
        api = device.api
        check(api, "go on")
        self.handle = api.create("Textures", self.target)
        internal, (width, height) = pixel_format(kind.format).internal, kind.extent
        if kind.samples == 1 and kind.layers == 1:
            api.glTextureStorage2D(self.handle, kind.mips, internal, width, height)
        elif kind.samples == 1:
            api.glTextureStorage3D(self.handle, kind.mips, internal, width, height, kind.layers)
        elif kind.layers == 1:
            api.glTextureStorage2DMultisample(self.handle, kind.samples, internal, width, height, 1)
        else:
            api.glTextureStorage3DMultisample(self.handle, kind.samples, internal, width, height, kind.layers, 1)
        try:
            check(api, f"create the texture {name!r} ({kind})")
        except BackendError:
            api.delete("Textures", self.handle)
            raise
        device.label(gl.TEXTURE_OBJECT, self.handle, name)

    def release(self) -> None:
        """Delete it."""
        self._device.api.delete("Textures", self.handle)


class GLTexture:
    """A texture with views of its parts, created at their first use.

    ``handle`` is the whole of it. Its ``storage`` belongs to a heap unless it is ``own``. Shaders store to an sRGB
    texture through views without the encoding, since no device stores encoded values.
    """

    def __init__(self, device: Device, info: TextureInfo, name: str, storage: Storage, *, own: bool) -> None:
        require_possible(device, info)
        self.info = info
        self.name = name
        self.released = False
        self.storage = storage
        self.handle = storage.handle
        self._device = device
        self._own = own
        self._views: dict[tuple[Part, Dimension, str], int] = {}

    def view(self, part: Part = WHOLE, dimension: Dimension | None = None, format_name: str = "") -> int:
        """The texture's name for a part in a dimension, by default as it is attached: 2D or an array.

        ``format_name`` reads the same bytes in another format.
        """
        info, kind = self.info, self.storage.kind
        mips, layers = part.mips or (0, info.mips), part.layers or (0, info.layers)
        dimension = dimension or (Dimension.D2 if layers[1] == 1 else Dimension.D2_ARRAY)
        target = _target(dimension, info.samples)
        format_name = format_name or kind.format
        whole = (mips, layers) == ((0, kind.mips), (0, kind.layers))
        if whole and target == self.storage.target and format_name == kind.format:
            return self.handle
        key = Part(mips, layers), dimension, format_name
        known = self._views.get(key)
        if known is None:
            api = self._device.api
            known = api.create_name("Textures")
            api.glTextureView(known, target, self.handle, pixel_format(format_name).internal, *mips, *layers)
            check(api, f"create a view of {self.name!r} ({part or 'all'} as {dimension})")
            self._views[key] = known
        return known

    def stored_view(self, part: Part, dimension: Dimension) -> int:
        """The view of one mip of a part (by default the largest) that shaders store to."""
        return self.view(Part(part.mips or (0, 1), part.layers), dimension, without_encoding(self.storage.kind.format))

    def release(self) -> None:
        """Delete the views, and the storage if the texture owns it."""
        self.released = True
        for gone in self._device.texture_gone:
            gone(self)
        for view in self._views.values():
            self._device.api.delete("Textures", view)
        self._views.clear()
        if self._own:
            self.storage.release()


def own_texture(device: Device, info: TextureInfo, name: str) -> GLTexture:
    """A texture with storage of its own; contents are undefined."""
    require_possible(device, info)
    return GLTexture(device, info, name, Storage(device, texture_kind(info), name), own=True)


def is_depth(info: TextureInfo) -> bool:
    """Whether a texture holds depth."""
    return format_named(info.format).aspect is not Aspect.COLOR


def _target(dimension: Dimension, samples: int) -> int:
    target = _TARGETS[dimension]
    return _MULTISAMPLED[target] if samples > 1 else target


def require_possible(device: Device, info: TextureInfo) -> None:
    """Raise ``BackendError`` for a texture that the device cannot have or cannot use so."""
    require_usable(device.name, info, lambda name, usage: _possible(device, name, usage))
    counts = device.sample_counts(info.format) if info.samples > 1 else ()
    most = device.most_texels
    limits = TextureLimits(most, most, device.most_layers, most.bit_length(), (1, *counts))
    require_texture(device.name, info, limits)


def _possible(device: Device, format_name: str, usage: Usage) -> bool:
    if usage in ATTACHMENTS:
        depth = format_named(format_name).aspect is not Aspect.COLOR
        fits = depth is (usage in (Usage.DEPTH, Usage.DEPTH_READ))
        return fits and device.supports(format_name, gl.FRAMEBUFFER_RENDERABLE)
    if usage is Usage.STORAGE_WRITE:
        return device.supports(without_encoding(format_name), gl.SHADER_IMAGE_STORE)
    if usage in (Usage.STORAGE, Usage.STORAGE_READ):
        # Some drivers say that images can be sRGB, and no format in a shader is.
        return not format_named(format_name).srgb and device.supports(format_name, gl.SHADER_IMAGE_STORE)
    return True

"""The null backend's offscreen target."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.backend.null.resources import NullTexture
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.errors import BackendError
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage

CreateTexture = Callable[[TextureInfo, str], NullTexture]

_USAGES = frozenset({Usage.COLOR, Usage.PRESENT, Usage.COPY_SRC})


class NullTarget:
    """A texture for each frame slot, or none while the extent has no texels (like a minimised window)."""

    format = "rgba8_srgb"
    windowed = False

    def __init__(
        self,
        extent: Extent,
        create: CreateTexture,
        destroy: Callable[[NullTexture], None],
        forget: Callable[[NullTarget], None],
    ) -> None:
        self.extent = extent
        self.paced = True
        self.closed = False
        self._create = create
        self._destroy = destroy
        self._forget = forget
        self._textures: list[NullTexture] = []
        self.resize(extent)

    def acquire(self, slot: int) -> NullTexture | None:
        """The slot's texture, or None while the extent has no texels."""
        self.check_open()
        return self._textures[slot] if self._textures else None

    def resize(self, extent: Extent) -> None:
        """Replace the textures by ones of that size."""
        self.check_open()
        self._destroy_textures()
        self.extent = extent
        if min(extent) > 0:
            info = TextureInfo(self.format, extent, 1, 1, 1, _USAGES)
            names = [f"target {slot}" for slot in range(FRAMES_IN_FLIGHT)]
            self._textures = [self._create(info, name) for name in names]

    def close(self) -> None:
        """Destroy the textures; closing twice is harmless."""
        if not self.closed:
            self._destroy_textures()
            self.closed = True
            self._forget(self)

    def check_open(self) -> None:
        """Raise ``BackendError`` if the target is closed."""
        if self.closed:
            raise BackendError("the target is closed")

    def _destroy_textures(self) -> None:
        for texture in self._textures:
            self._destroy(texture)
        self._textures = []

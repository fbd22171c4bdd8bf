"""A target that is one texture, whatever the graphics API."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from renderwright.render.backend.timeline import Releasable
from renderwright.render.errors import BackendError
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage

T = TypeVar("T", bound=Releasable)


class TextureTarget(ABC, Generic[T]):
    """A texture that all frames render to.

    ``retire`` releases a texture once the frames that use it have finished. ``close`` calls ``closed``.
    """

    windowed = False

    def __init__(
        self, extent: Extent, retire: Callable[[Releasable], None], closed: Callable[[TextureTarget[Any]], None]
    ) -> None:
        self.format = "rgba8_srgb"
        self.extent = extent
        self.paced = True
        self._retire_later = retire
        self._closed = closed
        self._texture: T | None = self._create(extent)

    @abstractmethod
    def _create(self, extent: Extent) -> T:
        """A texture of that size."""

    def _described(self, extent: Extent) -> TextureInfo:
        """What the texture has to be."""
        usages = frozenset({Usage.COLOR, Usage.COPY_SRC})
        return TextureInfo(self.format, extent, mips=1, layers=1, samples=1, usages=usages)

    def acquire(self, slot: int) -> T | None:
        """The texture, which is the same for all slots."""
        if self._texture is None:
            raise BackendError("the target is closed")
        return self._texture

    def resize(self, extent: Extent) -> None:
        """Recreate the texture in another size."""
        if extent != self.extent:
            texture = self._create(extent)
            self._retire()
            self._texture, self.extent = texture, extent

    def close(self) -> None:
        """Destroy the texture once the frames that use it have finished."""
        self._retire()
        self._closed(self)

    def present(self) -> bool:
        """Return True: the texture always fits."""
        return True

    def release(self) -> None:
        """Destroy the texture at once."""
        if self._texture is not None:
            self._texture.release()
            self._texture = None

    def _retire(self) -> None:
        if self._texture is not None:
            self._retire_later(self._texture)
            self._texture = None

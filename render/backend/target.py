"""The protocol of what frames are shown in."""

from __future__ import annotations

from typing import Protocol

from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.resources import Extent


class Target(Protocol):
    """The destination of frames: a window's swapchain, or an offscreen texture.

    Frames in a window wait for the display. Set ``paced`` to False between frames if something else paces them.
    """

    format: str
    extent: Extent
    windowed: bool
    paced: bool

    def acquire(self, slot: int) -> PhysicalTexture | None:
        """The texture to render to, or None if nothing can be shown now (minimised)."""

    def resize(self, extent: Extent) -> None:
        """Change the size, (width, height) in texels."""

    def close(self) -> None:
        """Release everything."""

"""Photo mode: time stands still, and a camera flies free."""

from __future__ import annotations

from pyglm import glm

from renderwright.engine.free_camera import FreeCamera
from renderwright.engine.game import PictureWish
from renderwright.games.gallery.walker import EYES, FOV_Y, Walker

SIZES: tuple[tuple[str, PictureWish], ...] = (
    ("1920 x 1080", PictureWish((1920, 1080), (1, 1))),
    ("4K, 2 x 2 tiles", PictureWish((3840, 2160), (2, 2))),
    ("8K, 4 x 4 tiles", PictureWish((7680, 4320), (4, 4))),
    ("16K, 8 x 8 tiles", PictureWish((15360, 8640), (8, 8))),
)
_REACH = 12.0
"""Metres that the camera may be away from the visitor along each axis."""


class PhotoCamera(FreeCamera):
    """The free camera, which begins with what a visitor sees. ``size`` is the number of that of its pictures."""

    def __init__(self, walker: Walker) -> None:
        super().__init__(glm.vec3(walker.x, EYES, walker.z), walker.gaze, FOV_Y, reach=_REACH)
        self.size = 0

    @property
    def wish(self) -> PictureWish:
        """The picture to take."""
        return SIZES[self.size][1]

"""One view of the scene."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.frustum import Frustum
from renderwright.engine.views.crop import Bend, Crop
from renderwright.engine.views.rectangle import Rectangle
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class View:
    """The view of one instance of the nodes that are repeated over views.

    ``camera`` gives position, rotation and near plane; ``frustum`` replaces its field of view. ``rectangle`` is the
    part of the output. ``offset`` is the subpixel offset of the samples, in texels to the right and down. ``player`` is
    the index of the view's player. With a ``hud_panel`` (size in texels), the player's HUD is laid out in that size and
    shown by the plugin that set it; otherwise it is drawn over the rectangle. ``crop`` is the part of a picture that is
    rendered in several parts. ``bend`` is a final distortion of the picture. ``size`` is the size of the view's
    pictures in texels if it differs from the rectangle's; the pictures are then scaled to the output.
    """

    camera: Camera
    frustum: Frustum
    rectangle: Rectangle
    player: int = 0
    offset: tuple[float, float] = (0.0, 0.0)
    hud_panel: Extent | None = None
    crop: Crop | None = None
    bend: Bend | None = None
    size: Extent | None = None

    @classmethod
    def of(cls, camera: Camera, rectangle: Rectangle, player: int = 0) -> View:
        """The view of a camera in a rectangle, with the camera's vertical field of view."""
        return cls(camera, camera.frustum(rectangle.aspect), rectangle, player)

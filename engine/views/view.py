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
    """What one instance of the nodes that are repeated over views shows, and where.

    ``camera`` gives position, rotation and near plane; its field of view does not matter any more, ``frustum`` does.
    ``rectangle`` is the part of the output. ``offset`` moves the samples by so many texels to the right and down
    within the texels. ``player`` is the number of the player whose view it is, from 0. With a ``hud_panel``, in texels,
    that player's HUD is laid out in that size, and shown by whoever gave it; without, it is drawn over the rectangle.
    ``crop`` says which part of a picture that is rendered in parts this one shows. With a ``bend``, what is shown at a
    place of the picture was rendered at another. ``size`` is that of the view's pictures, in texels, where it is not
    the rectangle's: they are then scaled to the output.
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
        """All that a camera sees, in a rectangle; the field of view is the camera's vertical one."""
        return cls(camera, camera.frustum(rectangle.aspect), rectangle, player)

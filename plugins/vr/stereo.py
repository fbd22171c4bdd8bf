"""Split of a player's view into a view for each eye."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.engine.scene.algebra import rotate
from renderwright.engine.views import Frustum, Rectangle, View, ViewSet
from renderwright.engine.views.view_set import EYE
from renderwright.plugins.vr.bend import LensBend
from renderwright.plugins.vr.headset import NO_LENS, Eye, Headset, Lens, Look, Pose
from renderwright.render import Extent


@dataclass(frozen=True)
class Eyes:
    """The split over the dimension ``eye``: two views side by side within the rectangle of the whole view."""

    eyes: tuple[Eye, Eye]
    """Relative to the camera of the whole view, in game units."""
    displays: tuple[Rectangle, Rectangle]
    """Rectangle of each eye's picture, relative to the rectangle of the whole view."""
    lens: Lens = NO_LENS
    """Lens that each eye's picture is corrected for."""
    count: int = 2
    size: Extent | None = None
    """Size of each eye's picture if the output only mirrors it."""

    def part(self, view: View, number: int) -> View:
        """The view of an eye."""
        eye, place = self.eyes[number], self.displays[number]
        pose = Pose(view.camera.position, view.camera.orientation()).then(eye.pose)
        camera = Camera(pose.position, rotation=pose.rotation, near=view.camera.near, layers=view.camera.layers)
        box = view.rectangle
        return replace(
            view,
            camera=camera,
            frustum=eye.frustum,
            rectangle=Rectangle(box.x + place.x, box.y + place.y, place.width, place.height),
            bend=LensBend(self.lens, eye.frustum) if self.lens != NO_LENS else None,
            size=self.size,
        )


def in_stereo(views: ViewSet, headset: Headset, scale: float, hud_panel: Extent, *, fill: bool) -> ViewSet:
    """Replace the cameras' views by views of the headset, each split over the eyes.

    All players have the same headset, so they share one split. If the number of wearers is limited, the output is a
    mirror. While the headset shows nothing, the views do not change.
    """
    look = headset.look(views.time)
    if look is None:
        return views
    mirrored, worn = headset.wearers is not None, views.views
    if mirrored:
        mirror = Rectangle.of(views.output)
        worn = tuple(replace(view, rectangle=mirror) for view in worn[: headset.wearers])
    heads, back = [], 0.0
    for view in worn:
        whole, back = whole_view(view, look, scale, fill=fill)
        heads.append(replace(whole, hud_panel=hud_panel))
    split = eyes_of(heads[0], look, back, scale, headset)
    if mirrored:
        split = replace(split, size=headset.display)
        views = replace(views, paced=True)
    return views.showing(tuple(heads)).split(EYE, split)


def whole_view(view: View, look: Look, scale: float, *, fill: bool) -> tuple[View, float]:
    """A view that contains both eyes' frusta, and the distance of its apex behind the eyes, in game units.

    The head is at the camera's position. The apex is moved back until the sides of the frustum coincide with the outer
    sides of the eyes' frusta. ``scale`` is game units per metre. With ``fill``, the seat moves towards the camera's
    target until the target covers the same share of an eye's picture as of the camera's picture.
    """
    frusta = [eye.frustum for eye in look.eyes]
    aspect = view.rectangle.aspect
    tall = max(max(one.up, one.down) for one in frusta)
    wide = max(max(one.left, one.right) for one in frusta)
    tall = max(tall, wide / aspect)
    apart = max(abs(eye.pose.position.x) for eye in look.eyes) * scale
    back = apart / (tall * aspect)
    camera = view.camera
    seat = Pose(_seat(camera, frusta) if fill else camera.position, camera.orientation())
    head = seat.then(Pose(look.head.position * scale, look.head.rotation))
    behind = head.position + rotate(head.rotation, glm.vec3(0.0, 0.0, back))
    frustum = Frustum(tall * aspect, tall * aspect, tall, tall)
    fov_y = 2.0 * math.atan(tall)
    watching = Camera(behind, rotation=head.rotation, fov_y=fov_y, near=camera.near, layers=camera.layers)
    return replace(view, camera=watching, frustum=frustum), back


def _seat(camera: Camera, frusta: list[Frustum]) -> glm.vec3:
    if camera.target is None:
        return camera.position
    slope = min(min(one.up, one.down, one.left, one.right) for one in frusta)
    seen = math.tan(0.5 * camera.fov_y)
    if camera.height is not None:
        seen = 0.5 * camera.height / max(glm.distance(camera.position, camera.target), 1e-6)
    nearer = min(1.0, seen / slope)
    return camera.target + (camera.position - camera.target) * nearer


def eyes_of(view: View, look: Look, back: float, scale: float, headset: Headset) -> Eyes:
    """The eyes' split of a view from ``whole_view``."""
    before = Pose(glm.vec3(0.0, 0.0, -back), glm.quat(1.0, 0.0, 0.0, 0.0))
    left, right = (
        Eye(before.then(Pose(eye.pose.position * scale, eye.pose.rotation)), eye.frustum) for eye in look.eyes
    )
    return Eyes((left, right), displays_within(view.rectangle.extent, headset.display), headset.lens)


def displays_within(extent: Extent, display: Extent) -> tuple[Rectangle, Rectangle]:
    """The largest rectangles with a display's aspect ratio that fit side by side, each centred in its half."""
    half, height = max(1, extent[0] // 2), extent[1]
    width = max(1, min(half, height * display[0] // display[1]))
    tall = max(1, min(height, width * display[1] // display[0]))
    left = Rectangle((half - width) // 2, (height - tall) // 2, width, tall)
    right = replace(left, x=min(extent[0] - half + left.x, extent[0] - width))
    return left, right

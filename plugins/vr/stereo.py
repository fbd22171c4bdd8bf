"""From a player's view and a headset to a view for each eye."""

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
    """The split over the dimension ``eye``: two views beside each other, out of one that holds both."""

    eyes: tuple[Eye, Eye]
    """Relative to the camera of the whole view, in its units."""
    displays: tuple[Rectangle, Rectangle]
    """Where each eye's picture goes, relative to the rectangle of the whole view."""
    lens: Lens = NO_LENS
    """What each eye's picture is bent for."""
    count: int = 2
    size: Extent | None = None
    """Of each eye's picture, where the output only mirrors it."""

    def part(self, view: View, number: int) -> View:
        """What an eye sees."""
        eye, place = self.eyes[number], self.displays[number]
        pose = Pose(view.camera.position, view.camera.orientation()).then(eye.pose)
        camera = Camera(pose.position, rotation=pose.rotation, near=view.camera.near)
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
    """The views of a headset in place of those of cameras, each split over the eyes.

    All players look through headsets alike, so one split serves them all. A headset that only one player can wear has
    the output for its mirror. While a headset shows nothing, the views stay as they are.
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
    """The view of a head that sits where the view's camera is, and how far it lies behind the eyes, in game units.

    It holds all that either eye sees: its apex lies so far back that its sides run along the outer sides of the eyes'.
    ``scale`` is game units per metre. With ``fill``, the seat is moved towards the camera's target until that fills as
    much of an eye's picture as of the camera's.
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
    return replace(
        view, camera=Camera(behind, rotation=head.rotation, fov_y=fov_y, near=camera.near), frustum=frustum
    ), back


def _seat(camera: Camera, frusta: list[Frustum]) -> glm.vec3:
    if camera.target is None:
        return camera.position
    slope = min(min(one.up, one.down, one.left, one.right) for one in frusta)
    nearer = min(1.0, math.tan(0.5 * camera.fov_y) / slope)
    return camera.target + (camera.position - camera.target) * nearer


def eyes_of(view: View, look: Look, back: float, scale: float, headset: Headset) -> Eyes:
    """The eyes of a view that ``whole_view`` has made."""
    before = Pose(glm.vec3(0.0, 0.0, -back), glm.quat(1.0, 0.0, 0.0, 0.0))
    left, right = (
        Eye(before.then(Pose(eye.pose.position * scale, eye.pose.rotation)), eye.frustum) for eye in look.eyes
    )
    return Eyes((left, right), displays_within(view.rectangle.extent, headset.display), headset.lens)


def displays_within(extent: Extent, display: Extent) -> tuple[Rectangle, Rectangle]:
    """The largest rectangles in a display's shape that fit side by side, each in the middle of its half."""
    half, height = max(1, extent[0] // 2), extent[1]
    width = max(1, min(half, height * display[0] // display[1]))
    tall = max(1, min(height, width * display[1] // display[0]))
    left = Rectangle((half - width) // 2, (height - tall) // 2, width, tall)
    right = replace(left, x=min(extent[0] - half + left.x, extent[0] - width))
    return left, right

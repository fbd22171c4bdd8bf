"""Views as values: frusta, rectangles, splits."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene import Camera
from renderwright.engine.views import Frustum, Rectangle, View, ViewSet
from renderwright.render.errors import UsageError

CAMERA = Camera(glm.vec3(3, 2, 5), glm.vec3(0, 1, 0), fov_y=math.radians(50), near=0.2)
OUTPUT = (640, 360)


def clip(projection: glm.mat4, *point: float) -> np.ndarray:
    x, y, z, w = projection * glm.vec4(*point, 1.0)
    return np.array([x / w, y / w, z / w])


@dataclass(frozen=True)
class Halves:
    """Left and right half of a view, as a tile or a player's share would be."""

    count: int = 2

    def part(self, view: View, number: int) -> View:
        box = view.rectangle
        width = box.width // 2
        return replace(
            view,
            frustum=view.frustum.part(number / 2, 0.0, (number + 1) / 2, 1.0),
            rectangle=Rectangle(box.x + number * width, box.y, width, box.height),
        )


@dataclass(frozen=True)
class Shifted:
    """Samples at different places of a texel."""

    count: int = 4

    def part(self, view: View, number: int) -> View:
        return replace(view, offset=(number / 4, -number / 4))


def test_the_edges_of_a_frustum_are_the_edges_of_the_picture() -> None:
    frustum = Frustum(left=0.5, right=0.25, down=0.75, up=1.0)
    projection = frustum.projection(near=0.1)
    assert clip(projection, -0.5 * 8, -0.75 * 8, -8.0)[:2] == pytest.approx([-1.0, -1.0], abs=1e-6)
    assert clip(projection, 0.25 * 3, 1.0 * 3, -3.0)[:2] == pytest.approx([1.0, 1.0], abs=1e-6)
    assert clip(projection, 0.0, 0.0, -0.1)[2] == pytest.approx(1.0)
    assert clip(projection, 0.0, 0.0, -1e6)[2] == pytest.approx(0.0, abs=1e-6)


def test_parts_of_a_frustum_show_what_the_whole_shows_there() -> None:
    whole = Frustum(left=0.5, right=0.75, down=0.25, up=1.0)
    part = whole.part(0.25, 0.5, 1.0, 0.75)
    for corner in ((-1, 1), (1, -1)):
        x, y = (corner[0] + 1) / 2, (1 - corner[1]) / 2
        # A point seen at that corner of the part: where is it in the whole picture?
        point = np.linalg.inv(np.array(part.projection(0.1))) @ np.array([*corner, 0.5, 1.0])
        seen = clip(whole.projection(0.1), *(point[:3] / point[3]))
        assert (seen[0] + 1) / 2 == pytest.approx(0.25 + 0.75 * x, abs=1e-6)
        assert (1 - seen[1]) / 2 == pytest.approx(0.5 + 0.25 * y, abs=1e-6)


def test_the_frustum_around_an_uneven_one_holds_it() -> None:
    frustum = Frustum(left=1.2, right=0.9, down=1.1, up=0.8)
    around = Frustum.symmetric(frustum.fov_y, frustum.aspect)
    assert around.left == around.right == pytest.approx(1.2)
    assert around.up == around.down == pytest.approx(1.1)


def test_one_camera_fills_the_output() -> None:
    views = ViewSet.of((CAMERA, Camera()), OUTPUT, 3.0)
    assert views.counts == {"view": 1}
    assert views.viewport == OUTPUT
    assert views.at({}) == views.whole({}) == View(CAMERA, CAMERA.frustum(640 / 360), Rectangle(0, 0, 640, 360))
    assert CameraView.of_view(views.at({}), OUTPUT, 3.0) == CameraView.of(CAMERA, OUTPUT, 3.0)


def test_splits_are_applied_one_after_the_other_to_each_view() -> None:
    top, bottom = (View.of(CAMERA, Rectangle(0, y, 640, 180), y // 180) for y in (0, 180))
    views = ViewSet.of((CAMERA,), OUTPUT).showing((top, bottom)).split("tile", Halves()).split("sample", Shifted())
    assert views.counts == {"view": 2, "tile": 2, "sample": 4}
    assert views.viewport == (320, 180)
    assert len(list(views.instances())) == 16
    view = views.at({"view": 1, "eye": 0, "tile": 1, "sample": 3})
    assert view.rectangle == Rectangle(320, 180, 320, 180)
    assert view.frustum == bottom.frustum.part(0.5, 0.0, 1.0, 1.0)
    assert view.offset == (0.75, -0.75)
    assert view.player == 1
    assert views.whole({"view": 1, "tile": 1}) == bottom


def test_an_offset_moves_the_samples_not_the_picture() -> None:
    """What a sample in the middle of a texel shows with the offset is what lies beside the middle without."""
    view = View.of(CAMERA, Rectangle.of((64, 36)))
    plain = CameraView.of_view(view, (64, 36), 0.0)
    moved = CameraView.of_view(replace(view, offset=(0.25, 0.5)), (64, 36), 0.0)
    point = glm.vec3(0.3, 0.4, -0.2)
    here, there = clip(plain.view_projection, *point), clip(moved.view_projection, *point)
    assert (here - there)[0] == pytest.approx(0.25 * 2 / 64, abs=1e-6)
    assert (here - there)[1] == pytest.approx(-0.5 * 2 / 36, abs=1e-6)


@pytest.mark.parametrize(
    ("views", "message"),
    [
        (ViewSet.of((CAMERA,), OUTPUT).showing(()), "needs a view"),
        (ViewSet.of((CAMERA,), OUTPUT).showing((View.of(CAMERA, Rectangle(1, 0, 640, 360)),)), "not within"),
        (ViewSet.of((CAMERA,), OUTPUT).split("eye", Halves()), "eye"),
    ],
)
def test_views_that_cannot_be_shown_are_refused(views: ViewSet, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        views.check(("view", "tile"))


def test_a_dimension_is_split_once() -> None:
    views = ViewSet.of((CAMERA,), OUTPUT).split("eye", Halves())
    for dimension in ("eye", "view"):
        with pytest.raises(UsageError, match=dimension):
            views.split(dimension, Halves())

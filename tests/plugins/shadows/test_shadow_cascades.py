"""The cascades cover what they are for, hold still, and are placed anew when they have to be."""

from __future__ import annotations

import math

import pytest
from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.frustum import Frustum
from renderwright.plugins.shadows.cascades import (
    CASCADES,
    ShadowCascades,
    Sun,
    ViewShape,
    bounding_sphere,
    map_places,
    next_cascades,
    rates,
    split_distances,
)
from renderwright.plugins.shadows.settings import ShadowSettings

SUN = Sun(glm.normalize(glm.vec3(-0.4, -1.0, -0.3)))
START = glm.vec3(0, 2, 6)


def view(position: glm.vec3 = START, target: glm.vec3 | None = None) -> CameraView:
    camera = Camera(position, target or position - START)
    return CameraView.of(camera, (640, 360), 0.0)


def placed(camera: CameraView, settings: ShadowSettings | None = None) -> ShadowCascades:
    """All cascades as in a first frame."""
    return next_cascades(None, ViewShape.of(camera), SUN, settings or ShadowSettings(), 0)


def played(settings: ShadowSettings, positions: list[glm.vec3], suns: list[Sun] | None = None) -> list[list[int]]:
    """For each frame the cascades that are drawn in it, the camera being at these positions: those that are drawn in
    every frame, and those that were placed."""
    drawn, last = [], None
    for frame, position in enumerate(positions):
        sun = suns[frame] if suns else SUN
        before, last = last, next_cascades(last, ViewShape.of(view(position)), sun, settings, frame)
        known = before.cascades if before is not None else (None,) * len(last.cascades)
        always = [place.rate == 1 for place in last.places]
        drawn.append([n for n, cascade in enumerate(last.cascades) if always[n] or cascade is not known[n]])
    return drawn


def test_splits_grow_and_end_at_the_distance() -> None:
    ends = split_distances(0.1, 60.0, 0.7)
    assert len(ends) == CASCADES
    assert list(ends) == sorted(ends)
    assert ends[-1] == pytest.approx(60.0)


@pytest.mark.parametrize(("near", "far", "slope"), [(0.1, 5, 0.6), (5, 20, 0.6), (1, 100, 2.0), (10, 11, 0.05)])
def test_the_sphere_holds_the_slice(near: float, far: float, slope: float) -> None:
    along, radius = bounding_sphere(near, far, slope)
    for distance in (near, far):
        corner = math.hypot(distance - along, distance * slope)
        assert corner <= radius * (1 + 1e-6)


def test_every_visible_point_lies_in_its_cascade() -> None:
    settings = ShadowSettings()
    camera = view()
    cascades = placed(camera)
    ends = split_distances(camera.near, settings.distance, settings.split)
    assert cascades.end == ends[-1]
    starts = (camera.near, *ends[:-1])
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        for distance in (start, (start + end) / 2, end):
            for x in (-1.0, 0.0, 1.0):
                for y in (-1.0, 0.0, 1.0):
                    world = camera.inverse_view_projection * glm.vec4(x, y, camera.near / distance, 1.0)
                    clip = cascades.matrices[number] * glm.vec4(glm.vec3(world) / world.w, 1.0)
                    assert max(abs(clip.x), abs(clip.y)) <= 1.0 + 2.0 / settings.size
                    assert 0.0 <= clip.z <= 1.0


def test_a_lopsided_frustum_lies_in_the_cascades_too() -> None:
    """An eye of a headset, and a picture that is drawn in tiles, whose textures have another shape than the picture."""
    camera = Camera(START, glm.vec3(0.0))
    eye = CameraView.of(camera, (64, 640), 0.0, Frustum(left=1.4, right=0.6, down=0.9, up=0.5))
    cascades = placed(eye)
    ends = split_distances(eye.near, 60.0, ShadowSettings().split)
    for matrix, end in zip(cascades.matrices, ends, strict=True):
        for x in (-1.0, 1.0):
            for y in (-1.0, 1.0):
                world = eye.inverse_view_projection * glm.vec4(x, y, eye.near / end, 1.0)
                clip = matrix * glm.vec4(glm.vec3(world) / world.w, 1.0)
                assert max(abs(clip.x), abs(clip.y)) <= 1.0 + 2.0 / 1024


def test_depth_grows_towards_the_sun() -> None:
    matrix = placed(view()).matrices[1]
    low = matrix * glm.vec4(0, 0, 0, 1)
    high = matrix * glm.vec4(-SUN.direction * 3.0, 1.0)
    assert high.z > low.z


def test_a_moving_camera_moves_the_map_by_whole_texels() -> None:
    settings = ShadowSettings()
    before = placed(view())
    after = placed(view(START + glm.vec3(0.37, 0.0, 0.11)))
    for old, new in zip(before.matrices, after.matrices, strict=True):
        moved = (new * glm.vec4(0, 0, 0, 1) - old * glm.vec4(0, 0, 0, 1)) * (settings.size / 2)
        assert moved.x == pytest.approx(round(moved.x), abs=0.02)
        assert moved.y == pytest.approx(round(moved.y), abs=0.02)


def test_a_turning_camera_leaves_the_texels_as_large_as_they_are() -> None:
    sizes = {placed(view(START, START + glm.vec3(math.sin(a), 0.3 * a, math.cos(a)))).texels for a in range(7)}
    assert len(sizes) == 1


@pytest.mark.parametrize(("rate", "expected"), [(1, (1, 1, 1, 1)), (4, (1, 1, 2, 4)), (16, (2, 4, 8, 16))])
def test_nearer_cascades_are_drawn_more_often(rate: int, expected: tuple[int, ...]) -> None:
    assert rates(ShadowSettings(rate=rate)) == expected


def test_cascades_of_one_rate_share_a_texture() -> None:
    places = map_places(ShadowSettings(rate=4))
    assert [(place.texture, place.layer, place.layers) for place in places] == [
        (0, 0, 2),
        (0, 1, 2),
        (1, 0, 1),
        (2, 0, 1),
    ]


def test_a_still_camera_has_each_cascade_drawn_at_its_rate() -> None:
    drawn = played(ShadowSettings(rate=4), [START] * 17)
    assert drawn[0] == [0, 1, 2, 3]
    for number, rate in enumerate((1, 1, 2, 4)):
        assert sum(number in frame for frame in drawn[1:]) == 16 // rate
    assert max(len(frame) for frame in drawn[1:]) == 3, "the turns of the far ones do not fall together"


def test_a_still_cascade_that_is_drawn_in_every_frame_keeps_its_place() -> None:
    """So the commands that draw it are kept."""
    settings = ShadowSettings(rate=1)
    before = placed(view(), settings)
    again = next_cascades(before, ViewShape.of(view()), SUN, settings, 1)
    assert all(one is other for one, other in zip(again.cascades, before.cascades, strict=True))
    moved = next_cascades(before, ViewShape.of(view(START + glm.vec3(0.5, 0, 0))), SUN, settings, 2)
    assert all(one is not other for one, other in zip(moved.cascades, before.cascades, strict=True))


def test_what_a_cascade_covers_is_kept_while_the_slice_stays_within() -> None:
    """A step that leaves what the far cascade covers has it drawn at once, a small one does not."""
    far = placed(view(), ShadowSettings(rate=4)).cascades[3]
    spare = far.radius - far.radius / 1.12
    still, small = glm.vec3(START), START + glm.vec3(0.5 * spare, 0, 0)
    large = START + glm.vec3(2.0 * spare, 0, 0)
    assert 3 not in played(ShadowSettings(rate=4), [still, small])[1]
    assert played(ShadowSettings(rate=4), [still, large])[1] == [0, 1, 2, 3]


def test_the_cascades_follow_a_sun_that_turns_or_begins_to_cast() -> None:
    settings = ShadowSettings(rate=16)
    turned = Sun(glm.normalize(SUN.direction + glm.vec3(0.1, 0, 0)))
    creeping = Sun(glm.normalize(SUN.direction + glm.vec3(0.0005, 0, 0)))
    off = Sun(SUN.direction, casts=False)
    assert played(settings, [START] * 2, [SUN, turned])[1] == [0, 1, 2, 3]
    assert len(played(settings, [START] * 2, [SUN, creeping])[1]) < 4
    assert played(settings, [START] * 2, [SUN, off])[1] == [0, 1, 2, 3]


def test_a_kept_cascade_still_covers_the_slice() -> None:
    """Whatever the camera does, what is used of a far cascade lies in the map as it was drawn."""
    settings = ShadowSettings(rate=8)
    last = None
    for frame in range(40):
        position = START + glm.vec3(0.9 * frame, 0.2 * math.sin(frame), -0.4 * frame)
        camera = view(position, position + glm.vec3(math.sin(0.2 * frame), -0.2, math.cos(0.2 * frame)))
        shape = ViewShape.of(camera)
        last = next_cascades(last, shape, SUN, settings, frame)
        ends = split_distances(camera.near, settings.distance, settings.split)
        for cascade, start, end in zip(last.cascades, (camera.near, *ends), ends, strict=False):
            along, radius = bounding_sphere(start, end, shape.slope)
            center = cascade.matrix * glm.vec4(shape.position + shape.forward * along, 1.0)
            reach = 2.0 * radius / (cascade.texel * settings.size)
            assert max(abs(center.x), abs(center.y)) + reach <= 1.0 + 8.0 / settings.size

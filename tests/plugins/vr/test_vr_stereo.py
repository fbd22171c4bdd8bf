"""Eyes, displays, lenses and the simulated headset, without a frame."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.plugins.vr import VrSettings, renderwright_views
from renderwright.plugins.vr.headset import Lens, Pose
from renderwright.plugins.vr.simulated import DISPLAY, PoseScript, SimulatedHeadset, load_poses
from renderwright.plugins.vr.stereo import displays_within
from renderwright.render.errors import UsageError

CAMERA = Camera(glm.vec3(4, 3, 6), glm.vec3(0, 1, 0), fov_y=math.radians(40))
OUTPUT = (1200, 600)
STILL = VrSettings(poses="still", fill=False)


def stereo(settings: VrSettings = STILL, camera: Camera = CAMERA) -> ViewSet:
    return renderwright_views(ViewSet.of((camera,), OUTPUT, 1.3), settings, None)


def matrix(view: View) -> np.ndarray:
    return np.array(view.frustum.projection(view.camera.near) * view.camera.view(), np.float64)


def test_each_eye_has_a_display_of_its_own_shape() -> None:
    views = stereo()
    assert views.counts == {"view": 1, "eye": 2}
    left, right = (views.at({"eye": eye}).rectangle for eye in (0, 1))
    assert left.extent == right.extent == views.viewport
    assert left.aspect == pytest.approx(DISPLAY[0] / DISPLAY[1], rel=0.01)
    assert left.x + left.width <= 600 <= right.x
    views.check(("view", "eye"))


def test_eyes_are_apart_and_see_more_to_the_outside() -> None:
    views = stereo(replace_settings(ipd=0.07, scale=2.0))
    left, right = (views.at({"eye": eye}) for eye in (0, 1))
    apart = right.camera.position - left.camera.position
    assert glm.length(apart) == pytest.approx(0.14, abs=1e-5)
    sideways = CAMERA.orientation() * glm.vec3(1, 0, 0)
    assert glm.dot(glm.normalize(apart), sideways) == pytest.approx(1.0, abs=1e-4)
    middle = 0.5 * (left.camera.position + right.camera.position)
    assert glm.distance(middle, CAMERA.position) < 1e-5
    assert left.frustum.left > left.frustum.right
    assert (left.frustum.left, left.frustum.right) == (right.frustum.right, right.frustum.left)


def replace_settings(**changes: object) -> VrSettings:
    return STILL.model_copy(update=changes)


def test_the_whole_view_holds_what_either_eye_sees() -> None:
    views = stereo(replace_settings(ipd=0.2, scale=3.0, poses="look_around"))
    whole = matrix(views.whole({}))
    random = np.random.default_rng(1)
    for eye in (0, 1):
        inverse = np.linalg.inv(matrix(views.at({"eye": eye})))
        for x, y, depth in zip(*random.uniform(-1, 1, (2, 200)), random.uniform(1e-4, 0.5, 200), strict=True):
            point = inverse @ np.array([x, y, depth, 1.0])
            seen = whole @ point / point[3]
            assert np.abs(seen[:2]).max() <= seen[3] * (1 + 1e-4)


def test_what_fills_the_camera_fills_the_headset() -> None:
    near, far = stereo(replace_settings(fill=True)), stereo()
    target = glm.vec3(0, 1, 0)
    distance = glm.distance(near.at({}).camera.position, target)
    assert distance < 0.6 * glm.distance(far.at({}).camera.position, target)
    without_target = Camera(glm.vec3(1, 2, 3))
    whole = stereo(replace_settings(fill=True, ipd=0.0), without_target).at({})
    assert whole.camera.position == without_target.position


def test_the_head_moves_as_the_script_says() -> None:
    script = PoseScript.model_validate(
        {"keys": [{"time": 1.0}, {"time": 3.0, "position": [0.2, 0.0, -0.4], "yaw": 90.0}], "loop": False}
    )
    assert script.at(0.0) == script.at(1.0) == Pose(glm.vec3(0), glm.quat(1, 0, 0, 0))
    halfway = script.at(2.0)
    assert halfway.position.z == pytest.approx(-0.2)
    ahead = halfway.rotation * glm.vec3(0, 0, -1)
    assert glm.distance(ahead, glm.vec3(-math.sqrt(0.5), 0, -math.sqrt(0.5))) < 1e-5
    assert script.at(9.0).position.x == pytest.approx(0.2)
    looped = script.model_copy(update={"loop": True})
    assert looped.at(5.0) == looped.at(2.0)


def test_pose_scripts_come_by_name_or_from_a_file(tmp_path: Path) -> None:
    assert load_poses("look_around").loop
    file = tmp_path / "nod.yaml"
    file.write_text("keys: [{time: 0.0}, {time: 1.0, pitch: 20}]")
    assert load_poses(str(file)).keys[1].pitch == 20
    with pytest.raises(UsageError, match="nodding") as refused:
        load_poses("nodding")
    assert "look_around, still" in refused.value.hint
    file.with_name("bad.yaml").write_text("keys: [{time: 1.0}, {time: 1.0}]")
    with pytest.raises(UsageError, match="ascending order"):
        load_poses(str(file.with_name("bad.yaml")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &a [1]\nkeys: *a", r"poses\.yaml:1:4: .*anchors are not allowed"),
        ("keys: [{time: 0.0, yaw: .nan}]", r"poses\.yaml:1:25: .*keys\.0\.yaw: .*finite"),
        ("keys: [", r"poses\.yaml:2:1: .*not valid YAML"),
        ("[]", r"poses\.yaml:1:1: invalid pose script"),
    ],
)
def test_a_pose_script_of_a_stranger_is_plain_yaml(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "poses.yaml"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        load_poses(str(file))


def test_a_pose_script_is_a_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "poses.yaml")
    with pytest.raises(UsageError, match="cannot be read: it is a FIFO"):
        load_poses(str(tmp_path / "poses.yaml"))


def test_the_head_carries_the_eyes() -> None:
    headset = SimulatedHeadset(0.06, load_poses("look_around"), Lens())
    assert headset.look(1.0).head != headset.look(2.5).head
    assert headset.look(1.0).eyes == headset.look(2.5).eyes


@pytest.mark.parametrize("extent", [(1280, 720), (640, 1000), (7, 5), (2, 1), (1, 1)])
def test_displays_lie_side_by_side_within_any_output(extent: tuple[int, int]) -> None:
    left, right = displays_within(extent, DISPLAY)
    for place in (left, right):
        assert place.within(extent)
    assert left.extent == right.extent
    if extent[0] > 1:
        assert left.x + left.width <= right.x


def test_players_in_split_screen_each_get_two_eyes() -> None:
    halves = tuple(View.of(CAMERA, Rectangle(0, y, 1200, 300), player) for player, y in enumerate((0, 300)))
    views = renderwright_views(ViewSet.of((CAMERA,), OUTPUT).showing(halves), STILL, None)
    assert views.counts == {"view": 2, "eye": 2}
    places = [view.rectangle for _, view in views.instances()]
    assert len(set(places)) == 4
    assert [view.player for _, view in views.instances()] == [0, 0, 1, 1]


def test_a_lens_bends_more_the_farther_out() -> None:
    lens = Lens(0.2, 0.1)
    assert lens.bent(0.5) == pytest.approx(0.5 * (1 + 0.2 * 0.25 + 0.1 * 0.0625))
    assert replace(lens, k1=0.0, k2=0.0).bent(0.7) == 0.7

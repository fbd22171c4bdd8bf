"""What a headset is shown through OpenXR: a runtime for tests behind the real loader, on the software driver."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from openxr_stage import EXTENT, FORWARD, OUTPUT, Runtime, headset_of, pose, runtime, worn
from patience import PATIENCE
from playing import Picture, frames_of
from view_scenes import MovingCompany, session_of

from renderwright.engine.views import Rectangle
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan
__all__ = ["runtime"]

ROOT = Path(__file__).parents[3]
POSES = "keys: [{time: 0.0, position: [0.02, 0.01, -0.05], yaw: 11.459155902616466}]"


def sides(picture: Picture) -> list[Picture]:
    return [picture[:, : EXTENT[0]], picture[:, EXTENT[0] :]]


def test_the_runtime_gets_what_the_mirror_shows_and_a_simulated_headset_would(
    runtime: Runtime, backend: VulkanBackend, tmp_path: Path
) -> None:
    runtime.script(pose(0, FORWARD))
    with worn(verify=True) as session:
        mirror = frames_of(session, 6, still=False)[-1]
    assert runtime.shown == [1, 2, 3, 4, 5]
    eyes = runtime.eyes(5)
    for eye, side in zip(eyes, sides(mirror), strict=True):
        assert np.array_equal(eye, side)
    poses = tmp_path / "poses.yaml"
    poses.write_text(POSES)
    straight = {"vr.poses": str(poses), "vr.ipd": "0.15", "vr.k1": "0", "vr.k2": "0", "vr.spread": "0"}
    simulated = session_of(backend, OUTPUT, enable=("vr",), **straight)
    expected = sides(frames_of(simulated, 6)[-1])
    simulated.close()
    assert not np.array_equal(*expected)
    for eye, right in zip(eyes, expected, strict=True):
        # Angles of the runtime are rounded: edges may move by a thousandth of a texel.
        wrong = np.abs(eye.astype(int) - right.astype(int)).max(axis=-1)
        assert (wrong > 2).mean() < 0.01
        assert wrong.mean() < 0.2


def test_a_frame_is_drawn_with_the_poses_of_the_time_when_it_is_seen(runtime: Runtime) -> None:
    runtime.script(pose(4, FORWARD))
    with worn() as session:
        frames_of(session, 7)
    before, after, later = runtime.eyes(3)[0], runtime.eyes(4)[0], runtime.eyes(6)[0]
    assert not np.array_equal(before, after)
    assert np.array_equal(after, later)


def test_eyes_are_as_large_as_the_runtime_recommends_whatever_the_window(runtime: Runtime) -> None:
    with worn(output=(300, 90)) as session:
        mirror = frames_of(session, 4, (300, 90))[-1]
        assert session.graph.resolution("viewport") == EXTENT
        assert session._input.views.at({"eye": 1}).rectangle == Rectangle(150 + 34, 0, 81, 90)
        assert frames_of(session, 2, (64, 400))[-1].shape[:2] == (400, 64)
    assert "swapchain 72x80 in format 43" in runtime.log
    assert np.array_equal(runtime.eyes(3)[0], runtime.eyes(5)[0]), "nor does the window's size change it"
    assert mirror[45, 10:30].max() == 0 or mirror[45, 0, :3].max() == 0, "beside the eyes the mirror is black"


@pytest.mark.parametrize(("formats", "chosen"), [("37 44 50 43", 43), ("44 50 97", 50), ("37 97 109", 97), ("44", 44)])
def test_formats_of_srgb_are_preferred_and_all_show_the_same(runtime: Runtime, formats: str, chosen: int) -> None:
    runtime.script(pose(0, FORWARD), formats=formats)
    with worn() as session:
        mirror = sides(frames_of(session, 3)[-1])[0][..., :3].astype(float) / 255.0
    assert f"swapchain 72x80 in format {chosen}" in runtime.log
    shown = runtime.eyes(2, np.float16 if chosen == 97 else np.uint8)[0]
    if chosen in (44, 50):
        shown = shown[..., [2, 1, 0, 3]]
    values = shown[..., :3].astype(float) / (1.0 if chosen == 97 else 255.0)
    linear = np.where(mirror <= 0.04045, mirror / 12.92, ((mirror + 0.055) / 1.055) ** 2.4)
    expected = mirror if chosen in (43, 50) else linear
    assert np.abs(values - expected).max() < 0.004


def test_histories_and_effects_of_each_eye_go_on(runtime: Runtime) -> None:
    with worn(game=MovingCompany, enable=("taa", "ssaa", "shadows")) as session:
        frames_of(session, 4)
        session.plugins.disable("ssaa")
        frames_of(session, 4)
    assert runtime.shown == [1, 2, 3, 4, 5, 6, 7]
    assert runtime.eyes(7)[0][..., :3].std() > 10


def test_one_of_two_players_wears_the_headset(runtime: Runtime) -> None:
    with worn(players=2, enable=("split_screen",)) as session:
        mirror = frames_of(session, 4)[-1]
        assert session._input.views.counts == {"view": 1, "eye": 2}
        assert len(session.context.huds) == 1
    assert np.array_equal(runtime.eyes(3)[0], sides(mirror)[0])


def test_a_frame_that_is_not_rendered_shows_nothing(runtime: Runtime) -> None:
    with worn() as session:
        frames_of(session, 3)
        headset = headset_of(session)
        for _ in range(2):
            assert headset.look(0.0) is headset.look(0.0), "asked again, it is the same frame"
            headset.end_frame(rendered=False)
        frames_of(session, 1)
    assert runtime.shown == [1, 2, 5]


def test_a_frame_that_was_never_ended_is_discarded_and_the_next_one_shown(runtime: Runtime) -> None:
    with worn() as session:
        frames_of(session, 3)
        headset = headset_of(session)
        headset.look(0.0)
        headset._frame = None
        frames_of(session, 2)
    assert runtime.log.count("frame discarded") == 1
    assert runtime.shown == [1, 2, 4, 5]


def test_a_game_from_the_command_line(runtime: Runtime) -> None:
    """With the layer that checks calls of OpenXR, which comes with pyopenxr."""
    import xr

    folders = (Path(xr.__file__).parent / "api_layer").glob(f"linux_{platform.machine()}/*core_validation.json")
    layer = {
        "XR_API_LAYER_PATH": str(next(folders).parent),
        "XR_ENABLE_API_LAYERS": "XR_APILAYER_LUNARG_core_validation",
        "XR_CORE_VALIDATION_EXPORT_TYPE": "text",
        "XR_CORE_VALIDATION_FILE_NAME": str(runtime.folder / "openxr.txt"),
    }
    runtime.script(pose(0, FORWARD), "event 6 STOPPING", "event 8 READY")
    arguments = "play marbles --vr --set vr.device=openxr --headless --frames 12 --size 144x80 --validate --verify"
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "renderwright.engine.cli",
            *arguments.split(),
            "--screenshot",
            str(runtime.folder / "mirror.png"),
        ],
        env={**os.environ, **layer, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "validation: 0 messages" in ran.stderr
    assert "the headset Test Headset no longer shows the game; the game continues in the window" in ran.stderr
    said = (runtime.folder / "openxr.txt").read_text().splitlines()
    assert said
    assert [line for line in said if "VALID_DEBUG" not in line] == []
    assert runtime.shown[:6] == [1, 2, 3, 4, 5, 8], "two frames pass until it has stopped, and begun again"
    assert runtime.log[-2:] == ["session destroyed", "instance destroyed"]

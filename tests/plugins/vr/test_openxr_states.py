"""What becomes of the game when the headset's session pauses, ends or is lost, or never comes to be."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from openxr_stage import OUTPUT, Runtime, flat, headset_of, runtime, worn
from playing import frames_of
from view_scenes import Company, change_settings

from renderwright.engine.plugins import PluginState
from renderwright.engine.session import Session
from renderwright.engine.show import Opening, Show
from renderwright.plugins.vr.openxr.headset import RETRY_SECONDS
from renderwright.render.backend.interop import Interop
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError

pytestmark = pytest.mark.vulkan
__all__ = ["runtime"]

ROOT = Path(__file__).parents[3]


def test_a_session_that_stops_goes_on_in_the_window_and_comes_back(
    runtime: Runtime, caplog: pytest.LogCaptureFixture
) -> None:
    runtime.script("event 4 STOPPING", "event 8 READY")
    with worn() as session:
        stereo = frames_of(session, 4)[-1]
        alone = frames_of(session, 4)[-1]
        again = frames_of(session, 5)[-1]
    assert "the headset Test Headset no longer shows the game; the game continues in the window" in caplog.text
    assert np.array_equal(alone, flat()), "the whole window shows the game, with its HUD"
    assert not np.array_equal(stereo, alone)
    assert np.array_equal(stereo, again)
    assert runtime.log.count("session ended") == 1
    assert runtime.log.count("session begun") == 2
    assert runtime.log.count("session on queue 0 of family 0") == 1, "it is the same session"
    assert runtime.shown[:3] == [1, 2, 3]
    assert len(runtime.shown) > 4


def test_a_person_can_leave_and_enter_again(runtime: Runtime, caplog: pytest.LogCaptureFixture) -> None:
    runtime.script("event 4 STOPPING", "event 6 EXITING")
    with worn() as session:
        alone = frames_of(session, 9)[-1]
        assert "the headset Test Headset has ended the session; restart the game" in caplog.text
        assert runtime.log[-1] == "session destroyed"
        assert session.plugins.is_enabled("vr")
        shown = len(runtime.shown)
        session.plugins.disable("vr")
        session.plugins.enable("vr")
        frames_of(session, 3)
        assert len(runtime.shown) == shown + 2
    assert np.array_equal(alone, flat())


def test_switched_off_or_simulated_the_session_ends(runtime: Runtime) -> None:
    with worn() as session:
        frames_of(session, 2)
        session.plugins.disable("vr")
        assert runtime.log[-1] == "session destroyed"
        assert np.array_equal(frames_of(session, 1)[0], flat())
        session.plugins.enable("vr")
        frames_of(session, 2)
        change_settings(session, {"vr.device": "simulated"})
        assert runtime.log[-1] == "session destroyed"
        simulated = frames_of(session, 1)[0]
        assert not np.array_equal(simulated, flat())
        change_settings(session, {"vr.device": "openxr"})
        frames_of(session, 2)
    assert runtime.log.count("session begun") == 3


@pytest.mark.parametrize("loss", ["event 4 LOSS_PENDING", "lost 4"])
def test_a_lost_session_is_made_anew_when_the_headset_is_there_again(
    runtime: Runtime, loss: str, caplog: pytest.LogCaptureFixture
) -> None:
    # The system is asked for when the runtime is opened, for the session, and once in vain.
    runtime.script(loss, "absent 2 2")
    now = 100.0
    with worn() as session:
        headset_of(session)._seconds = lambda: now
        frames_of(session, 6)
        assert "is lost; the game continues in the window and tries to reconnect" in caplog.text
        assert runtime.log[-1] == "session destroyed"
        assert np.array_equal(frames_of(session, 1)[0], flat())
        now += RETRY_SECONDS + 0.1
        frames_of(session, 2)
        assert runtime.log[-1] == "session destroyed", "it is not there yet"
        now += RETRY_SECONDS + 0.1
        shown = len(runtime.shown)
        frames_of(session, 4)
        assert "the headset Test Headset is connected again" in caplog.text
        assert len(runtime.shown) >= shown + 2


def test_without_its_runtime_the_game_goes_on_alone(runtime: Runtime, caplog: pytest.LogCaptureFixture) -> None:
    runtime.script("event 3 INSTANCE_LOSS")
    with worn(strict=False) as session:
        picture = frames_of(session, 6)[-1]
        status = session.plugins.status("vr")
    assert status.state is PluginState.QUARANTINED
    assert "the OpenXR runtime is shutting down" in status.reason
    assert "restart it and the game" in caplog.text
    assert np.array_equal(picture, flat())


def test_frames_that_need_not_be_rendered_show_the_game_in_the_window_alone(runtime: Runtime) -> None:
    runtime.script("hidden 3 4")
    with worn() as session:
        pictures = frames_of(session, 7)
    assert runtime.shown == [1, 2, 5, 6]
    assert np.array_equal(pictures[3], flat())
    assert np.array_equal(pictures[2], pictures[6])


def test_while_it_is_not_tracked_the_headset_stays_where_it_was(runtime: Runtime) -> None:
    turned = " ".join(str(value) for value in (0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    runtime.script("untracked 3 4", f"pose 3 {turned}")
    with worn() as session:
        frames_of(session, 6)
    assert runtime.shown == [1, 2, 3, 4, 5]
    assert np.array_equal(runtime.eyes(2)[0], runtime.eyes(4)[0])
    assert not np.array_equal(runtime.eyes(4)[0], runtime.eyes(5)[0])


def test_an_image_that_is_late_leaves_a_frame_out_and_is_used_in_the_next(runtime: Runtime) -> None:
    # The left eye's is waited for first: the right eye's is not asked for then.
    runtime.script("late 4 5")
    with worn() as session:
        frames_of(session, 7)
    assert runtime.shown == [1, 2, 5, 6]


@pytest.mark.parametrize(
    ("lines", "begun", "shown"),
    [((), 2, [1, 2, 3, 4, 1, 2]), (("event 1 STOPPING", "event 2 EXITING"), 1, [])],
    ids=["worn", "left"],
)
def test_the_session_goes_on_on_the_device_that_follows_a_lost_one(
    runtime: Runtime, lines: tuple[str, ...], begun: int, shown: list[int]
) -> None:
    runtime.script(*lines)
    with worn() as session:
        frames_of(session, 5)
        interops: dict[str, Interop] = session.plugins._interops
        lost = session.backend
        assert isinstance(lost, VulkanBackend)
        session.abandon()
        lost.close()
        assert runtime.log[-1] == "instance destroyed"
        with closing(VulkanBackend(validate=True, interops=tuple(interops.values()))) as backend:
            session.move_to(backend)
            frames_of(session, 3)
            session.abandon()
        assert [message.text for message in backend.validation_messages] == []
    assert runtime.log.count("session begun") == begun
    assert runtime.shown == shown


def test_a_minimised_window_leaves_the_headset_alone(runtime: Runtime) -> None:
    with worn() as session:
        opening = Opening(
            lambda: session.backend, lambda backend: backend.create_target(OUTPUT), lambda backend, target: session
        )
        show = Show(opening)
        session.step()
        for _ in range(4):
            assert show.render() is not None
        assert session.shown_elsewhere
        for _ in range(3):
            assert show.render_unseen() is not None
        assert show.render() is not None
    assert runtime.shown == [1, 2, 3, 4, 5, 6, 7]
    for frame in (5, 7):
        assert np.array_equal(runtime.eyes(frame)[1], runtime.eyes(3)[1])


# what cannot be -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said", "hint"),
    [
        (
            ("absent 0 9",),
            "the OpenXR runtime's headset is not connected (XR_ERROR_FORM_FACTOR_UNAVAILABLE",
            "connect it",
        ),
        (("vulkan 1 4",), "the OpenXR runtime needs Vulkan 1.4, and the game uses 1.3", "an older version"),
        (
            ("device_extensions VK_KHR_telepathy",),
            "the headset Test Headset needs VK_KHR_telepathy of llvmpipe",
            "update the driver",
        ),
        (("instance_extensions VK_KHR_telepathy",), "needs VK_KHR_telepathy of the Vulkan loader", "update the driver"),
    ],
)
def test_a_headset_that_cannot_be_used_says_why_and_the_game_goes_on(
    runtime: Runtime, lines: tuple[str, ...], said: str, hint: str
) -> None:
    runtime.script(*lines)
    with worn(strict=False) as session:
        status = session.plugins.status("vr")
        assert np.array_equal(frames_of(session, 1)[0], flat())
    assert status.state is PluginState.QUARANTINED
    assert said in status.reason
    assert hint in status.reason


def test_pictures_in_formats_that_cannot_be_drawn_are_refused(runtime: Runtime) -> None:
    runtime.script(formats="124 126")
    with worn(strict=False) as session:
        assert "supports no swapchain format that the game can draw" in session.plugins.status("vr").reason
        assert runtime.log[-1] == "session destroyed"


def test_a_runtime_that_does_not_know_vulkan_is_refused(runtime: Runtime) -> None:
    """In a process of its own, since the loader remembers what a runtime offers."""
    runtime.script("without_vulkan")
    ask = "from renderwright.plugins.vr.openxr import OpenXrHeadset; OpenXrHeadset().instance_extensions(frozenset())"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    asked = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=False)
    assert "the OpenXR runtime has no XR_KHR_vulkan_enable" in asked.stderr
    assert "SteamVR or Monado" in asked.stderr


def test_without_a_runtime_the_message_says_what_to_do(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XR_RUNTIME_JSON", str(tmp_path / "nothing.json"))
    with worn(strict=False) as session:
        reason = session.plugins.status("vr").reason
    assert "XR_RUNTIME_JSON" in reason
    assert "vr.device=simulated needs none" in reason


def test_where_failures_are_fatal_a_missing_headset_is_one(runtime: Runtime) -> None:
    runtime.script("absent 0 9")
    with pytest.raises(PluginError, match="headset is not connected"), worn():
        pass


def test_the_headset_has_to_be_asked_for_before_the_device_is_opened(runtime: Runtime, backend: VulkanBackend) -> None:
    session = Session(Company, backend, OUTPUT)
    try:
        session.plugins.enable("vr")
        change_settings(session, {"vr.device": "openxr"})
        assert "start the game with --vr --set vr.device=openxr" in session.plugins.status("vr").reason
        assert np.array_equal(frames_of(session, 1)[0], flat())
    finally:
        session.close()
    assert runtime.log == []

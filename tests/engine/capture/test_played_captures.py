"""Captures of frames that are played: the right frame, the same picture, every write, and nothing left behind."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playing import SHADERS
from pyglm import glm

from renderwright.engine.capture.measured import MeasuredTimes
from renderwright.engine.capture.played import capture_frame, played_capture
from renderwright.engine.capture.window_capture import MEASURED, WindowCapture
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.frame_capture import CapturedFrame

pytestmark = pytest.mark.vulkan

EXTENT = (48, 32)
EFFECTS = PluginChoice(enable=("taa", "bloom", "ssao"))


class Turning(Game):
    """A box on a ground; the camera sinks."""

    title = "Turning"
    max_players = 2

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.cameras = [Camera() for _ in range(context.players)]
        for number, camera in enumerate(scene.cameras):
            camera.position = glm.vec3(2.0 + number, 2.5, 2.5)
        scene.spawn(plane(20, 20), Material(base_color=(0.5, 0.5, 0.5, 1)))
        scene.spawn(box(1.0), Material(base_color=(0.8, 0.2, 0.1, 1)))

    def update(self, dt: float) -> None:
        for camera in self.context.scene.cameras:
            camera.position.y -= 0.1


@pytest.fixture
def session(backend: VulkanBackend) -> Iterator[Session]:
    with closing(playing(backend)) as opened:
        yield opened


def playing(backend: VulkanBackend, **options: Any) -> Session:
    clock = FixedStepClock(Turning.step, frame=Turning.step)
    return Session(Turning, backend, EXTENT, **{"choice": EFFECTS, "clock": clock, "shaders": SHADERS, **options})


def pictures(backend: VulkanBackend, frames: int, captured: int | None, **options: Any) -> list[NDArray[np.uint8]]:
    """The pictures of some frames, of which one is captured."""
    found = []
    with closing(playing(backend, **options)) as session:
        target = backend.create_target(EXTENT)
        for frame in range(frames):
            session.step()
            if frame == captured:
                session.runtime.capture.ask(lambda seen: None)
            session.render(target)
            found.append(session.picture())
    return found


def counted(name: str, plain: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    """``plain``, whose calls are noted."""

    def call(*args: Any, **kwargs: Any) -> Any:
        calls.append(name)
        return plain(*args, **kwargs)

    return call


def values(picture: dict[str, Any]) -> NDArray[Any]:
    """The texels of a picture: (height, width, channels)."""
    width, height = picture["size"]
    data = zlib.decompress(base64.b64decode(picture["data"]))
    planes = np.frombuffer(data, f"<{picture['type']}").reshape(picture["channels"], height, width)
    return np.moveaxis(planes, 0, 2)


@pytest.mark.parametrize("options", [{}, {"players": 2, "choice": PluginChoice(enable=("split_screen", "taa"))}])
def test_the_picture_is_the_one_without_a_capture(backend: VulkanBackend, options: dict[str, Any]) -> None:
    plain, seen = pictures(backend, 5, None, **options), pictures(backend, 5, 2, **options)
    for frame, (one, other) in enumerate(zip(plain, seen, strict=True)):
        assert np.array_equal(one, other), f"frame {frame} differs"


def test_every_texture_is_there_after_each_write(backend: VulkanBackend, session: Session) -> None:
    target = backend.create_target(EXTENT)
    for _ in range(3):
        session.step()
        session.render(target)
    session.step()
    document = session.capture(target)
    assert document["frame"]["number"] == 3
    written = {one["resource"] for one in document["accesses"] if one["writes"] and one["usage"] is not None}
    stored = {
        one["resource"] for item in document["plan"]["passes"] for one in item["attachments"] if one["store"] == "store"
    }
    textures = {one["id"] for one in document["plan"]["resources"] if one["kind"] == "texture"}
    seen = {picture["resource"] for picture in document["pictures"]}
    assert written & stored & textures <= seen
    image = [picture for picture in document["pictures"] if picture["resource"] == "image"][-1]
    assert np.array_equal(values(image), session.picture())
    json.dumps(document, allow_nan=False)


def test_a_capture_says_who_made_what_from_which_settings(backend: VulkanBackend, session: Session) -> None:
    session.step()
    document = session.capture(backend.create_target(EXTENT))
    rows = {row["plugin"]: row for row in document["plugins"]}
    assert rows["bloom"]["state"] == "enabled"
    assert {one["key"] for one in rows["bloom"]["settings"]} >= {"intensity"}
    assert document["device"]["backend"] == "vulkan"
    assert document["times"]["nodes"]
    assert str(Path.home()) not in json.dumps(document)


def test_the_page_describes_every_field(backend: VulkanBackend, session: Session) -> None:
    text = (Path(__file__).parents[3] / "docs" / "capture.md").read_text(encoding="utf-8")
    session.step()
    document = session.capture(backend.create_target(EXTENT))
    keys = {*document, *document["frame"], *document["device"], *document["times"], *document["pictures"][0]}
    for row in document["plugins"]:
        keys |= set(row)
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


def test_nothing_is_left_behind(backend: VulkanBackend, session: Session) -> None:
    target, seen = backend.create_target(EXTENT), list[CapturedFrame]()
    for _ in range(4):
        session.step()
        session.runtime.capture.ask(seen.append)
        session.render(target)
    for _ in range(3):
        session.step()
        session.render(target)
    assert [one.frame for one in seen] == [0, 1, 2, 3]
    assert session.runtime.capture._lowered is None
    assert session.runtime.capture._copies is None


def test_a_plain_frame_after_a_capture_records_nothing_anew(backend: VulkanBackend, session: Session) -> None:
    target = backend.create_target(EXTENT)
    frames = []
    for frame in range(8):
        if frame == 4:
            session.runtime.capture.ask(lambda seen: None)
        report = session.render(target)
        assert report is not None
        frames.append(set(report.node_seconds))
    assert frames[7] <= frames[3]


def test_times_are_of_frames_without_copies(backend: VulkanBackend, session: Session) -> None:
    target, times, seen = backend.create_target(EXTENT), MeasuredTimes(), list[CapturedFrame]()
    session.runtime.times.every = 1
    for frame in range(6):
        session.step()
        if frame == 3:
            session.runtime.capture.ask(seen.append)
        report = session.render(target)
        assert report is not None
        times.see(report, seen[0].frame if seen else None)
    document = played_capture(session, seen[0], frozenset(), times, title="Turning", options={})
    assert document["times"]["measured_frame"] != 3
    assert document["times"]["gpu_ms"] > 0.0
    assert {one["node"] for one in document["times"]["intervals"]} <= {node["id"] for node in document["plan"]["nodes"]}


def test_what_was_not_measured_is_null(backend: VulkanBackend, session: Session) -> None:
    session.step()
    document = session.capture(backend.create_target(EXTENT))
    times = document["times"]
    assert times["frames"] == 0
    for row in (times, *times["nodes"], *document["plugins"]):
        assert (row["gpu_ms"], row["cpu_ms"]) == (None, None)


def test_a_frame_in_a_window_is_captured_while_the_game_goes_on(
    backend: VulkanBackend, session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, every = tmp_path / "out" / "game-1.html", session.runtime.times.every
    capture, target = WindowCapture(session, file), backend.create_target(EXTENT)
    frames = 0
    while not capture.done:
        report = session.render(target)
        assert report is not None
        capture.see(session, report)
        frames += 1
    assert frames == MEASURED + 1
    assert f"Frame {MEASURED} is in {file}" in capsys.readouterr().err
    assert session.runtime.times.every == every
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_capture_in_a_window_holds_up_one_frame_alone(
    backend: VulkanBackend, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That frame makes buffers for copies and waits for the device. No other one does, or records anew."""
    target = backend.create_target(EXTENT)
    calls: list[str] = []
    for name in ("create_buffer", "wait_idle"):
        monkeypatch.setattr(backend, name, counted(name, getattr(backend, name), calls))

    def shown(capture: WindowCapture | None) -> tuple[set[str], set[str]]:
        calls.clear()
        session.step()
        report = session.render(target)
        assert report is not None
        if capture is not None:
            capture.see(session, report)
        return set(calls), set(report.node_seconds)

    usual = [shown(None) for _ in range(8)][-2:]
    capture = WindowCapture(session, tmp_path / "game.html")
    measured = [shown(capture) for _ in range(MEASURED)]
    held_up = shown(capture)
    assert capture.done
    after = [shown(None) for _ in range(8)]
    assert held_up[0] == {"create_buffer", "wait_idle"}
    recorded = set().union(*(nodes for _, nodes in usual))
    for waited, nodes in (*measured, *after):
        assert waited == set()
        assert nodes <= recorded


def test_a_frame_function_is_the_method(backend: VulkanBackend, session: Session) -> None:
    session.step()
    assert capture_frame(session, backend.create_target(EXTENT))["title"] == "Turning"

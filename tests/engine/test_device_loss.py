"""A game outlives its device: whichever call finds it lost, the next picture is right and nothing is leaked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyglm import glm
from vulkan_losses import LostDevices

from renderwright.engine.cli import main
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.losses import Losses
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.engine.show import Opening, Show
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.api import ffi, lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.errors import BackendError, DeviceHungError, DeviceLostError, OutOfMemoryError
from renderwright.render.runtime.recording import Recording
from renderwright.render.sync.oracle import check, read_stream

pytestmark = pytest.mark.vulkan

EXTENT = (64, 36)
FRAMES = 3


class Sliding(Game):
    """A box with an image slides over a ground and a HUD counts; nothing of a frame is from the frame before."""

    skeleton = "forward"
    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera.position = glm.vec3(2.0, 2.5, 2.5)
        checks = np.kron(np.indices((4, 4)).sum(axis=0) % 2 * 255, np.ones((2, 2)))
        image = Image("checks", np.repeat(checks[..., None], 4, axis=2).astype(np.uint8))
        context.scene.spawn(plane(10, 10), Material())
        self.box = context.scene.spawn(box(1.0), Material(base_color_image=image), Transform(glm.vec3(0, 0.5, 0)))

    def update(self, dt: float) -> None:
        self.box.transform.position.x += dt

    def draw(self, alpha: float) -> None:
        self.context.hud.text(4, 4, f"{self.box.transform.position.x:.3f}", 80)


class Graded(Sliding):
    """The same, graded by a table, which is a texture made of an array."""

    plugins = ("grading", "tonemap")


class Remembering(Sliding):
    """The same with what frames take from the ones before."""

    skeleton = "deferred"
    plugins = ("bloom", "shadows", "taa", "tonemap")


Shows = Callable[..., Show]


@pytest.fixture
def devices() -> LostDevices:
    return LostDevices()


@pytest.fixture
def opened() -> list[VulkanBackend]:
    """Every backend of the test; the layer must have said nothing about any."""
    return []


@pytest.fixture
def start(devices: LostDevices, opened: list[VulkanBackend]) -> Iterator[Shows]:
    """Starts shows; in the end, nothing may be left of them."""

    def start(
        game: type[Game] = Sliding,
        *,
        validate: bool = True,
        losses: Losses | None = None,
        recording: Recording = Recording.KEPT,
    ) -> Show:
        def backend() -> Backend:
            opened.append(VulkanBackend(validate=validate, wrap=devices.wrap))
            return opened[-1]

        def session(backend: Backend, target: Target) -> Session:
            clock = FixedStepClock(game.step, frame=1 / 60)
            return Session(game, backend, target.extent, choice=PluginChoice(), clock=clock, recording=recording)

        return Show(Opening(backend, lambda backend: backend.create_target(EXTENT), session), losses or calm())

    yield start
    assert devices.faults.living() == {}
    assert [message.text for backend in opened for message in backend.validation_messages] == []


def calm() -> Losses:
    """No two losses are too near to each other."""
    return Losses(frames=-1)


def objects(devices: LostDevices) -> dict[str, int]:
    """What is alive, but for the messenger, which only validation needs."""
    return {kind: count for kind, count in devices.faults.living().items() if kind != "DebugUtilsMessengerEXT"}


def pictures(show: Show, count: int = FRAMES) -> list[np.ndarray]:
    shown = []
    for _ in range(count):
        show.session.step()
        assert show.render() is not None
        shown.append(show.picture())
    return shown


def test_whichever_call_of_a_frame_finds_the_device_lost_the_game_goes_on(devices: LostDevices, start: Shows) -> None:
    with closing(start()) as show:
        devices.lose_at(-1)
        right = pictures(show, FRAMES - 1)
        before = len(devices.calls)
        right += pictures(show, 1)
        calls = list(devices.calls)
        pictures(show, 2)
        living = objects(devices)
    assert {"vkQueueSubmit2", "vkWaitSemaphores", "vkGetSemaphoreCounterValue", "vkGetQueryPoolResults"} <= set(calls)
    assert not np.array_equal(right[0], right[-1])
    lost = 0
    for number in range(before, len(calls)):
        with closing(start(validate=number % 4 == 0)) as show:
            devices.lose_at(number)
            shown = pictures(show)
            if devices.lost == lost and len(devices.calls) <= number:
                continue  # the device was done earlier than the first time, so that the host asked it less often
            lost += 1
            assert devices.lost == lost
            # A picture that was on the lost device takes a frame more.
            assert show.session.runtime.frame in (FRAMES, FRAMES + 1)
            for frame, (one, other) in enumerate(zip(shown, right, strict=True)):
                assert np.array_equal(one, other), f"frame {frame}, lost at {calls[number]} ({number})"
            pictures(show, 2)
            assert objects(devices) == living
    assert lost > (len(calls) - before) // 2


def test_a_device_lost_while_the_game_starts(devices: LostDevices, start: Shows) -> None:
    devices.lose_at(-1)
    with closing(start()) as show:
        starting = len(devices.calls)
        (right,) = pictures(show, 1)
    assert starting >= 3
    for number in range(starting):
        devices.lose_at(number)
        with closing(start(validate=False)) as show:
            assert devices.lost == number + 1
            assert np.array_equal(pictures(show, 1)[0], right)


def test_plugins_settings_and_the_game_stay_as_they_are(devices: LostDevices, start: Shows) -> None:
    with closing(start(Remembering)) as show:
        pictures(show, 2)
        session, plugins = show.session, show.session.plugins
        session.toggle("shadows")
        plugins.set("bloom", "levels", 2)
        game, graph = session.runner.game, session.graph
        devices.lose_at(0)
        after = pictures(show, 3)
        assert devices.lost == 1
        assert (show.session, session.runner.game, session.graph, session.plugins) == (session, game, graph, plugins)
        assert not plugins.is_enabled("shadows")
        assert all(plugins.is_enabled(name) for name in ("bloom", "taa", "tonemap"))
        settings = plugins.status("bloom").settings
        assert settings is not None
        assert settings.levels == 2  # type: ignore[attr-defined]
        assert isinstance(game, Remembering)
        assert game.box.transform.position.x == pytest.approx(5 / 60)
        assert after[-1].std() > 10


def test_textures_of_arrays_are_uploaded_again(devices: LostDevices, start: Shows) -> None:
    with closing(start(Graded)) as unbroken, closing(start(Graded)) as show:
        right = pictures(unbroken, 4)
        pictures(show, 2)
        devices.lose_at(0)
        assert np.array_equal(pictures(show, 2)[-1], right[-1])
        assert devices.lost == 1


def test_histories_begin_anew(devices: LostDevices, start: Shows) -> None:
    """The frame after a loss is like the first frame of a game that has come to the same point unseen."""
    with closing(start(Remembering)) as show:
        pictures(show, 2)
        devices.lose_at(0)
        lost = pictures(show, 2)
    with closing(start(Remembering)) as show:
        for _ in range(2):
            show.session.step()
        show.session.runtime.frame = 2  # what counts frames goes on counting
        fresh = pictures(show, 2)
    for one, other in zip(lost, fresh, strict=True):
        assert np.array_equal(one, other)


def test_a_device_that_is_really_lost(devices: LostDevices, start: Shows, opened: list[VulkanBackend]) -> None:
    """A timeline that goes backwards makes a driver give up."""
    made: list[object] = []
    plain = devices.wrap

    def wrap(name: str, function: Callable[..., int]) -> Callable[..., int]:
        inner = plain(name, function)
        if name != "vkCreateSemaphore":
            return inner

        def create(device: object, info: object, allocator: object, out: list[object]) -> int:
            result = inner(device, info, allocator, out)
            made.append((device, out[0]))
            return result

        return create

    devices.wrap = wrap  # type: ignore[method-assign]
    with closing(start(validate=False)) as show:
        right = pictures(show, 3)
    with closing(start(validate=False)) as show:
        before = len(opened)
        made_before = len(made)
        shown = pictures(show, 2)
        device, timeline = made[made_before - 1]  # type: ignore[misc]
        info = ffi.new(
            "VkSemaphoreSignalInfo*",
            {"sType": lib.VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, "semaphore": timeline, "value": 1},
        )
        if lib.vkSignalSemaphore(device, info) != lib.VK_ERROR_DEVICE_LOST:
            pytest.skip("this driver does not mind")
        shown += pictures(show, 1)
        assert len(opened) == before + 1
        assert all(np.array_equal(one, other) for one, other in zip(shown, right, strict=True))


def test_a_device_that_is_lost_again_and_again(devices: LostDevices, start: Shows) -> None:
    with closing(start(validate=False, losses=Losses())) as show:
        devices.lose_at(0, every=True)
        with pytest.raises(DeviceLostError, match="the device was lost 3 times within 600 frames"):
            pictures(show, 1)
    assert devices.lost == 3


def test_no_device_to_go_on_with(devices: LostDevices, start: Shows, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(start()) as show:
        devices.lose_at(0)
        monkeypatch.setattr("renderwright.render.backend.vulkan.interops.list_devices", lambda instance: [])
        with pytest.raises(BackendError, match=r"the device was lost and cannot be opened again: .*Vulkan"):
            pictures(show, 1)


def test_a_device_that_hangs_ends_the_game(start: Shows, devices: LostDevices) -> None:
    """It may still use everything that it was given, so nothing can be taken from it."""
    plain, hangs = devices.wrap, [False]

    def wrap(name: str, function: Callable[..., int]) -> Callable[..., int]:
        inner = plain(name, function)
        if name != "vkWaitSemaphores":
            return inner
        return lambda *arguments: int(lib.VK_TIMEOUT) if hangs[0] else inner(*arguments)

    devices.wrap = wrap  # type: ignore[method-assign]
    show = start(validate=False)
    pictures(show, 1)
    hangs[0] = True
    with pytest.raises(DeviceHungError, match="has made no progress for"):
        pictures(show, 1)
    show.close()
    assert devices.faults.living()
    devices.faults.alive.clear()


@pytest.mark.parametrize("call", ["vkEndCommandBuffer", "vkQueueSubmit2"])
def test_a_device_that_takes_no_more_frames_for_lack_of_memory(devices: LostDevices, start: Shows, call: str) -> None:
    # A frame whose commands are kept ends no command buffer.
    with closing(start(recording=Recording.ALWAYS)) as show:
        pictures(show, 4)
        with devices.faults.armed():
            pictures(show, 1)
        fail = devices.faults.calls.index(call)
        with (
            devices.faults.armed(fail, lasting=True),
            pytest.raises(OutOfMemoryError, match="no memory is left to run a frame"),
        ):
            pictures(show, 1)
        assert devices.faults.failed == call


def test_the_command_line_says_so_and_exits_with_2(
    devices: LostDevices, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def backend(*arguments: Any, **options: Any) -> VulkanBackend:
        return VulkanBackend(*arguments, **{**options, "wrap": wrap})

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        inner = devices.wrap(name, function)
        if name != "vkQueueSubmit2":
            return inner
        return lambda *arguments: next(answers, int(lib.VK_ERROR_OUT_OF_DEVICE_MEMORY)) or inner(*arguments)

    answers = iter([0] * 20)  # so many submissions succeed
    monkeypatch.setattr("renderwright.render.backend.vulkan.backend.VulkanBackend", backend)
    options = ["--headless", "--size", "64x36", "--frames", "60", "--screenshot", str(tmp_path / "none.png")]
    assert main(["play", f"{__file__}:Sliding", *options]) == 2
    said = capsys.readouterr().err
    assert "error: no memory is left to run a frame: cannot submit a frame: VK_ERROR_OUT_OF_DEVICE_MEMORY" in said
    assert "close other programs on this device" in said
    assert not (tmp_path / "none.png").exists()
    assert devices.faults.living() == {}


def test_a_recording_goes_on_with_the_next_device(devices: LostDevices, start: Shows, tmp_path: Path) -> None:
    recorder = StreamRecorder(tmp_path / "stream.jsonl")
    plain = devices.wrap
    devices.wrap = lambda name, function: recorder.wrap(name, plain(name, function))  # type: ignore[method-assign]
    with closing(start(validate=False)) as show:
        pictures(show, 2)
        devices.lose_in("vkQueueSubmit2")
        pictures(show, 2)
    recorder.close()
    assert devices.lost == 1
    report = check(read_stream(tmp_path / "stream.jsonl"))
    assert report.findings == ()
    assert report.submissions > 8

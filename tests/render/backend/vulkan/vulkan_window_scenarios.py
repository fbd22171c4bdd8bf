"""Scenarios on a real window, each run in a process of its own by ``test_vulkan_swapchain.py``."""

from __future__ import annotations

import struct
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pyglet
import pytest
from PIL import ImageGrab
from vulkan_faults import Faults, bounded

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, PipelineDesc
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.api import lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.errors import BackendError, OutOfMemoryError, SurfaceLostError
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, attached, change, fragment, use, vertex
from tests.one_time import once
from tests.patience import PATIENCE

PUSHED = """#version 450
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 value; };
void main() { color = value; }
"""


class Scene:
    """A backend that fills a window with one colour a frame."""

    def __init__(self, wrap: Callable[[str, Any], Any] | None = None) -> None:
        pyglet.options["shadow_window"] = False
        self.window = pyglet.window.Window(64, 48, resizable=True, vsync=False)
        inside = wrap or (lambda name, function: function)
        self.backend = VulkanBackend(validate=True, wrap=lambda name, function: inside(name, bounded(name, function)))
        self.target = self.backend.create_target((64, 48), self.window)
        self.frame = 0
        self.program = self.backend.create_pipeline(
            PipelineDesc("pushed", (vertex(), fragment(PUSHED, push_size=16)), (self.target.format,))
        )

    def render(self, color: tuple[float, float, float], target: Target | None = None) -> bool | None:
        """One frame; None when there was nothing to show it in, else whether the target still fits."""
        target = target or self.target
        self.window.dispatch_events()
        slot = self.frame % FRAMES_IN_FLIGHT
        self.backend.begin_frame(slot)
        image = target.acquire(slot)
        if image is None:
            self.backend.end_frame(slot, [], None)
            return None
        assert isinstance(image, VulkanTexture)
        recorder = self.backend.recorder(slot)
        recorder.barriers([change(image, FRESH, use(Usage.COLOR))])
        recorder.begin_pass([attached(image)], image.info.extent)
        recorder.bind_pipeline(self.program)
        recorder.push(self.program, struct.pack("<4f", *color, 1.0))
        recorder.draw(3)
        recorder.end_pass()
        recorder.barriers([change(image, use(Usage.COLOR), use(Usage.PRESENT))])
        fits = self.backend.end_frame(slot, [once(self.backend, slot, [recorder.take()])], target)
        self.frame += 1
        return fits

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Render blue frames until the condition holds; the X server takes its time."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"never came: {what}"
            if self.render((0.0, 0.0, 1.0)) is False:
                self.target.resize(self.target.extent)

    def finish(self) -> None:
        """Close in the order that a game does, and report."""
        self.target.close()
        self.backend.close()
        self.window.close()
        for message in self.backend.validation_messages:
            print(message)
        if not self.backend.validation_messages:
            print("no validation messages")


def shown() -> np.ndarray[Any, Any]:
    """The screen's pixels, (height, width, 3)."""
    return np.asarray(ImageGrab.grab(xdisplay="").convert("RGB"))


def area_of(color: tuple[int, int, int]) -> int:
    """How many pixels of the screen have that colour."""
    return int((shown() == color).all(axis=2).sum())


def frames() -> None:
    scene = Scene()
    assert scene.target.windowed
    assert scene.target.format in ("bgra8_srgb", "rgba8_srgb")
    for _ in range(5):
        assert scene.render((1.0, 0.0, 0.0)) is not None
    scene.backend.wait_idle()
    scene.until(lambda: area_of((0, 0, 255)) == 64 * 48, "the colour on the screen")
    scene.finish()


def unpaced() -> None:
    """Another present mode is another swapchain, made when the next image is wanted."""
    modes: list[int] = []

    def wrap(name: str, function: Any) -> Any:
        def create(device: Any, info: Any, *more: Any) -> Any:
            modes.append(int(info.presentMode))
            return function(device, info, *more)

        return create if name == "vkCreateSwapchainKHR" else function

    scene = Scene(wrap)
    for paced in (True, False, False, True):
        scene.target.paced = paced
        for _ in range(3):
            scene.render((1.0, 0.0, 0.0))
    scene.until(lambda: area_of((0, 0, 255)) == 64 * 48, "the colour on the screen")
    assert len(modes) == 3, modes
    assert modes[0] == modes[2] == lib.VK_PRESENT_MODE_FIFO_KHR
    assert modes[1] in (lib.VK_PRESENT_MODE_MAILBOX_KHR, lib.VK_PRESENT_MODE_IMMEDIATE_KHR)
    scene.finish()


def resize() -> None:
    scene = Scene()
    scene.render((1.0, 0.0, 0.0))
    scene.window.set_size(100, 80)
    scene.until(lambda: scene.target.extent == (100, 80), "the new size")
    scene.until(lambda: area_of((0, 0, 255)) == 100 * 80, "the new size on the screen")
    scene.window.set_size(20, 30)
    scene.target.resize((20, 30))
    scene.until(lambda: scene.target.extent == (20, 30), "the second new size")
    scene.finish()


def minimise() -> None:
    scene = Scene()
    scene.render((1.0, 0.0, 0.0))
    scene.window.minimize()
    for _ in range(3):
        scene.render((1.0, 0.0, 0.0))
    scene.window.set_visible(False)
    for _ in range(3):
        scene.render((1.0, 0.0, 0.0))
    scene.window.set_visible(True)
    scene.until(lambda: area_of((0, 0, 255)) == 64 * 48, "the window's return")
    scene.finish()


def no_area() -> None:
    """The window reports no area, as minimised windows do on some systems."""
    areas = [True]

    def wrap(name: str, function: Any) -> Any:
        if name != "vkGetPhysicalDeviceSurfaceCapabilitiesKHR":
            return function

        def called(device: Any, surface: Any, found: Any) -> int:
            result = int(function(device, surface, found))
            if not areas[0]:
                found.currentExtent.width = found.currentExtent.height = 0
            return result

        return called

    scene = Scene(wrap)
    assert scene.render((1.0, 0.0, 0.0))
    areas[0] = False
    scene.target.resize((64, 48))
    assert scene.render((1.0, 0.0, 0.0)) is None
    assert scene.render((1.0, 0.0, 0.0)) is None
    areas[0] = True
    assert scene.render((1.0, 0.0, 0.0))
    scene.finish()


def unsubmitted() -> None:
    """An image that is acquired and never drawn to, because recording failed or the window was resized."""
    scene = Scene()
    scene.backend.begin_frame(0)
    first = scene.target.acquire(0)
    assert scene.target.acquire(1) is first
    assert scene.render((1.0, 0.0, 0.0)) is not None
    scene.backend.begin_frame(1)
    scene.target.acquire(1)
    scene.target.resize((64, 48))
    for _ in range(4):
        assert scene.render((0.0, 1.0, 0.0)) is not None
    scene.backend.begin_frame(0)
    scene.target.acquire(0)
    scene.finish()


def window_destroyed() -> None:
    """Closing the window first is an error that says so, and leaves nothing behind."""
    scene = Scene()
    scene.render((1.0, 0.0, 0.0))
    scene.backend.wait_idle()
    scene.window.close()
    with pytest.raises(SurfaceLostError, match="the window is gone"):
        scene.target.resize((64, 48))
    scene.target.close()
    scene.backend.close()
    assert scene.backend.validation_messages == [], scene.backend.validation_messages
    print("no validation messages")


def two_targets() -> None:
    """A window and an offscreen target take turns."""
    scene = Scene()
    offscreen = scene.backend.create_target((16, 16))
    assert offscreen.format == "rgba8_srgb"
    program = scene.program
    for number in range(6):
        if number % 2:
            assert scene.render((1.0, 1.0, 0.0)) is not None
        else:
            scene.program = scene.backend.create_pipeline(
                PipelineDesc("other", program.desc.modules, (offscreen.format,))
            )
            assert scene.render((0.0, 1.0, 1.0), offscreen)
            scene.backend.destroy(scene.program)
            scene.program = program
    scene.finish()


def answers() -> tuple[dict[str, list[int]], Callable[[str, Any], Any]]:
    """Lists of results for acquiring and presenting, last one first; and the wrapper that gives them."""
    given: dict[str, list[int]] = {"vkAcquireNextImageKHR": [], "vkQueuePresentKHR": []}

    def wrap(name: str, function: Any) -> Any:
        if name not in given:
            return function

        def called(*arguments: Any) -> int:
            result = given[name].pop() if given[name] else None
            # What presenting waits for is waited for even when it fails; a failed acquiring has done nothing.
            if result is None or name == "vkQueuePresentKHR" or result == lib.VK_SUBOPTIMAL_KHR:
                real = int(function(*arguments))
                return real if result is None else result
            return result

        return called

    return given, wrap


def out_of_date() -> None:
    """The driver calls the swapchain out of date, at acquiring and at presenting."""
    failing, wrap = answers()
    scene = Scene(wrap)
    assert scene.render((1.0, 0.0, 0.0))
    failing["vkAcquireNextImageKHR"] = [lib.VK_ERROR_OUT_OF_DATE_KHR]
    assert scene.render((1.0, 0.0, 0.0)), "one new swapchain of the same size is enough"
    failing["vkAcquireNextImageKHR"] = [lib.VK_TIMEOUT]
    assert scene.render((1.0, 0.0, 0.0)) is None
    failing["vkAcquireNextImageKHR"] = [lib.VK_ERROR_OUT_OF_DATE_KHR] * 2
    assert scene.render((1.0, 0.0, 0.0)) is None
    failing["vkQueuePresentKHR"] = [lib.VK_ERROR_OUT_OF_DATE_KHR]
    assert scene.render((1.0, 0.0, 0.0)) is False
    scene.target.resize(scene.target.extent)
    assert scene.render((1.0, 0.0, 0.0))
    scene.finish()


def suboptimal() -> None:
    """A driver that finds fault with a swapchain that cannot be better is not obeyed in every frame."""
    failing, wrap = answers()
    scene = Scene(wrap)
    failing["vkAcquireNextImageKHR"] = [lib.VK_SUBOPTIMAL_KHR] * 3
    for _ in range(3):
        assert scene.render((1.0, 0.0, 0.0)) is True
    failing["vkQueuePresentKHR"] = [lib.VK_SUBOPTIMAL_KHR] * 3
    for _ in range(3):
        assert scene.render((1.0, 0.0, 0.0)) is True
    scene.window.set_size(100, 80)
    scene.until(lambda: scene.window.get_framebuffer_size() == (100, 80), "the new size")
    failing["vkQueuePresentKHR"] = [lib.VK_SUBOPTIMAL_KHR]
    scene.until(lambda: area_of((0, 0, 255)) == 100 * 80, "the new size on the screen")
    scene.finish()


def surface_lost() -> None:
    """A lost surface is made anew while its window lives, but not for ever."""
    failing, wrap = answers()
    scene = Scene(wrap)
    assert scene.render((1.0, 0.0, 0.0))
    failing["vkAcquireNextImageKHR"] = [lib.VK_ERROR_SURFACE_LOST_KHR]
    assert scene.render((1.0, 0.0, 0.0)), "one new surface is enough"
    failing["vkQueuePresentKHR"] = [lib.VK_ERROR_SURFACE_LOST_KHR]
    assert scene.render((1.0, 0.0, 0.0)) is False
    scene.target.resize(scene.target.extent)
    scene.until(lambda: area_of((0, 0, 255)) == 64 * 48, "the colour on the screen")
    failing["vkAcquireNextImageKHR"] = [lib.VK_ERROR_SURFACE_LOST_KHR] * 10
    assert scene.render((1.0, 0.0, 0.0)) is None
    with pytest.raises(SurfaceLostError, match="after 3 new surfaces"):
        scene.render((1.0, 0.0, 0.0))
    scene.finish()


def each_call() -> None:
    """Each acquiring and each presenting of a few frames gets each bad answer once; what is shown then is right."""
    failing, wrap = answers()
    scene = Scene(wrap)
    for name in failing:
        for result in (lib.VK_ERROR_OUT_OF_DATE_KHR, lib.VK_SUBOPTIMAL_KHR, lib.VK_ERROR_SURFACE_LOST_KHR):
            for number in range(4):
                for frame in range(number + 2):
                    failing[name] = [result] if frame == number else []
                    fits = scene.render((float(frame % 2), 1.0, 0.0))
                    assert not failing[name]
                    if fits is False:
                        scene.target.resize(scene.target.extent)
                assert fits, (name, result, number)
    scene.until(lambda: area_of((0, 0, 255)) == 64 * 48, "the colour on the screen")
    scene.finish()


def faults() -> None:
    """Every call that can fail while a target is made fails once."""
    window = pyglet.window.Window(64, 48, vsync=False)

    faults = Faults()
    backend = VulkanBackend(wrap=faults.wrap)
    before = faults.living()

    def make_target() -> None:
        target = backend.create_target((64, 48), window)
        try:
            backend.begin_frame(0)
            target.acquire(0)
            target.resize((64, 48))
            backend.end_frame(0, [], None)
        finally:
            target.close()
            backend.wait_idle()

    with faults.armed():
        make_target()
    calls = list(faults.calls)
    assert faults.living() == before
    assert faults.alive.keys() >= {"SurfaceKHR", "SwapchainKHR", "Semaphore", "ImageView"}
    for number, call in enumerate(calls):
        # Submissions are what resizing and closing wait for; without them there is less to wait for.
        harmless = call == "vkQueueSubmit2"
        with faults.armed(number, lasting=True), nullcontext() if harmless else pytest.raises(OutOfMemoryError):
            make_target()
        assert faults.failed
        assert faults.living() == before, (number, faults.failed, faults.living())
    make_target()
    backend.close()
    assert faults.living() == {}
    window.close()
    print("no validation messages")


def foreign_window() -> None:
    class ForeignWindow:
        pass

    backend = VulkanBackend(validate=True)
    with pytest.raises(BackendError, match="cannot show pictures in a ForeignWindow"):
        backend.create_target((64, 48), ForeignWindow())
    backend.close()
    assert backend.validation_messages == []
    print("no validation messages")


if __name__ == "__main__":
    scenarios = (
        frames,
        unpaced,
        resize,
        minimise,
        no_area,
        unsubmitted,
        window_destroyed,
        two_targets,
        out_of_date,
        suboptimal,
        surface_lost,
        each_call,
        faults,
        foreign_window,
    )
    next(scenario for scenario in scenarios if scenario.__name__ == sys.argv[1])()

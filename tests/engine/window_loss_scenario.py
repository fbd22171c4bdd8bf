"""Plays a game in a window whose Vulkan device is lost, through the real main loop.

Run by ``window_plays.py``.
"""

from __future__ import annotations

from typing import ClassVar

import pyglet
from pyglm import glm
from vulkan_losses import LostDevices

from renderwright.engine.app import play
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PlayOptions
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.render.backend.vulkan import backend

LAST = 10
LOSSES = {
    "resizing": {4: "vkCreateSwapchainKHR"},
    "twice": {4: "vkAcquireNextImageKHR", 8: "vkQueuePresentKHR"},
    "for_good": {4: "vkAcquireNextImageKHR", 6: "vkQueuePresentKHR", 8: "vkQueueSubmit2"},
}


class Losing(Game):
    """A box on a plane; in some frames the device is lost in a certain call, and the last one closes the window."""

    scenario: ClassVar[str]
    devices: ClassVar[LostDevices]

    def setup(self, context: GameContext) -> None:
        self.frames = 0
        context.scene.spawn(plane(10, 10), Material())
        context.scene.spawn(box(1.0), Material(), Transform(glm.vec3(0, 0.5, 0)))

    def draw(self, alpha: float) -> None:
        (window,) = pyglet.app.windows
        self.frames += 1
        function = LOSSES[self.scenario].get(self.frames)
        if function is not None:
            self.devices.lose_in(function)
            if function == "vkCreateSwapchainKHR":
                window.set_size(200, 120)
        if self.frames == LAST:
            window.dispatch_event("on_close")


def play_scenario(name: str) -> int:
    """Play a scenario and say what was lost; returns the exit code."""
    devices = LostDevices()
    Losing.scenario, Losing.devices = name, devices
    real = backend.VulkanBackend
    backend.VulkanBackend = lambda *args, **options: real(*args, **{**options, "wrap": devices.wrap})  # type: ignore
    try:
        return play(PlayOptions(f"{__name__}:Losing", size=(160, 90), validate=True))
    finally:
        backend.VulkanBackend = real  # type: ignore[misc]
        print(f"{devices.lost} lost, left over: {devices.faults.living()}")

"""Plays a game in a window whose size, visibility and plugins change, through the real main loop.

Run by ``window_plays.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import ClassVar

import pyglet
from pyglm import glm

from renderwright.engine.app import play
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PlayOptions
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform

LAST = 40
SIZES = {4: (200, 120), 8: (64, 64), 12: (321, 99), 16: (160, 90)}


def resize_and_hide(frame: int, window: pyglet.window.Window) -> None:
    if frame in SIZES:
        window.set_size(*SIZES[frame])
    elif frame == 22:
        window.minimize()
    elif frame == 26:
        window.set_visible(False)
    elif frame == 32:
        window.set_visible(True)


def switch(frame: int, window: pyglet.window.Window) -> None:
    symbols = (pyglet.window.key.F1, pyglet.window.key.F2, pyglet.window.key.F3)
    symbol = symbols[frame // 2 % 3]
    window.dispatch_event("on_key_press" if frame % 2 == 0 else "on_key_release", symbol, 0)


SCENARIOS: dict[str, Callable[[int, pyglet.window.Window], None]] = {
    "resize_and_hide": resize_and_hide,
    "switch": switch,
}


class Scenario(Game):
    """A box on a plane; every frame the scenario does something to the window, and the last closes it."""

    scenario: ClassVar[str]

    def setup(self, context: GameContext) -> None:
        self.frames = 0
        context.scene.spawn(plane(10, 10), Material())
        context.scene.spawn(box(1.0), Material(), Transform(glm.vec3(0, 0.5, 0)))

    def draw(self, alpha: float) -> None:
        assert sys.getswitchinterval() < 0.001, "a frame does not wait long for a thread that computes"
        (window,) = pyglet.app.windows
        self.frames += 1
        SCENARIOS[self.scenario](self.frames, window)
        if self.frames == LAST:
            window.dispatch_event("on_close")


def play_scenario(name: str) -> int:
    """Play a scenario; returns the exit code."""
    Scenario.scenario = name
    return play(PlayOptions(f"{__name__}:Scenario", size=(160, 90), validate=True))

"""Plays a game in a window whose OpenGL context is lost, through the real main loop.

Run by ``window_plays.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pyglet
from PIL import ImageGrab
from pyglm import glm

from renderwright.engine.app import play
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PlayOptions
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.render.backend import opengl

LAST = 10
LOSSES = {"once": (4,), "resizing": (4,), "twice": (4, 8), "for_good": (4, 6, 8)}
UNKNOWN_CONTEXT_RESET = 0x8255


class LostContexts:
    """A wrapper of OpenGL's functions under which contexts are lost. A lost context stays so; a new one is fine."""

    def __init__(self) -> None:
        self.lost = 0
        self.contexts: set[int] = set()
        self.due = False
        self._reset: int | None = None

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return (lambda: self._status(function)) if name == "glGetGraphicsResetStatus" else function

    def _status(self, function: Callable[..., Any]) -> Any:
        current = current_context()
        self.contexts.add(current)
        if self.due and current != self._reset:
            self.due, self._reset = False, current
            self.lost += 1
        return UNKNOWN_CONTEXT_RESET if current == self._reset else function()


def current_context() -> int:
    (window,) = pyglet.app.windows
    return id(window.context)


class Losing(Game):
    """A box on a plane; in some frames the context is lost, and the last one closes the window."""

    scenario: ClassVar[str]
    contexts: ClassVar[LostContexts]
    colors: ClassVar[int]
    """How many the display shows in the end."""

    def setup(self, context: GameContext) -> None:
        self.frames = 0
        context.scene.spawn(plane(10, 10), Material())
        context.scene.spawn(box(1.0), Material(), Transform(glm.vec3(0, 0.5, 0)))

    def draw(self, alpha: float) -> None:
        (window,) = pyglet.app.windows
        self.frames += 1
        if self.frames in LOSSES[self.scenario]:
            self.contexts.due = True
            if self.scenario == "resizing":
                window.set_size(200, 120)
        if self.frames == LAST:
            Losing.colors = len(np.unique(np.asarray(ImageGrab.grab(xdisplay="")).reshape(-1, 3), axis=0))
            window.dispatch_event("on_close")


def play_scenario(name: str) -> int:
    """Play a scenario and say what was lost; returns the exit code."""
    contexts = LostContexts()
    Losing.scenario, Losing.contexts, Losing.colors = name, contexts, 0
    real = opengl.OpenGLBackend
    opengl.OpenGLBackend = lambda *args, **options: real(*args, **{**options, "wrap": contexts.wrap})  # type: ignore
    try:
        return play(PlayOptions(f"{__name__}:Losing", size=(160, 90), validate=True))
    finally:
        opengl.OpenGLBackend = real  # type: ignore[misc]
        shows = "shows the game" if Losing.colors > 10 else "shows nothing"
        print(f"{contexts.lost} lost, {len(contexts.contexts)} contexts, the last one {shows}")

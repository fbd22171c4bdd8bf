"""Plays a game in a window with every hostile plugin, through the real main loop.

Run by ``test_hostile_in_a_window.py`` in a process of its own: pyglet binds to one display. It prints the status of
each plugin as JSON, and saves a picture when nothing hostile is on and one when all of them have been.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from hostile_plugins import INTEROPS, MATRIX
from pyglm import glm

from renderwright.engine.app import play
from renderwright.engine.effects import SessionEffects
from renderwright.engine.game import Game, GameContext, PictureWish
from renderwright.engine.options import PlayOptions, PluginChoice
from renderwright.engine.plugins import FoundPlugin, discovery, host, interops
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from tests.patience import PATIENCE

SIZE = (96, 54)
EVERY = {**MATRIX, **INTEROPS}
NAMES = {f"hostile{number}": mistake for number, mistake in enumerate(EVERY)}
FRAMES_BETWEEN = 2


class Still(Game):
    """A box that stands still. In mid-run it switches the plugins on, each when the last one is out."""

    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera.position = glm.vec3(2.0, 2.0, 2.5)
        context.scene.spawn(box(1.0), Material(base_color=(0.8, 0.2, 0.1, 1)))
        self.course = self._course()

    def draw(self, alpha: float) -> None:
        next(self.course)

    def _course(self) -> Any:
        context = self.context
        if sys.argv[1] == "in mid-run":
            context.request_picture(PictureWish(SIZE, border=0))
            yield
            for name in NAMES:
                # An interop is asked for before the device is opened, and a plugin without one may be switched on.
                if NAMES[name] in MATRIX:
                    context.effects.switch(name, on=True)
                    yield from self._until_out(name)
        else:
            for name in NAMES:
                yield from self._until_out(name)
        for _ in range(FRAMES_BETWEEN):
            yield
        context.request_picture(PictureWish(SIZE, border=0))
        yield
        assert isinstance(context.effects, SessionEffects)
        plugins = context.effects._session.plugins
        print(json.dumps({mistake: plugins.status(name).reason for name, mistake in NAMES.items()}))
        context.request_quit()
        yield

    def _until_out(self, name: str) -> Any:
        end = time.monotonic() + PATIENCE
        while self.context.effects.is_on(name):
            assert time.monotonic() < end, f"{NAMES[name]} stays"
            yield


def _load(mistake: str) -> object:
    plugin = EVERY[mistake].plugin
    if isinstance(plugin, BaseException):
        raise plugin
    return plugin


def main() -> None:
    """Play the game with the plugins on ``at the start`` or ``in mid-run``, as the first argument says."""
    hostile = tuple(FoundPlugin(name, lambda mistake=mistake: _load(mistake)) for name, mistake in NAMES.items())  # type: ignore[misc]
    found = discovery.find_plugins() + hostile
    host.find_plugins = interops.find_plugins = lambda: found  # type: ignore[attr-defined]
    on = tuple(NAMES) if sys.argv[1] == "at the start" else ()
    options = PlayOptions(f"{__file__}:Still", size=SIZE, validate=True, plugins=PluginChoice(enable=on))
    sys.exit(play(options))


if __name__ == "__main__":
    main()

"""Uses the keys and the panel of a window by its events, and looks at what reaches the game.

Run by ``test_window_tools.py`` in a process of its own: pyglet binds to one display.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyglet
from pyglet.window import key, mouse

from renderwright.engine.app import play
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PlayOptions
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from tests.patience import PATIENCE

PASTE = """\
import pyglet
pyglet.options["shadow_window"] = False
print(pyglet.window.Window(20, 20, visible=False).get_clipboard_text(), end="")
"""
CONTROLS = {"actions": {"fire": ["mouse_left"], "jump": ["p"], "stop": ["space"]}}


def press(window: Any, symbol: int, modifiers: int = 0) -> None:
    window.dispatch_event("on_key_press", symbol, modifiers)
    window.dispatch_event("on_key_release", symbol, modifiers)


def click(window: Any, x: int, y: int) -> Iterator[None]:
    """A click there, from the top left corner; the panel sees it over some frames."""
    window.dispatch_event("on_mouse_motion", x, window.height - y, 0, 0)
    yield
    yield
    window.dispatch_event("on_mouse_press", x, window.height - y, mouse.LEFT, 0)
    yield
    window.dispatch_event("on_mouse_release", x, window.height - y, mouse.LEFT, 0)
    yield


def until(met: Callable[[], bool]) -> Iterator[None]:
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end, "it did not come"
        yield


class Scenario(Game):
    """A box; each drawn frame is one step of the scenario, whose end closes the window."""

    controls = CONTROLS
    plugins = ("bloom", "tonemap")

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(box(1.0), Material())
        self.seen: list[str] = []
        self.record: list[tuple[int, str, float]] = []
        self.steps = 0
        stories = {
            "panel": self.panel,
            "missing": self.missing,
            "recorded": self.recorded,
            "copied": self.copied,
        }
        self.story = stories.get(sys.argv[1], self.replayed)()

    def update(self, dt: float) -> None:
        self.steps += 1
        pressed = [name for name in CONTROLS["actions"] if self.context.input.pressed(name)]
        self.seen += pressed
        self.record += [(self.steps, name, self.context.random.random()) for name in pressed]

    def draw(self, alpha: float) -> None:
        if next(self.story, "end") == "end":
            (window,) = pyglet.app.windows
            window.dispatch_event("on_close")

    def close(self) -> None:
        print(json.dumps(self.record))

    def replayed(self) -> Iterator[None]:
        while True:
            yield

    def recorded(self) -> Iterator[None]:
        (window,) = pyglet.app.windows
        for number, symbol in enumerate((key.P, key.SPACE, key.P)):
            press(window, symbol)
            yield from until(lambda number=number: len(self.seen) > number)
        press(window, key.R, key.MOD_CTRL)
        press(window, key.G, key.MOD_CTRL)
        yield
        yield

    def missing(self) -> Iterator[None]:
        (window,) = pyglet.app.windows
        press(window, key.P, key.MOD_CTRL)
        yield

    def copied(self) -> Iterator[None]:
        (window,) = pyglet.app.windows
        window.set_clipboard_text("--set bloom.intensity=0.2")
        with subprocess.Popen([sys.executable, "-c", PASTE], stdout=subprocess.PIPE, text=True) as other:
            try:
                yield from until(lambda: other.poll() is not None)
                assert other.communicate()[0] == "--set bloom.intensity=0.2"
            finally:
                other.kill()

    def panel(self) -> Iterator[None]:
        (window,) = pyglet.app.windows
        yield from click(window, 100, 70)
        press(window, key.P)
        yield from until(lambda: len(self.seen) == 2)
        assert self.seen == ["fire", "jump"]
        press(window, key.P, key.MOD_CTRL)
        for _ in range(4):
            yield
        yield from click(window, 65, 72)  # switches bloom
        yield from click(window, 65, 72)
        assert self.seen == ["fire", "jump"], "what the panel takes has reached the game"
        yield from click(window, 5, 5)  # beside the panel
        yield from until(lambda: len(self.seen) == 3)
        press(window, key.SPACE, key.MOD_CTRL)
        yield
        yield
        paused = self.steps
        for _ in range(5):
            yield
        assert self.steps == paused
        press(window, key.RIGHT, key.MOD_CTRL)
        yield
        yield
        yield
        assert self.steps == paused + 1
        press(window, key.SPACE, key.MOD_CTRL)
        yield from until(lambda: self.steps > paused + 1)
        press(window, key.S, key.MOD_CTRL)
        press(window, key.P, key.MOD_CTRL)
        for _ in range(3):
            yield
        assert self.seen == ["fire", "jump", "fire"]
        press(window, key.K, key.MOD_CTRL)
        yield from until(lambda: Path("out/window_tools_scenario-1.html").exists())


if __name__ == "__main__":
    sys.exit(play(PlayOptions(f"{__file__}:Scenario", size=(480, 300), seed=5, validate=True)))

"""A user of the panel in a session, for its tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pyglm import glm
from slimgui import imgui

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.input.gamepads import Gamepads
from renderwright.engine.panel.frame_tab import PlayersTools
from renderwright.engine.panel.panel import Panel
from renderwright.engine.plugins.status import PluginStatus
from renderwright.engine.recent_messages import RecentMessages
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from tests.playing import Picture

EXTENT = (480, 300)
LEFT, TOP = 48, 12
"""The panel's corner in a window of that size."""
TABS = {"plugins": 37, "times": 91, "frame": 139, "textures": 197, "messages": 265}
"""Where tabs are, from the panel's corner to the right."""


class Boxes(Game):
    """A box on a plane, for one or two players; nothing moves."""

    title = "Boxes"
    max_players = 2
    plugins = ("bloom", "tonemap")

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(plane(20, 20), Material())
        context.scene.spawn(box(1.0), Material(base_color=(0.8, 0.2, 0.1, 1)), Transform(glm.vec3(0, 0.5, 0)))
        self.context = context

    def draw(self, alpha: float) -> None:
        places = [glm.vec3(3, 2, 3), glm.vec3(-4, 3, 1)]
        self.context.scene.cameras = [Camera(place) for place in places[: self.context.players]]


class Player:
    """A user of the panel in a session."""

    def __init__(self, backend: Backend, **options: Any) -> None:
        clock = FixedStepClock(Boxes.step, frame=1 / 60)
        self.messages = RecentMessages().__enter__()
        self.session = Session(options.pop("game", Boxes), backend, EXTENT, clock=clock, **options)
        self.target: Target = backend.create_target(EXTENT)
        self.remembered: list[PluginStatus] = []
        self.gamepads = Gamepads()
        self.replays = 0
        self.panel = Panel(self.session, self.remember, self.messages, PlayersTools(self.gamepads, self.save_replay))

    def remember(self, status: PluginStatus) -> str:
        self.remembered.append(status)
        return "remembered"

    def save_replay(self) -> str:
        self.replays += 1
        return "The replay is in a file."

    def frames(self, count: int = 2) -> Picture:
        for _ in range(count):
            self.session.step()
            self.panel.update(EXTENT, 1 / 60)
            report = self.session.render(self.target)
            assert report is not None
            self.panel.see(report)
        return self.session.picture()

    def click(self, x: float, y: float) -> Picture:
        """Click there, from the panel's corner."""
        self.panel.gui.move_mouse(LEFT + x, TOP + y)
        self.frames(1)
        for down in (True, False):
            self.panel.gui.press_mouse(0, down=down)
            self.frames(1)
        self.panel.gui.move_mouse(0.0, 0.0)
        return self.frames()

    def tab(self, name: str) -> Picture:
        return self.click(TABS[name], 36)

    def nodes(self) -> set[str]:
        return {node.id for node in self.session.runtime.plan.graph.nodes}

    def close(self) -> None:
        self.panel.close()
        self.session.close()
        self.messages.__exit__(None, None, None)


def touch(monkeypatch: pytest.MonkeyPatch, widget: str, values: Mapping[str, Any]) -> list[str]:
    """Let a user give widgets of a kind these values, once each; returns the labels that are still to come."""
    drawn, left = getattr(imgui, widget), dict(values)

    def touched(label: str, *rest: Any, **options: Any) -> Any:
        result = drawn(label, *rest, **options)
        if label not in left:
            return result
        given = left.pop(label)
        if given is None:
            return True
        return True, given(*rest) if callable(given) else given

    monkeypatch.setattr(imgui, widget, touched)
    return left  # type: ignore[return-value]


def listen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that takes all wrapped texts from now on."""
    told: list[str] = []
    drawn = imgui.text_wrapped
    monkeypatch.setattr(imgui, "text_wrapped", lambda text: (told.append(text), drawn(text)))
    return told

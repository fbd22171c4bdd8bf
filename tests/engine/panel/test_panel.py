"""The panel in frames of a game: what it draws and does, and that nothing of it stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pyglm import glm
from slimgui import imgui

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.input.gamepads import Gamepads
from renderwright.engine.options import PluginChoice
from renderwright.engine.panel.frame_tab import PlayersTools
from renderwright.engine.panel.node import NODE
from renderwright.engine.panel.panel import Panel
from renderwright.engine.panel.shown_texture import texture_names
from renderwright.engine.plugins.status import PluginStatus
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.playing import Picture

pytestmark = pytest.mark.vulkan

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
        self.session = Session(options.pop("game", Boxes), backend, EXTENT, clock=clock, **options)
        self.target: Target = backend.create_target(EXTENT)
        self.remembered: list[PluginStatus] = []
        self.gamepads = Gamepads()
        self.replays = 0
        self.panel = Panel(self.session, self.remember, PlayersTools(self.gamepads, self.save_replay))

    def remember(self, status: PluginStatus) -> str:
        self.remembered.append(status)
        return "remembered"

    def save_replay(self) -> None:
        self.replays += 1

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


@pytest.fixture
def player(backend: VulkanBackend) -> Iterator[Player]:
    player = Player(backend)
    yield player
    player.close()


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


def test_it_lies_over_the_picture_and_leaves_nothing(player: Player) -> None:
    before, nodes, heap = player.frames(), player.nodes(), player.session.runtime.heap_bytes
    player.panel.switch(EXTENT)
    over = player.frames()
    panel = np.abs(over.astype(int) - before.astype(int)).max(axis=2) > 8
    assert panel[TOP + 4 : 280, LEFT + 4 : 460].mean() > 0.9
    assert not panel[:, : LEFT - 2].any()
    assert player.nodes() - nodes == {NODE}
    player.panel.switch(EXTENT)
    assert np.array_equal(player.frames(), before)
    assert player.nodes() == nodes
    assert player.session.runtime.heap_bytes == heap


def test_a_click_switches_a_plugin(player: Player) -> None:
    player.panel.switch(EXTENT)
    player.frames()
    assert player.session.plugins.is_enabled("bloom")
    player.click(17, 60)
    assert not player.session.plugins.is_enabled("bloom")
    player.click(17, 60)
    assert player.session.plugins.is_enabled("bloom")


def test_settings_are_changed_and_remembered(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    before = player.frames()
    player.click(45, 60)  # opens the first plugin
    left = touch(monkeypatch, "slider_float", {"intensity": 0.9})
    player.frames()
    assert not left
    touch(monkeypatch, "small_button", {"remember for this game": None})
    player.frames()
    (status,) = player.remembered
    assert (status.name, status.settings.intensity) == ("bloom", 0.9)  # type: ignore[union-attr]
    player.panel.switch(EXTENT)
    assert not np.array_equal(player.frames(), before)


def test_a_value_that_the_plugin_refuses_is_told_on_the_tab(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    player.click(45, 60)
    touch(monkeypatch, "slider_float", {"intensity": -3.0})
    told: list[str] = []
    drawn = imgui.text_wrapped
    monkeypatch.setattr(imgui, "text_wrapped", lambda text: (told.append(text), drawn(text)))
    player.frames()
    assert any("bloom.intensity cannot be -3.0" in text for text in told)


def test_a_plugin_that_failed_is_told_and_retried(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    player.session.plugins.quarantine("bloom", ValueError("on purpose"))
    player.frames()
    player.click(45, 60)
    told: list[str] = []
    drawn = imgui.text_wrapped
    monkeypatch.setattr(imgui, "text_wrapped", lambda text: (told.append(text), drawn(text)))
    player.frames()
    assert any("on purpose" in text for text in told)
    touch(monkeypatch, "button", {"retry": None})
    player.frames()
    assert player.session.plugins.is_enabled("bloom")


def test_each_tab_draws_something_of_its_own(player: Player) -> None:
    player.panel.switch(EXTENT)
    player.frames()
    pictures = [player.tab(name) for name in TABS]
    for number, one in enumerate(pictures):
        assert all(not np.array_equal(one, other) for other in pictures[number + 1 :])


def test_the_number_of_players_changes_and_all_are_shown(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    player.tab("frame")
    for players, shown in ((2, 2), (1, 1)):
        touch(monkeypatch, "slider_int", {"players": players})
        player.frames(4)
        assert player.session.context.players == players
        assert len([node for node in player.nodes() if node.startswith("compose")]) == shown
    player.session.plugins.disable("split_screen")
    touch(monkeypatch, "slider_int", {"players": 2})
    player.frames(4)
    assert len([node for node in player.nodes() if node.startswith("compose")]) == 1, "somebody has switched it off"


def test_players_choose_their_gamepads_and_save_a_replay(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    without = player.tab("frame")
    player.gamepads.connect(SimpleNamespace(name="Blue pad", guid="blue"))  # type: ignore[arg-type]
    assert not np.array_equal(player.frames(), without)
    offered: list[str] = []

    def second(current: int, names: list[str], *rest: object) -> int:
        offered.extend(names)
        return 1

    touch(monkeypatch, "combo", {"gamepad of player 1": second})
    touch(monkeypatch, "button", {"save a replay": None})
    player.frames(1)
    monkeypatch.undo()
    assert [name.partition("##")[0] for name in offered] == ["Blue pad", "none", "none", "none"]
    assert player.gamepads.names == ("", "Blue pad", "", "")
    assert player.replays == 1


def show(texture: str, player: Player, monkeypatch: pytest.MonkeyPatch) -> Picture:
    player.panel.switch(EXTENT)
    player.tab("textures")
    touch(monkeypatch, "combo", {"texture": lambda current, names, *rest: names.index(texture)})
    touch(monkeypatch, "drag_float", {"white at": 0.1})
    player.frames(3)
    monkeypatch.undo()
    return player.frames()


def test_a_texture_is_shown_and_given_up(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    before, nodes = player.frames(), player.nodes()
    shown = show("depth", player, monkeypatch)
    assert {"panel copy", "panel picture"} <= player.nodes()
    picture = shown[230:290, 80:440].astype(int)
    assert picture.std() > 5  # near and far
    player.panel.switch(EXTENT)
    assert np.array_equal(player.frames(), before)
    assert player.nodes() == nodes


def test_a_click_on_a_texture_reads_its_texel_and_a_file_takes_all(
    player: Player, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    player.frames()
    nodes = player.nodes()
    show("depth", player, monkeypatch)
    told: list[str] = []
    drawn = imgui.text_wrapped
    monkeypatch.setattr(imgui, "text_wrapped", lambda text: (told.append(text), drawn(text)))
    player.click(180, 225)
    player.frames(3)
    (texel,) = {text for text in told if text.startswith("texel ")}
    file = tmp_path / "depth.npy"
    touch(monkeypatch, "input_text", {"file": str(file)})
    touch(monkeypatch, "button", {"save": None})
    player.frames(4)
    depth = np.load(file)
    x, y = (int(number) for number in texel.split(" of ")[0].removeprefix("texel ").split(", "))
    assert float(texel.rpartition(": ")[2]) == pytest.approx(float(depth[y, x, 0]), rel=1e-4)
    player.panel.switch(EXTENT)
    player.frames()
    assert player.nodes() == nodes


def test_a_texture_may_leave_the_frame_while_it_is_shown(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.frames()
    (name, *_) = (name for name in texture_names(player.session.runtime.plan) if name.startswith("bloom/"))
    shown = show(name, player, monkeypatch)
    player.session.plugins.disable("bloom")
    assert not np.array_equal(player.frames(), shown)
    player.session.plugins.enable("bloom")
    # The exposure adapts.
    assert np.abs(player.frames().astype(int) - shown.astype(int)).mean() < 2


def test_the_texture_of_each_view_can_be_shown(backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = PluginChoice(enable=("split_screen", "vr"))
    player = Player(backend, players=2, choice=choice)
    first = show("depth", player, monkeypatch)
    touch(monkeypatch, "slider_int", {"view": 1})
    player.frames()
    monkeypatch.undo()
    second = player.frames()
    player.close()
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("skeleton", ["flat", "forward"])
def test_other_skeletons_have_it_as_well(skeleton: str, backend: VulkanBackend) -> None:
    game = type(f"Boxes{skeleton}", (Boxes,), {"skeleton": skeleton})
    player = Player(backend, game=game)
    before = player.frames()
    player.panel.switch(EXTENT)
    assert not np.array_equal(player.frames(), before)
    player.close()


def test_it_looks_alike_on_opengl(player: Player) -> None:
    opengl = OpenGLBackend()
    other = Player(opengl)
    pictures = []
    for each in (player, other):
        each.panel.switch(EXTENT)
        each.frames()
        pictures.append(each.tab("frame")[TOP : TOP + 45, LEFT:460].astype(int))  # without the device's name
    other.close()
    opengl.close()
    assert np.abs(pictures[0] - pictures[1]).max() <= 2


def test_it_stays_when_the_device_is_lost(backend: VulkanBackend) -> None:
    player = Player(backend)
    player.panel.switch(EXTENT)
    before = player.frames()
    another = VulkanBackend(validate=True)
    player.session.abandon()
    player.session.move_to(another)
    player.target = another.create_target(EXTENT)
    after = player.frames(3)
    player.panel.switch(EXTENT)
    player.frames(3)
    player.close()
    another.close()
    assert np.abs(after.astype(int) - before.astype(int)).max() <= 2
    assert another.validation_messages == []

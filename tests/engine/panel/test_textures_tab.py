"""Textures of the frame on the panel: shown, magnified, read, saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from slimgui import imgui

from renderwright.engine.options import PluginChoice
from renderwright.engine.panel.shown_texture import texture_names
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.engine.panel.panel_user import EXTENT, LEFT, TOP, Player, listen, touch
from tests.playing import Picture

pytestmark = pytest.mark.vulkan


@pytest.fixture
def player(backend: VulkanBackend) -> Iterator[Player]:
    player = Player(backend)
    yield player
    player.close()


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
    told = listen(monkeypatch)
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


def test_the_wheel_magnifies_around_the_mouse(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    show("depth", player, monkeypatch)
    told = listen(monkeypatch)
    read = []
    for turn in (1.0, -1.0, 0.0):
        player.click(120, 240)
        player.frames(3)
        read.append([text for text in told if text.startswith("texel ")][-1])
        player.panel.gui.move_mouse(LEFT + 120, TOP + 240)
        player.frames(1)
        for _ in range(3):
            player.panel.gui.scroll(0.0, turn)
            player.frames(1)
    assert any(text.startswith("2.0x") for text in told)
    texels = np.array([[int(number) for number in text[6:].split(" of ")[0].split(", ")] for text in read])
    assert np.ptp(texels, axis=0).max() <= 1, read  # and it scrolls nothing


def test_black_and_white_fit_the_values(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    show("depth", player, monkeypatch)
    player.panel.gui.move_mouse(LEFT + 390, TOP + 80)
    player.panel.gui.scroll(0.0, -20.0)
    shown = player.frames(3)  # the lower part of the texture
    touch(monkeypatch, "small_button", {"fit": None})
    ranges: dict[str, float] = {}
    drawn = imgui.drag_float
    monkeypatch.setattr(
        imgui,
        "drag_float",
        lambda label, value, *rest, **more: (ranges.update({label: value}), drawn(label, value, *rest, **more))[1],
    )
    fitted = player.frames(4)
    assert 0.0 <= ranges["black at"] < ranges["white at"] < 0.05  # no surface is nearer than 2 m
    rows, columns = slice(120, 200), slice(80, 440)
    assert fitted[rows, columns, 0].mean() > 1.5 * shown[rows, columns, 0].mean()


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

"""``play --check`` names the plugin, the node and the resource that a node leaves undefined, once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from careless_plugins import CARELESS, FULL_SCREEN, UNUSED_PUSH, Careless, node_of
from hand_driven import HandDriven
from hostile_plugins import NAME, Hostile
from playing import frames_of
from spreading_plugins import FINITE, IDLE, SPREADING, UNWRITTEN
from test_hostile_plugins import playing

from renderwright.engine.plugins import PluginState
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import PluginError
from renderwright.render.runtime.checks.level import CheckLevel
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

LOGGER = "renderwright.check"
NO_STRENGTH = '`fill.comp` does not use "strength"'


def check_named_once(records: Sequence[logging.LogRecord], careless: Careless, file: str) -> None:
    (record,) = [record for record in records if record.name == LOGGER]
    message = record.getMessage()
    assert f'node "{NAME}/node0" of plugin "{NAME}"' in message
    assert careless.words in message
    if careless.resource:
        assert f'"{careless.resource}"' in message or f'"{NAME}/{careless.resource}"' in message
    assert str(Path(__file__).with_name(file)) in message.partition(":")[0]


@pytest.mark.parametrize("mistake", CARELESS)
def test_what_a_plugin_leaves_undefined_is_named_once(
    mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    careless = CARELESS[mistake]
    hostile = Hostile(careless.plugin, "")
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, hostile, on=True, check=CheckLevel.COMMANDS) as session,
    ):
        frames_of(session, 3)
        assert session.plugins.status(NAME).state is PluginState.ENABLED
    check_named_once(caplog.records, careless, "careless_plugins.py")


@pytest.mark.parametrize("how", [Fullscreen.FRAGMENT, Fullscreen.COMPUTE])
@pytest.mark.parametrize("mistake", FULL_SCREEN)
def test_what_a_full_screen_node_leaves_undefined_has_one_name_in_both_ways(
    mistake: str,
    how: Fullscreen,
    backend: VulkanBackend,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    careless = FULL_SCREEN[mistake]
    options = CompileOptions(fullscreen=how)
    hostile = Hostile(careless.plugin, "")
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, hostile, on=True, check=CheckLevel.COMMANDS, options=options) as session,
    ):
        frames_of(session, 3)
    check_named_once(caplog.records, careless, "careless_plugins.py")
    assert "dispatch" not in caplog.text


@pytest.mark.parametrize("check", [None, CheckLevel.COMMANDS])
def test_a_target_without_an_output_is_told_by_the_check_or_by_the_review(
    check: CheckLevel | None, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hostile = Hostile(CARELESS["one output of two"].plugin, "")
    with playing(backend, monkeypatch, hostile, on=True, check=check) as session:
        frames_of(session, 3)
    said = [record.name for record in caplog.records if "no output at location 1" in record.getMessage()]
    assert said == ["renderwright.plan" if check is None else LOGGER]


def test_the_review_tells_what_else_is_wrong_at_the_line_of_a_finding(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def declare(reg: Any) -> Callable[[Any], None]:
        for name, width in (("first", 16), ("thing", 8)):
            reg.create(name, Texture("rgba16_sfloat", (width, 16))).color()
        red = reg.graphics("red.frag")
        return lambda cmd: cmd.draw(red)

    hostile = Hostile(node_of(declare), "")
    with playing(backend, monkeypatch, hostile, on=True, check=CheckLevel.COMMANDS) as session:
        frames_of(session, 3)
    said = [(record.name, record.getMessage()) for record in caplog.records]
    assert [name for name, text in said if "no output at location 1" in text] == [LOGGER]
    assert [name for name, text in said if "of 8 x 16 at once" in text] == ["renderwright.plan"]


@pytest.mark.parametrize("level", CheckLevel)
def test_a_plugin_switched_on_beside_the_frames_is_named_when_they_show_it(
    level: CheckLevel, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    careless, worker = CARELESS["no push constants"], HandDriven()
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, Hostile(careless.plugin, ""), on=False, check=level, worker=worker) as session,
    ):
        frames_of(session, 2)
        session.plugins.enable(NAME)
        frames_of(session, 1)
        assert not [record for record in caplog.records if record.name == LOGGER]
        worker.work()
        frames_of(session, 2)
    check_named_once(caplog.records, careless, "careless_plugins.py")


@pytest.mark.parametrize("mistake", SPREADING)
def test_a_plugin_that_makes_nan_or_infinity_is_named_once_and_nobody_behind_it(
    mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    spreading = SPREADING[mistake]
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, Hostile(spreading.plugin, ""), on=True, check=CheckLevel.NAN) as session,
    ):
        session.plugins.enable("bloom")
        session.plugins.enable("taa")
        frames_of(session, 4)
    check_named_once(caplog.records, spreading, "spreading_plugins.py")


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("NaN in a half", "look in value.frag for texels"),
        ("one stored half", "look in value.comp for texels"),
        ("a clear", "look for divisions"),
    ],
)
def test_the_shader_that_makes_nan_is_named(
    mistake: str,
    words: str,
    backend: VulkanBackend,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hostile = Hostile(SPREADING[mistake].plugin, "")
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, hostile, on=True, check=CheckLevel.NAN) as session,
    ):
        frames_of(session, 1)
    (message,) = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    assert words in message


def test_the_view_is_named_where_there_are_several(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hostile = Hostile(SPREADING["NaN in the picture"].plugin, "")
    with playing(backend, monkeypatch, hostile, on=False, check=CheckLevel.NAN) as session:
        session.plugins.enable("vr")
        session.plugins.enable(NAME)
        frames_of(session, 1)
    (message,) = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    assert 'with NaN to "hdr", eye 0, in frame 0, the first is texel (0, 0);' in message


@pytest.mark.parametrize("plugin", FINITE)
def test_finite_texels_are_not_reported(plugin: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = Hostile(FINITE[plugin], "")
    with playing(backend, monkeypatch, hostile, on=True, strict=True, check=CheckLevel.NAN) as session:
        frames_of(session, 2)
        assert session.plugins.status(NAME).state is PluginState.ENABLED


@pytest.mark.parametrize("plugin", IDLE)
def test_a_node_that_has_recorded_nothing_has_made_no_nan(
    plugin: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    options = {"check": CheckLevel.NAN, "poison": Poison.NAN}
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, Hostile(IDLE[plugin], ""), on=True, **options) as session,
    ):
        frames_of(session, 4)
    assert not [record for record in caplog.records if "with NaN" in record.getMessage()]


def test_texels_that_are_never_written_are_found_under_poison(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    options = {"check": CheckLevel.NAN, "poison": Poison.NAN}
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, Hostile(UNWRITTEN, ""), on=True, **options) as session,
    ):
        frames_of(session, 2)
    (message,) = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    assert 'with NaN to "thing"' in message
    assert "texels that it never writes" in message


def test_counting_texels_changes_no_picture(backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = []
    for check in (None, CheckLevel.NAN):
        with playing(backend, monkeypatch, {}, on=False, check=check) as session:
            for plugin in ("bloom", "shadows", "ssao", "taa"):
                session.plugins.enable(plugin)
            pictures.append(frames_of(session, 3))
    for plain, checked in zip(*pictures, strict=True):
        assert np.array_equal(plain, checked)


def test_nan_ends_a_strict_game(backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = Hostile(SPREADING["one frame"].plugin, "")
    with playing(backend, monkeypatch, hostile, on=True, strict=True, check=CheckLevel.NAN) as session:
        frames_of(session, 2)
        with pytest.raises(PluginError, match="in frame 2"):
            frames_of(session, 1)


@pytest.mark.parametrize("mistake", ["no draw", "no push constants", "a shader that stores nothing"])
def test_what_a_plugin_leaves_undefined_ends_a_strict_game(
    mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = Hostile(CARELESS[mistake].plugin, "")
    with (
        pytest.raises(PluginError, match="because of --strict") as raised,
        playing(backend, monkeypatch, hostile, on=True, strict=True, check=CheckLevel.COMMANDS) as session,
    ):
        frames_of(session, 1)
    assert CARELESS[mistake].words in str(raised.value)


def test_a_push_constant_that_no_shader_uses_is_named_once(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, Hostile(UNUSED_PUSH, ""), on=True) as session,
    ):
        frames_of(session, 3)
        assert session.plugins.status(NAME).state is PluginState.ENABLED
    check_named_once(caplog.records, Careless(UNUSED_PUSH, "", NO_STRENGTH), "careless_plugins.py")
    (message,) = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    assert "remove it from the call" in message


def test_a_push_constant_that_no_shader_uses_ends_a_strict_game(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        pytest.raises(PluginError, match=NO_STRENGTH),
        playing(backend, monkeypatch, Hostile(UNUSED_PUSH, ""), on=True, strict=True) as session,
    ):
        frames_of(session, 1)


@pytest.mark.parametrize(
    ("mistake", "call", "line"),
    [
        ("no push constants", "cmd.draw(pipeline, tint=...)", "cmd.recorder.draw(3)"),
        (
            "no push constants for the second",
            "cmd.dispatch(pipeline, extent, tint=...)",
            "cmd.recorder.dispatch(16, 16)",
        ),
    ],
)
def test_missing_push_constants_are_named_with_their_call(
    mistake: str,
    call: str,
    line: str,
    backend: VulkanBackend,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hostile = Hostile(CARELESS[mistake].plugin, "")
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, hostile, on=True, check=CheckLevel.COMMANDS) as session,
    ):
        frames_of(session, 1)
    (message,) = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    file, number = message.split(": ")[0].split(":")
    assert line in Path(file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
    assert call in message


def test_without_a_check_nothing_is_reported(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hostile = Hostile(CARELESS["no draw"].plugin, "")
    with (
        caplog.at_level(logging.WARNING, LOGGER),
        playing(backend, monkeypatch, hostile, on=True, strict=True) as session,
    ):
        frames_of(session, 2)
    assert not caplog.records

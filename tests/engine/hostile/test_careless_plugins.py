"""``play --check`` names the plugin, the node and the resource that a node leaves undefined, once."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from careless_plugins import CARELESS
from hostile_plugins import NAME, Hostile
from playing import frames_of
from test_hostile_plugins import playing

from renderwright.engine.plugins import PluginState
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError
from renderwright.render.runtime.checks.level import CheckLevel

pytestmark = pytest.mark.vulkan

LOGGER = "renderwright.check"


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
    (record,) = [record for record in caplog.records if record.name == LOGGER]
    message = record.getMessage()
    assert f'node "{NAME}/node0" of plugin "{NAME}"' in message
    assert careless.words in message
    if careless.resource:
        assert f'creates "{careless.resource}"' in message or f'creates "{NAME}/{careless.resource}"' in message
    assert str(Path(__file__).with_name("careless_plugins.py")) in message.partition(":")[0]


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

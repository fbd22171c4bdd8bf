"""What the tests of large screenshots share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tiled_play import Garden, Play, Running

from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.render.backend.vulkan.backend import VulkanBackend


@pytest.fixture
def play(backend: VulkanBackend) -> Iterator[Play]:
    started: list[Running] = []

    def start(*on: str, game: type[Game] = Garden, players: int = 1, frames: int = 3, **settings: str) -> Running:
        changes = [SettingChange(*key.split("__"), value) for key, value in settings.items()]
        changes.append(SettingChange("tonemap", "dither", "false"))
        running = Running(game, backend, PluginChoice(enable=on, settings=tuple(changes)), players)
        started.append(running)
        running.play(frames)
        return running

    yield start
    for running in started:
        running.session.close()

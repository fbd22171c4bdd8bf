"""A plugin whose files tests edit, and a game that plays with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from edited_plugins import EditedGame, PluginFiles, installed

from renderwright.render.backend.vulkan.backend import VulkanBackend


@pytest.fixture
def files(tmp_path: Path) -> Iterator[PluginFiles]:
    with installed(tmp_path) as files:
        yield files


@pytest.fixture
def game(backend: VulkanBackend, files: PluginFiles) -> Iterator[EditedGame]:
    game = EditedGame(backend)
    yield game
    game.close()

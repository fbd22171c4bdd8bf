"""The examples of docs/own-materials.md work as they stand."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playing import Picture, frames_of

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

PAGE = (Path(__file__).parents[1] / "docs" / "own-materials.md").read_text(encoding="utf-8")
FUNCTION, GAME, PLUGIN = (
    re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[number]
    for language, number in (("glsl", 0), ("python", 0), ("python", 1))
)


def played(path: Path, backend: VulkanBackend) -> Picture:
    game = find_game(str(path))
    clock = FixedStepClock(game.step, frame=1 / 60)
    with closing(Session(game, backend, (320, 180), clock=clock, strict=True)) as session:
        return frames_of(session, 2)[-1]


@pytest.mark.vulkan
def test_its_game_is_played(tmp_path: Path, backend: VulkanBackend) -> None:
    (tmp_path / "glsl").mkdir()
    (tmp_path / "glsl" / "stripes.glsl").write_text(FUNCTION)
    path = tmp_path / "striped.py"
    path.write_text(GAME)
    striped = played(path, backend)
    (tmp_path / "glsl" / "stripes.glsl").write_text("void own_surface(inout Surface surface, SurfacePoint at) {}")
    plain = played(path, backend)
    changed = np.abs(striped.astype(int) - plain.astype(int)).max(axis=2) > 8
    assert all(third.mean() > 0.02 for third in np.array_split(changed, 3, axis=1)), "a ball in each third"


def test_its_plugin_brings_a_function() -> None:
    names: dict[str, Any] = {}
    exec(compile(PLUGIN, "docs/own-materials.md", "exec"), names)
    (surface,) = names["renderwright_info"]().surfaces
    assert dict(surface.parameters) == {"amount": 0.5, "tint": (0.3, 0.1, 0.05)}

"""What the tests of farms share: a small game in a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from renderwright.engine.options import PluginChoice

sys.path.append(str(Path(__file__).resolve().parents[1] / "scene"))  # builders of models

GAME = """\
from pyglm import glm

from renderwright.engine import Camera, Game, Material, Transform
from renderwright.engine.scene.primitives import box


class Turning(Game):
    skeleton = "forward"
    plugins = ("tonemap",)
    controls = {"axes": {"turn": {"negative": ["left"], "positive": ["right"]}}}

    def setup(self, context):
        context.scene.camera = Camera(glm.vec3(0, 1, 3), glm.vec3(0))
        self.cube = context.scene.spawn(box(1.0), Material(base_color=(0.9, 0.4, 0.1, 1)), Transform())

    def update(self, dt):
        turn = dt * (2.0 + self.context.input.axis("turn") + self.context.random.random())
        self.cube.transform.rotation *= glm.angleAxis(turn, glm.vec3(0, 1, 0))
"""

REPLAY = """\
version: 1
steps:
  - {step: 4, press: [right]}
  - {step: 16, release: [right]}
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    """A game whose frames all differ."""
    path = tmp_path / "turning.py"
    path.write_text(GAME)
    return str(path)


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    """An input script for ``game``: 9 frames."""
    path = tmp_path / "replay.yaml"
    path.write_text(REPLAY)
    return path


@pytest.fixture
def taa() -> PluginChoice:
    """Frames that take over textures."""
    return PluginChoice(enable=("taa",))

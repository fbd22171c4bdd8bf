"""The fixtures, in a folder of tests as a plugin's author has it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

TESTS = """
import numpy as np
import pytest
from renderwright.engine import Game
from renderwright.render import Texture


class Empty(Game):
    plugins = ("tonemap",)

    def setup(self, context):
        pass


def grey(reg):
    reg.create("out", Texture("rgba8_unorm", (4, 4))).color(clear=(0.5, 0.5, 0.5, 1.0))
    return lambda cmd: None


def test_a_node(node_results):
    assert np.all(node_results(grey, {}, ["out"], size=(4, 4))["out"][..., 0] == 128)


@pytest.mark.parametrize("backend", ["vulkan", "opengl"])
def test_a_node_on_both_backends(node_results, backend):
    shown = node_results(grey, {}, ["out"], size=(4, 4), backend=backend)["out"]
    assert np.all(shown[..., 0] == 128)


@pytest.mark.parametrize("backend", ["vulkan", "opengl"])
def test_a_game_on_both_backends(played, backend):
    game = played(Empty, size=(32, 16), backend=backend)
    assert game.picture().shape == (16, 32, 3)
    assert game.session.backend.capabilities.backend == backend


def test_the_picture_of_a_game(played, alike):
    first = played(Empty, size=(32, 16))
    alike(first.picture(), "empty")
    alike(played(Empty, size=(32, 16), enable=["bloom"]).picture(), first.picture(), mean=50, largest=255)
"""


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.vulkan
def test_they_share_a_device_and_keep_pictures_beside_the_test(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["renderwright.engine.testing.fixtures"]\n')
    (tmp_path / "test_it.py").write_text(TESTS)
    with_a_picture = ("-k", "picture")
    missing = run(tmp_path, *with_a_picture)
    assert missing.returncode == 1
    assert "run the tests once with --update-pictures" in missing.stdout
    assert run(tmp_path, "--update-pictures", *with_a_picture).returncode == 0
    again = run(tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "6 passed" in again.stdout
    assert (tmp_path / "pictures" / "empty.png").exists()

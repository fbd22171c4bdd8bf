"""The benchmark of unchanged frames: its chain does what it says, and its table is whole."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.frame import GLSL, PEERS, RECORDED, RESUBMITTED, chain, command
from benchmarks.frame_by_hand import HandWritten
from benchmarks.peers.peer import Peer
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout

pytestmark = pytest.mark.vulkan

GAME = """
from renderwright.engine import Game, Material
from renderwright.engine.scene.primitives import box


class Small(Game):
    skeleton = "forward"
    plugins = ("tonemap",)

    def setup(self, context):
        context.scene.spawn(box(1.0), Material())
"""


@pytest.mark.parametrize("kept", [0.0, 0.5, 1.0])
def test_kept_passes_make_the_same_picture(backend: VulkanBackend, kept: float) -> None:
    runtime = Runtime(chain(4, kept), backend, ShaderLibrary([GLSL]))
    for _ in range(5):
        runtime.render(None)
    picture = np.asarray(backend.read_texture(runtime.resource("picture 3"), Layout.COLOR_ATTACHMENT)) / 255.0
    runtime.close()
    x, y = np.meshgrid(np.arange(16) + 0.5, np.arange(16) + 0.5)
    expected = np.stack([x, y, y, x], axis=-1) * 0.125 % 1.0
    for _ in range(3):
        expected = expected * 0.5 + 0.25
    assert np.abs(picture - expected).max() < 0.01


def test_the_chain_by_hand_makes_the_same_picture(backend: VulkanBackend) -> None:
    runtime = Runtime(chain(4, 0.0), backend, ShaderLibrary([GLSL]))
    runtime.render(None)
    expected = backend.read_texture(runtime.resource("picture 3"), Layout.COLOR_ATTACHMENT)
    runtime.close()
    with closing(HandWritten(backend, GLSL, 4)) as by_hand:
        for draw in (*[by_hand.frame] * 3, *[by_hand.resubmit] * 3):
            draw()
            by_hand.finish()
            assert np.array_equal(backend.read_texture(by_hand.pictures[-1], Layout.COLOR_ATTACHMENT), expected)


@pytest.mark.parametrize("peer", PEERS)
def test_peers_print_the_time_of_each_frame(peer: Peer) -> None:
    if not peer.installed:
        pytest.skip(f"{peer.needs} is not installed")
    times = json.loads(peer.run("3", "12", "").splitlines()[-1])
    assert len(times) == 12
    assert all(time > 0 for time in times)


def test_the_table(tmp_path: Path) -> None:
    game = tmp_path / "small.py"
    game.write_text(GAME)
    passes = ["--passes", "2", "--passes", "3"]
    ran = CliRunner().invoke(command, ["--frames", "10", *passes, "--no-peers", "--game", str(game)])
    assert ran.exit_code == 0, ran.output
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in ran.output.splitlines() if line[:1] == "│"]
    measured = [row for row in rows if row[1] in ("median", "p99")]
    assert [row[0] for row in measured[::2]] == [
        *("0% kept", "50% kept", "100% kept"),
        *("OpenGL, 0% kept", "OpenGL, 100% kept"),
        *(RECORDED, RESUBMITTED),
    ]
    assert all(float(cell.replace(",", "")) > 0 for row in measured for cell in row[2:])
    shown = {row[0] for row in rows if len(row) == 3}
    assert shown >= {"still", "playing", "playing: step of the game", "playing: rendering"}
    assert {row[0] for row in rows if row[1] == "not installed"} == {p.title for p in PEERS if not p.installed}

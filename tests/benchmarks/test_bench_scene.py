"""The benchmark of scenes: its crowds move as they say, its table is whole, and peers that are missing are named."""

from __future__ import annotations

import sys
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks import scene_peers
from benchmarks.scene import ALL, MOVING, ONE, ONE_BY_ONE, STATIC, Case, Crowd, cases, command
from benchmarks.scene_peers import ScenePeer
from renderwright.engine.scene import Scene


@pytest.mark.parametrize(("moving", "count"), [(STATIC, 0), (ONE, 1), (ALL, 9), (ONE_BY_ONE, 9)])
def test_a_crowd_moves_as_its_case_says(moving: str, count: int) -> None:
    scene = Scene()
    crowd = Crowd(Case(9, 2, moving), scene)
    assert [batch.count for batch in scene.draw_list().batches] == [5, 4]
    before = scene.draw_list()
    crowd.move(1)
    after = scene.draw_list()
    assert (before.models != after.models).any(axis=(1, 2)).sum() == count
    assert np.abs(after.models[:, 3, :2]).max() < -after.models[:, 3, 2].max(), "all are in view"


def test_large_crowds_are_not_moved_one_by_one() -> None:
    assert [case.moving for case in cases([100], [1])] == list(MOVING)
    assert [case.moving for case in cases([100_000], [1])] == list(MOVING[:3])


@pytest.mark.vulkan
def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.scene_particles._LIFETIME", 0.1)  # fewer frames until all particles are there
    arguments = ["--frames", "5", "--entities", "20", "--materials", "3", "--python", sys.executable]
    arguments += ["--lamps", "0", "--lamps", "40", "--particles", "0", "--particles", "9", "--size", "32x18"]
    arguments += ["--leaves", "20", "--characters", "2"]
    ran = CliRunner().invoke(command, arguments)
    assert ran.exit_code == 0, ran.output
    rows = [line.split("│")[1:-1] for line in ran.output.splitlines() if line.startswith("│")]
    ends = accumulate((0, len(MOVING), 4, 6, 4))
    rows, lamps, particles, parts = (rows[first:end] for first, end in pairwise(ends))
    assert [row[2].strip() for row in rows] == list(MOVING)
    assert all(float(row[3]) > 0 and float(row[4]) > 0 for row in rows)
    assert [(row[0].strip(), row[1].strip()) for row in lamps] == [
        (skeleton, count) for skeleton in ("deferred", "forward") for count in ("0", "40")
    ]
    assert all((float(row[2]) > 0) is (row[1].strip() == "40") and float(row[3]) > 0 for row in lamps)
    assert [(row[0].strip(), row[1].strip()) for row in particles] == [
        (kind, count) for kind in ("additive", "blended", "lit") for count in ("0", "9")
    ]
    assert all((float(row[2]) > 0) is (row[1].strip() == "9") and float(row[5]) > 0 for row in particles)
    assert [(row[0].strip(), row[1].strip()) for row in parts] == [
        ("nothing", "0"),
        ("opaque leaves", "20"),
        ("masked leaves", "20"),
        ("characters", "2"),
    ]
    assert [float(row[2]) > 0 for row in parts] == [False, False, False, True]
    assert all(float(row[3]) > 0 and float(row[4]) > 0 for row in parts)
    for peer in scene_peers.SCENE_PEERS:
        assert (f"{peer.title}: not installed" in ran.output) is not peer.installed(sys.executable)


def test_a_peer_that_fails_has_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "benchmarks" / "peers").mkdir(parents=True)
    script = "import sys, json; assert sys.argv[2] != '7'; print('hello'); print(json.dumps(len(sys.argv)))"
    (tmp_path / "benchmarks" / "peers" / "counts.py").write_text(script)
    monkeypatch.setattr(scene_peers, "ROOT", tmp_path)
    peer = ScenePeer("counts", "counts", "json", 100, ("extra",))
    assert peer.installed(sys.executable)
    assert not ScenePeer("none", "none", "no_such_module", 1).installed(sys.executable)
    assert peer.cost(sys.executable, 10, 1, STATIC) == 5.0
    assert peer.cost(sys.executable, 10, 7, STATIC) == "failed"
    assert peer.cost(sys.executable, 101, 1, STATIC) == "-"

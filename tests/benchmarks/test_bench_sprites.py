"""The benchmark of sprites: its swarms move as they say, and its table is whole."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks.scene import ALL, ONE, ONE_BY_ONE, STATIC
from benchmarks.sprites import MOVING, Swarm, command
from renderwright.engine.scene import Scene


@pytest.mark.parametrize(("moving", "count"), [(STATIC, 0), (ONE, 1), (ALL, 9), (ONE_BY_ONE, 9)])
def test_a_swarm_moves_as_its_case_says(moving: str, count: int) -> None:
    scene = Scene()
    swarm = Swarm(9, moving, scene)
    before = scene.sprites.drawn().rows.copy()
    scene.begin_step()
    swarm.move(1)
    assert (scene.sprites.drawn().rows != before).any(axis=1).sum() == count
    assert len(before) == 10


@pytest.mark.vulkan
def test_the_table() -> None:
    ran = CliRunner().invoke(command, ["--frames", "5", "--sprites", "20"])
    assert ran.exit_code == 0, ran.output
    rows = [line.split("│")[1:-1] for line in ran.output.splitlines() if line.startswith("│")]
    assert [row[1].strip() for row in rows] == list(MOVING)
    assert all(float(cell) > 0 for row in rows for cell in row[2:])

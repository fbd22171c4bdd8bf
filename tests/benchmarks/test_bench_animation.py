"""The benchmark of characters: they play what the case says, and the table is whole."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks.animation import STEP, command
from benchmarks.human_crowd import FADING, MIXED, ONE_CLIP, PLAYING, STILL, crowd
from benchmarks.human_rig import human, human_parents
from renderwright.engine.scene import Scene


def test_the_rig_is_a_tree_of_60_joints() -> None:
    parents = human_parents()
    assert len(parents) == 60
    assert all(parent < joint for joint, parent in enumerate(parents))


@pytest.mark.parametrize(
    ("playing", "clips", "moving"), [(STILL, 1, 0), (ONE_CLIP, 1, 4), (MIXED, 1, 4), (FADING, 2, 4)]
)
def test_a_crowd_plays_what_its_case_says(playing: str, clips: int, moving: int) -> None:
    scene = Scene()
    characters = crowd(scene, human(vertices=64), 4, playing)
    rig = human_rig_of(scene)
    before = scene.characters.poses(1.0).by_rig[rig].revisions
    scene.begin_step(STEP)
    after = scene.characters.poses(1.0).by_rig[rig].revisions
    assert (before != after).sum() == moving
    plays = scene.characters.mixer(rig, ()).plays
    assert [len(plays.of(row)) for row in range(4)] == [clips] * 4
    assert len({character.current for character in characters}) == (2 if playing in (MIXED, FADING) else 1)


def human_rig_of(scene: Scene):
    (rig,) = scene.characters.poses(1.0).by_rig
    return rig


@pytest.mark.vulkan
def test_the_table_of_characters() -> None:
    ran = CliRunner().invoke(command, ["--frames", "5", "--characters", "2", "--vertices", "64"])
    assert ran.exit_code == 0, ran.output
    rows = [line.split("│")[1:-1] for line in ran.output.splitlines() if line.startswith("│")]
    assert [row[1].strip() for row in rows] == list(PLAYING)
    assert all(float(cell) > 0 for row in rows for cell in row[2:5])

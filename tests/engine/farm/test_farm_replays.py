"""A replay's seed and players hold for jobs as for ``renderwright play``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from renderwright.engine.cli import main
from renderwright.engine.farm import RenderJob
from renderwright.engine.farm.preparation import frame_work, poster_work
from renderwright.engine.farm.replays import frames_of
from renderwright.render.errors import AssetError

SIZE = (64, 36)
PAIR = """\
from pyglm import glm

from renderwright.engine import Camera, Game, Material, Transform
from renderwright.engine.scene.primitives import box


class Pair(Game):
    skeleton = "forward"
    plugins = ("tonemap",)
    max_players = 2

    def setup(self, context):
        context.scene.cameras = [Camera(glm.vec3(0, 1, 3), glm.vec3(0)), Camera(glm.vec3(2, 2, 2), glm.vec3(0))]
        place = Transform(glm.vec3(self.context.random.random(), 0, 0))
        self.cube = context.scene.spawn(box(1.0), Material(base_color=(0.9, 0.4, 0.1, 1)), place)
"""
SEEDED = "version: 1\nseed: 3\nplayers: 2\nsteps:\n  - {step: 4, press: [right]}\n"
PLAIN = "version: 1\nsteps:\n  - {step: 4, press: [right]}\n"
JOINED = "version: 1\nsteps:\n  - {step: 4, players: 2}\n"


@pytest.fixture
def pair(tmp_path: Path) -> str:
    path = tmp_path / "pair.py"
    path.write_text(PAIR)
    return str(path)


def job(game: str, folder: Path, text: str) -> RenderJob:
    script = folder / "run.yaml"
    script.write_text(text)
    return RenderJob(game, range(5, 6), SIZE, script)


def test_a_job_has_the_seed_and_the_players_of_its_replay(pair: str, tmp_path: Path) -> None:
    seeded = job(pair, tmp_path, SEEDED)
    played = frame_work(seeded, many=True).job
    assert (played.seed, played.players, played.plugins.enable) == (3, 2, ("split_screen",))
    given = frame_work(replace(seeded, seed=0, players=1), many=False).job
    assert (given.seed, given.players, given.plugins.enable) == (0, 1, ())
    tiled = poster_work(replace(seeded, tiles=(2, 1))).job
    assert (tiled.seed, tiled.players, tiled.plugins.enable) == (3, 2, ("split_screen",))
    alone = frame_work(replace(seeded, replay=None), many=False).job
    assert (alone.seed, alone.players, alone.plugins.enable) == (0, 1, ())


def test_the_identity_of_a_job_is_what_is_played(pair: str, tmp_path: Path) -> None:
    seeded = job(pair, tmp_path, SEEDED)
    own = frame_work(seeded, many=False).identity()
    assert (own["seed"], own["players"]) == ("3", "2")
    assert frame_work(replace(seeded, seed=3), many=False).identity() == own
    assert frame_work(replace(seeded, seed=4), many=False).identity() != own
    assert frame_work(replace(seeded, players=1), many=False).identity() != own


def test_a_replay_for_more_players_than_the_game_has_is_refused(pair: str, tmp_path: Path) -> None:
    many = job(pair, tmp_path, "version: 1\nplayers: 3\nsteps:\n  - {step: 4, press: [right]}\n")
    with pytest.raises(AssetError, match=r"run\.yaml.*there are 3 players, and the game has 2 at most"):
        frame_work(many, many=False)
    with pytest.raises(AssetError, match="the game has 2 at most"):
        frames_of(pair, many.replay, None, None)


def test_a_film_is_as_long_as_its_replay(pair: str, tmp_path: Path) -> None:
    assert frames_of(pair, job(pair, tmp_path, f"length: 240\n{PLAIN}").replay, None, None) == range(120)
    assert frames_of(pair, job(pair, tmp_path, PLAIN).replay, None, None) == range(3)
    assert frames_of(pair, job(pair, tmp_path, "version: 1\n").replay, None, None) == range(1)


@pytest.mark.vulkan
@pytest.mark.parametrize("text", [SEEDED, JOINED])
def test_a_film_of_a_replay_shows_the_game_that_play_shows(pair: str, tmp_path: Path, text: str) -> None:
    script, frame, shot = tmp_path / "run.yaml", tmp_path / "5.png", tmp_path / "played.png"
    script.write_text(text)
    common = [pair, "--replay", str(script), "--size", "64x36"]
    assert main(["render", *common, "--frame", "5", "--out", str(frame)]) == 0
    assert main(["play", *common, "--headless", "--frames", "6", "--screenshot", str(shot)]) == 0
    np.testing.assert_array_equal(_texels(frame), _texels(shot))
    plain = tmp_path / "plain.png"
    script.write_text(PLAIN)
    assert main(["render", *common, "--frame", "5", "--out", str(plain)]) == 0
    assert not np.array_equal(_texels(frame), _texels(plain))


@pytest.mark.vulkan
def test_options_take_precedence_over_the_replay(pair: str, tmp_path: Path) -> None:
    script, given, plain = tmp_path / "run.yaml", tmp_path / "given.png", tmp_path / "plain.png"
    common = [pair, "--replay", str(script), "--size", "64x36", "--frame", "5"]
    script.write_text(SEEDED)
    assert main(["render", *common, "--seed", "0", "--views", "1", "--out", str(given)]) == 0
    script.write_text(PLAIN)
    assert main(["render", *common, "--out", str(plain)]) == 0
    np.testing.assert_array_equal(_texels(given), _texels(plain))


@pytest.mark.vulkan
def test_a_capture_is_of_the_game_of_the_replay(pair: str, tmp_path: Path) -> None:
    script, document = tmp_path / "run.yaml", tmp_path / "frame.json"
    script.write_text(SEEDED)
    capture = ["capture", pair, "--replay", str(script), "--size", "64x36", "--frame", "5", "--pixels", "0"]
    assert main([*capture, "--json", str(document)]) == 0
    assert _told(document) == (3, 2)
    assert main([*capture, "--seed", "0", "--views", "1", "--json", str(document)]) == 0
    assert _told(document) == (0, 1)
    script.write_text(PLAIN)
    assert main([*capture, "--json", str(document)]) == 0
    assert _told(document) == (0, 1)


def _told(document: Path) -> tuple[int, int]:
    options = json.loads(document.read_text())["options"]
    return options["seed"], options["views"]


def _texels(path: Path) -> np.ndarray:
    return np.asarray(PIL.Image.open(path).convert("RGB"))

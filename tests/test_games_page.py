"""docs/writing-games.md is true: its names of keys and attributes are all there are, and its examples work."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from renderwright.engine.game import Game, GameContext
from renderwright.engine.input import BUTTONS, MOST_GAMEPADS, PAD_AXES, InputMap, of_gamepad
from renderwright.engine.input.replay import load_replay, parse_replay
from renderwright.engine.scaffold import new_game, write_package

PAGE = (Path(__file__).parents[1] / "docs" / "writing-games.md").read_text(encoding="utf-8")


def _example(language: str, containing: str) -> str:
    blocks = [block.partition("\n") for block in PAGE.split("```")[1::2]]
    (text,) = (text for words, _, text in blocks if words == language and containing in text)
    return text


def test_every_key_is_named() -> None:
    section = PAGE.partition("## Controls\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", section.partition("| device |")[2]))
    named |= {f"f{number}" for number in range(1, 13)} | {f"num_{number}" for number in range(10)}
    named |= set("abcdefghijklmnopqrstuvwxyz0123456789")
    pads = {name for name in named if name.startswith("pad_")}
    named |= {of_gamepad(name, place) for name in pads for place in range(MOST_GAMEPADS)}
    assert named - {"pad2_", "pad3_", "pad4_"} == BUTTONS | PAD_AXES


def test_effects_without_a_host_have_what_the_game_has_asked_for() -> None:
    names: dict[str, object] = {"context": GameContext()}
    for containing in ("effects = context.effects", "in effects.on\n"):
        exec(compile(_example("python", containing), "docs/writing-games.md", "exec"), names)


def test_the_gamepads_of_a_race_are_valid() -> None:
    names: dict[str, dict[str, object]] = {}
    exec(compile(_example("python", "race = "), "docs/writing-games.md", "exec"), names)
    assert InputMap.from_dict(names["race"]).axes["steer_2"].deadzone == 0.2


def test_a_pause_holds_the_game_and_leaves_it() -> None:
    names: dict[str, Any] = {}
    exec(compile(_example("python", "self.paused"), "docs/writing-games.md", "exec"), names)
    context, moved = GameContext(), list[float]()
    game = SimpleNamespace(context=context, paused=False, move=moved.append)
    for pressed in ("pause", "", "leave", "pause", ""):
        game.context = SimpleNamespace(
            input=SimpleNamespace(pressed=lambda name, pressed=pressed: name == pressed),
            request_quit=context.request_quit,
        )
        names["update"](game, 0.5)
    assert moved == [0.5, 0.5]
    assert context.quit_requested


def test_every_attribute_and_method_of_a_game_is_named() -> None:
    section = PAGE.partition("## The class\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = set(re.findall(r"`(\w+)", "".join(rows)))
    public = {name for name in vars(Game) if not name.startswith("_")}
    assert named == public


def test_the_controls_and_the_script_are_valid() -> None:
    names: dict[str, dict[str, object]] = {}
    exec(compile(_example("python", "controls = {"), "docs/writing-games.md", "exec"), names)
    controls = InputMap.from_dict(names["controls"])
    assert controls.names == {"move_x", "jump"}
    assert len(parse_replay(_example("yaml", "steps:"), "script.yaml", controls).events) == 3


def test_the_new_game_is_the_one_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = new_game("gems")
    tree = _example("", "gems/\n").splitlines()[1:]
    assert {line.split()[0].removeprefix("tests/") for line in tree} == {
        path.removeprefix("tests/") for path in package.files
    }
    project = tomllib.loads(package.files["pyproject.toml"])
    shown = tomllib.loads(_example("toml", "entry-points"))
    assert project["project"]["entry-points"] == shown["project"]["entry-points"]
    assert project["tool"]["setuptools"]["package-data"] == shown["tool"]["setuptools"]["package-data"]
    monkeypatch.syspath_prepend(write_package(package, tmp_path))
    names = vars(importlib.import_module("gems_game")).copy()
    exec(compile(_example("python", "GameRunner("), "docs/writing-games.md", "exec"), names)
    monkeypatch.chdir(tmp_path)
    exec(compile(_example("python", "recorded("), "docs/writing-games.md", "exec"), names)
    replay = load_replay("gems.yaml", InputMap.from_dict(names["GemsGame"].controls))
    assert ([event.press for event in replay.events if event.press], replay.seed) == ([("right",)], 7)

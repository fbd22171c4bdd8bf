"""The examples of docs/animation.md work as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from gltf_walker import Walker

PAGE = (Path(__file__).parents[3] / "docs" / "animation.md").read_text(encoding="utf-8")


def test_its_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    walker = Walker()
    (walk,) = walker.document["animations"]
    walker.document["animations"] = [{**walk, "name": name} for name in ("Walk", "Run", "Wave")]
    walker.save_glb(tmp_path).rename(tmp_path / "knight.glb")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    first, second = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(first, "docs/animation.md", "exec"), names)
    knight = names["knight"]
    assert capsys.readouterr().out == "('Walk', 'Run', 'Wave')\n"
    assert knight.current == "Run"
    exec(compile(second, "docs/animation.md", "exec"), names)
    assert capsys.readouterr().out == "Walk left foot\n"
    names["scene"].begin_step(2.0)
    assert knight.done
    assert knight.events == (("Wave", "end"),)
    names["update"](True)
    assert knight.current == "Walk"


def test_every_call_of_the_table_exists() -> None:
    table = PAGE.split("## Playing")[1].split("\n\n")[1]
    from renderwright.engine.scene.character import Character

    calls = re.findall(r"`(\w+)[(`]", "\n".join(line.split("|")[1] for line in table.splitlines()))
    assert len(calls) > 10
    assert all(hasattr(Character, call) for call in calls)

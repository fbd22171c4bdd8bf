"""``renderwright bench`` lists the benchmarks, and not the modules that they are made of."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from renderwright.engine.cli import main
from renderwright.engine.cli.bench import FOLDER, Benchmarks

ROW = re.compile(r"^\| `renderwright bench NAME` \|(.*)\|$", re.MULTILINE)


def listed() -> list[str]:
    return Benchmarks("bench").list_commands(None)  # type: ignore[arg-type]


def offered(path: Path) -> set[str]:
    """Names at the top of a module that ``renderwright bench`` could call, also those that it imports."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found & {"command", "run"}


def test_parts_of_benchmarks_are_not_listed() -> None:
    assert {"human_crowd", "queue_background", "queue_uploads", "scene_parts", "peers"}.isdisjoint(listed())
    assert {"scene", "queues", "quality", "memory", "compile"} <= set(listed())


@pytest.mark.parametrize("name", listed())
def test_each_can_be_called(name: str) -> None:
    path = FOLDER / f"{name}.py"
    assert offered(path if path.exists() else FOLDER / name / "__init__.py")


def test_no_benchmark_is_forgotten() -> None:
    commands = {path.stem for path in FOLDER.glob("*.py") if "command" in offered(path)}
    assert commands <= set(listed())


def test_the_readme_names_them() -> None:
    (row,) = ROW.findall((FOLDER.parent / "README.md").read_text(encoding="utf-8"))
    assert set(re.findall(r"`(\w+)`", row)) == set(listed())


def test_each_line_of_the_help_has_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--help"]) == 0
    lines = capsys.readouterr().out.partition("Commands:\n")[2].splitlines()
    entries = [line.split(maxsplit=1) for line in lines if line.startswith("  ") and not line.startswith("   ")]
    assert [entry[0] for entry in entries] == listed()
    assert all(len(entry) == 2 for entry in entries)
    assert not [entry for entry in entries if entry[1].endswith("...")], "cut off"

"""The shape of the code: who may import whom, how large a file may be, and that the tools for this are at hand."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
LAYERS = ("render", "engine", "plugins", "games")
"""From the lowest; a package imports itself and those before it."""
MAX_LINES = 400


def _sources(*folders: str) -> list[Path]:
    return sorted(file for folder in folders for file in (REPOSITORY / folder).rglob("*.py"))


def _imports(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: import by the full name"
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_import_contracts_hold() -> None:
    # In a process of its own: the linter disables the loggers of its process.
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    checked = subprocess.run([sys.executable, "-c", command], cwd=REPOSITORY, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("package", LAYERS)
def test_no_package_imports_upward(package: str) -> None:
    above = {f"renderwright.{layer}" for layer in LAYERS[LAYERS.index(package) + 1 :]}
    files = _sources(package)
    assert files
    wrong = {
        f"{file.relative_to(REPOSITORY)} imports {name}"
        for file in files
        for name in _imports(file)
        if ".".join(name.split(".")[:2]) in above
    }
    assert not wrong


def test_every_plugin_is_in_the_contract_that_keeps_plugins_apart() -> None:
    config = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    folders = {
        f"renderwright.plugins.{path.name}"
        for path in (REPOSITORY / "plugins").iterdir()
        if (path / "__init__.py").is_file()
    }
    (independent,) = (
        contract for contract in config["tool"]["importlinter"]["contracts"] if contract["type"] == "independence"
    )
    assert set(independent["modules"]) == folders
    points = config["project"]["entry-points"]["renderwright"].values()
    assert {point for point in points if not point.startswith("renderwright.games.")} == folders


@pytest.mark.parametrize("folder", [*LAYERS, "tests"])
def test_no_file_is_too_long(folder: str) -> None:
    long = {}
    for file in _sources(folder):
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > MAX_LINES:
            long[str(file.relative_to(REPOSITORY))] = lines
    assert not long, f"split what holds more than {MAX_LINES} lines"


def test_names_of_test_files_are_unique() -> None:
    names = [file.name for file in _sources("tests") if file.name != "conftest.py"]
    assert sorted(names) == sorted(set(names))

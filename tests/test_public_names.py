"""Every name that a package offers is there, and plugins need no others."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

import renderwright.engine
import renderwright.games
import renderwright.plugins
import renderwright.render

REPOSITORY = Path(__file__).parents[1]
OPTIONAL = ("renderwright.plugins.vr.openxr",)
"""Packages that need an extra."""

RENDER_MODULES = {
    "renderwright.render",
    "renderwright.render.testing",
    "renderwright.render.files",
    "renderwright.render.backend.interop",
}
"""Where plugins may find what they need of the runtime."""


def _offering() -> list[str]:
    roots = (renderwright.engine, renderwright.render, renderwright.plugins, renderwright.games)
    found = [root.__name__ for root in roots]
    found += [
        module.name
        for root in roots
        for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")
        if not module.name.startswith(OPTIONAL) and not module.name.endswith("__main__")
    ]
    return [name for name in found if hasattr(importlib.import_module(name), "__all__")]


@pytest.mark.parametrize("name", _offering())
def test_every_public_name_exists(name: str) -> None:
    module = importlib.import_module(name)
    assert [each for each in module.__all__ if not hasattr(module, each)] == []


FIRST = """
import importlib, sys
for name in sys.argv[1:]:
    for loaded in [module for module in sys.modules if module.startswith("renderwright.")]:
        del sys.modules[loaded]
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(f"{name}: {error}")
"""


def test_each_package_may_be_imported_first() -> None:
    """Whatever a game or a plugin begins with, and however its imports are sorted."""
    packages = [name for name in _offering() if name.count(".") < 4]
    done = subprocess.run(
        [sys.executable, "-c", FIRST, *packages], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == ""


@pytest.mark.parametrize("name", ["renderwright.engine", "renderwright.render"])
def test_names_that_are_imported_on_first_use_are_listed(name: str) -> None:
    module = importlib.import_module(name)
    assert set(module.__all__) <= set(dir(module))


def test_plugins_use_the_public_names_of_the_runtime() -> None:
    wrong = []
    for file in sorted((REPOSITORY / "plugins").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            if module and module.startswith("renderwright.render") and module not in RENDER_MODULES:
                wrong.append(f"{file.relative_to(REPOSITORY)}:{node.lineno} imports {module}")
    assert wrong == []

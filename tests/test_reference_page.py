"""docs/plugin-reference.md has the docstrings of requests and commands, and each value that an argument may have."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from renderwright.render.graph.requests import FirstFrame
from renderwright.render.types.pipeline_state import CHOICES, FURTHER_VERTEX_FORMATS, STATE_KEYS
from renderwright.render.types.sampling import ADDRESSES, FILTERS
from renderwright.render.types.usages import ShaderStage

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(REPOSITORY / "scripts")
    return importlib.import_module("reference_page")


@pytest.fixture
def page() -> str:
    return (REPOSITORY / "docs" / "plugin-reference.md").read_text(encoding="utf-8")


def test_the_lists_are_the_docstrings(script: ModuleType, page: str) -> None:
    assert script.rewritten(page) == page, "run scripts/reference_page.py"
    assert all(text in page for text in script.lists().values())


def test_each_entry_says_something(script: ModuleType) -> None:
    entries = "".join(script.lists().values()).splitlines()
    assert [entry for entry in entries if not re.search(r"`: \S.*\.$", entry)] == []


@pytest.mark.parametrize(
    ("argument", "values"),
    [
        *CHOICES.items(),
        ("filter", FILTERS),
        ("address", ADDRESSES),
        ("stage", tuple(ShaderStage)),
        ("policy` of `first", tuple(FirstFrame)),
    ],
)
def test_each_value_is_in_the_row_of_its_argument(page: str, argument: str, values: Sequence[str]) -> None:
    row = next(line for line in page.splitlines() if line.startswith(f"| `{argument}` |"))
    assert re.findall(r"`(\w+)`", row.split("|")[2]) == list(values)


def test_each_key_of_pipeline_state_has_a_row(page: str) -> None:
    by_layout = {"vertex", "vertex_stride"}
    assert all(f"\n| `{key}` |" in page for key in set(STATE_KEYS) - by_layout)
    assert all(f"`{name}`" in page for name in FURTHER_VERTEX_FORMATS)

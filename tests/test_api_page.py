"""docs/api-1.md lists the plugin API as the code has it, so that a change of it is seen and meant."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from renderwright.engine.plugins.info import SUPPORTED_APIS

REPOSITORY = Path(__file__).parents[1]
WHAT_TO_DO = """
API 1 is promised, and this is another one:

{lines}

- Something new: give parameters a default, so that plugins that do not know it see no change.
- Another name, type or meaning: keep the old one for a release beside the new one, and let it warn; or make it a part
  of the next API (SUPPORTED_APIS in engine/plugins/info.py).

Then run scripts/api_page.py, and name the change in CHANGELOG.md.
"""
TEMPLATES = REPOSITORY / "engine" / "scaffold" / "templates"
PAGES = ("docs/writing-plugins.md", "docs/plugin-reference.md")
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
KINDS = {
    "ssr": "reflections",
    "outline": "lines on surfaces",
    "fog": "fog and air",
    "volumetric_fog": "fog and air",
    "taa": "antialiasing and upscaling",
    "upscaling": "antialiasing and upscaling",
    "depth_of_field": "lenses: depth of field",
    "motion_blur": "lenses: depth of field",
    "bloom": "light that spreads",
    "tonemap": "the tone mapper",
    "grading": "grading",
    "fxaa": "antialiasing of display colours",
    "ssaa": "the mean of several samples",
    "vr": "the lenses of a headset",
}
"""The row of the table of chains that a shipped plugin belongs to."""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("api_page", REPOSITORY / "scripts" / "api_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page() -> str:
    return (REPOSITORY / "docs" / "api-1.md").read_text(encoding="utf-8")


def test_the_page_is_of_an_api_that_there_is(page: str) -> None:
    assert page.startswith("# Plugin API 1\n")
    assert "1" in SUPPORTED_APIS


def test_names_and_signatures_are_those_of_the_code(script: ModuleType, page: str) -> None:
    lines = script.differences(page)
    assert not lines, WHAT_TO_DO.format(lines="\n".join(lines))
    assert script.rewritten(page) == page, "run scripts/api_page.py: lists of docs/api-1.md are in another order"


def test_each_list_has_something(script: ModuleType) -> None:
    assert all(text.count("\n") >= 2 for text in script.lists().values())


@pytest.mark.parametrize(
    ("promised", "changed"),
    [
        ("reg.read(name: str, type: type[Any] | None = None)", "reg.read(name: str)"),
        ("renderwright_end_frame(rendered: bool, ", "renderwright_end_frame("),
        ("vec3 world_position(vec2 uv, float depth)", "vec3 world_position(vec2 uv)"),
        ("deferred: normal, rgba16_sfloat", "deferred: normal, rgba8_snorm"),
        ("near: float, ", ""),
        ("cmd.frame\n", ""),
    ],
)
def test_a_change_is_found_with_both_lines(script: ModuleType, page: str, promised: str, changed: str) -> None:
    assert promised in page
    before = page.replace(promised, changed, 1)
    lines = script.differences(before)
    assert any(line.startswith("+") and promised.strip() in line for line in lines)
    assert script.rewritten(before) == page


def test_each_name_of_shaders_has_its_meaning(script: ModuleType, page: str) -> None:
    table = page.partition("| file | name | meaning |\n|---|---|---|\n")[2].partition("\n\n")[0]
    told = set(re.findall(r"^\| (?:`[\w.]+`)? ?\| `(\w+)[^`]*` \| \S.{10}", table, re.MULTILINE))
    assert len(told) == table.count("\n") + 1
    listed = set()
    for line in script.lists()["glsl"].splitlines():
        name = re.search(r"(?:struct|#define) (\w+)|: \w+ (\w+)\(", line)
        if name is not None:
            listed.add(name[1] or name[2])
    assert {"camera", "lit", "VIEW"} <= listed
    assert told == listed - {"CameraOfView", "CameraMotionOfView"}


def test_members_of_chains_are_in_the_ranges_of_the_table(script: ModuleType, page: str) -> None:
    ranges = _ranges(page)
    for line in script.lists()["chains"].splitlines():
        chain, priority, plugin = re.match(r"(\w+) (-?\d+): (\w+)/", line).groups()  # type: ignore[union-attr]
        row = next(words for least, words in ranges[chain] if int(priority) >= least)
        assert row.startswith(KINDS[plugin]), line


def _ranges(page: str) -> dict[str, list[tuple[float, str]]]:
    """The rows of the table of chains: least priority and members, by chain."""
    found: dict[str, list[tuple[float, str]]] = {}
    chain = ""
    for name, least, words in re.findall(r"^\| (`\w+`)? ?\| (from -?\d+|below) \| (.*) \|$", page, re.MULTILINE):
        chain = name.strip("`") or chain
        found.setdefault(chain, []).append((float(least[5:]) if least != "below" else float("-inf"), words))
    return found


def test_what_templates_and_pages_import_is_promised(script: ModuleType) -> None:
    templates = [_without_words(file.read_text(encoding="utf-8")) for file in TEMPLATES.rglob("*.py.template")]
    blocks = [block for page in PAGES for block in PYTHON.findall((REPOSITORY / page).read_text(encoding="utf-8"))]
    used = script.imported([*templates, *blocks])
    assert ("renderwright.render", "Registry") in used
    assert sorted(used - script.promised()) == [], "name them in NAMES of scripts/api_page.py, or import something else"


def _without_words(template: str) -> str:
    """A template as Python: its words stand for themselves."""
    return re.sub(r"\$\{?(\w+)\}?", r"\1", template)

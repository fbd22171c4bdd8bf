"""The pages on effects are true: settings, ranges and defaults, chains and priorities, pictures."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import PIL.Image
import pytest

from renderwright.engine.plugins import PluginGraph, Setting, describe_settings
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.registry import Registry

REPOSITORY = Path(__file__).parents[2]
PAGES = REPOSITORY / "docs" / "effects"
CHAINED = (
    "bloom",
    "depth_of_field",
    "fog",
    "fxaa",
    "grading",
    "motion_blur",
    "outline",
    "ssaa",
    "ssr",
    "tonemap",
    "volumetric_fog",
)
ARRANGING = ("split_screen", "upscaling", "vr")
"""Plugins that arrange views."""
DESCRIBED = (*CHAINED, "contact_shadows", "decals", "mirrors", "oit", "particles", "shadows")
WITHOUT_SETTINGS = ("cookies",)


def row(setting: Setting) -> str:
    """The line of a setting in its page's table."""
    values, default = "red, green, blue", setting.default
    if setting.choices:
        values = " / ".join(str(choice) for choice in setting.choices)
    elif setting.type == "boolean":
        values, default = "true / false", str(default).lower()
    elif isinstance(default, str):
        values = "text"
    elif setting.minimum is not None and setting.maximum is not None:
        values, default = f"{setting.minimum:g} to {setting.maximum:g}", f"{default:g}"
    else:
        default = f"[{', '.join(f'{channel:g}' for channel in default)}]"
    return f"| `{setting.key}` | {values} | {default} | {setting.description} |"


@pytest.mark.parametrize("name", [*DESCRIBED, *ARRANGING])
def test_a_page_has_every_setting_and_no_other(name: str) -> None:
    settings = describe_settings(importlib.import_module(f"plugins.{name}").renderwright_settings())
    lines = (PAGES / f"{name}.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| setting | values | default | meaning |")
    assert lines[start + 2 :] == [row(setting) for setting in settings]


@pytest.mark.parametrize("page", ["README", *DESCRIBED, *WITHOUT_SETTINGS, *ARRANGING])
def test_its_links_lead_somewhere_and_its_pictures_are_small(page: str) -> None:
    path = PAGES / f"{page}.md"
    targets = re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8"))
    assert targets
    for target in targets:
        file = (path.parent / target).resolve()
        assert file.is_file(), target
        if file.suffix == ".png":
            assert file.stat().st_size < 150_000
            with PIL.Image.open(file) as picture:
                assert picture.size[0] > 600


def test_the_order_of_the_chains_is_as_told() -> None:
    told: dict[str, tuple[str, int]] = {}
    chain = ""
    for line in (PAGES / "README.md").read_text(encoding="utf-8").splitlines():
        found = re.match(r"\| (?:`(\w+)`)? ?\| (-?\d+)[\d, ]* \| \[[^\]]*\]\((\w+)\.md\)", line)
        chain = (found and found[1]) or chain
        if found and found[3] in CHAINED:
            told[found[3]] = (chain, int(found[2]))
    assert told == {name: _place(name) for name in CHAINED}


def _place(name: str) -> tuple[str, int]:
    """The chain that a plugin's node joins, and its priority there."""
    module = importlib.import_module(f"plugins.{name}")
    graph = PluginGraph(name, Path())
    module.renderwright_nodes(graph, module.renderwright_settings()())
    members = []
    for node in graph.close():
        registry = Registry(node.name, name)
        node.declare(registry)
        members += requested(registry).chains
    (member,) = members
    return member.chain, member.priority

"""The instances of docs/plugin-reference.md get the values that the page gives them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.testing import run_node
from renderwright.render.backend.vulkan.backend import VulkanBackend

PAGE = (Path(__file__).parents[1] / "docs" / "plugin-reference.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## A mesh of its own\n")[2].partition("\n## ")[0]
FRAGMENT = """#version 450
layout(location = 0) flat in vec3 color;
layout(location = 0) out vec4 result;
void main() { result = vec4(color, 1.0); }
"""


def _block(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)
    return str(block)


@pytest.mark.vulkan
@pytest.mark.parametrize("name", ["vulkan", "opengl"])
def test_each_post_has_its_place_and_its_colour(backend: VulkanBackend, tmp_path: Path, name: str) -> None:
    (tmp_path / "posts.vert").write_text(_block("glsl"))
    (tmp_path / "posts.frag").write_text(FRAGMENT)
    names: dict[str, Any] = {}
    exec(compile(_block("python"), "plugin-reference.md", "exec"), names)
    rows = names["ROWS"]
    picture = run_node(
        names["posts"],
        {"posts/rows": rows.ravel()},
        ["posts/picture"],
        shader_paths=[tmp_path],
        backend=backend if name == "vulkan" else name,
    )["posts/picture"]
    assert picture[32, 16, :3].tolist() == [255, 0, 0]
    assert picture[32, 48, :3].tolist() == [0, 255, 0]
    assert picture[32, 32, :3].tolist() == [0, 0, 0]

"""What docs/writing-plugins.md says of shadows and instances of a plugin's own geometry works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.plugins import FoundPlugin, PluginGraph, discovery, hookimpl, host
from renderwright.engine.renderer.sun_maps import SunMaps
from renderwright.engine.scene import Camera, DirectionalLight, Material
from renderwright.engine.scene.primitives import plane
from renderwright.engine.testing import PlayedGame
from renderwright.render.backend.vulkan.backend import VulkanBackend

PAGE = (Path(__file__).parents[1] / "docs" / "writing-plugins.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("### Shadows of your own geometry\n")[2].partition("\n### ")[0]


class Ground(Game):
    """A ground in the sun, seen from above."""

    plugins = ("shadows",)

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.spawn(plane(40.0, 40.0), Material())
        scene.sun = DirectionalLight(glm.vec3(0.0, -1.0, 0.0))
        scene.camera = Camera(glm.vec3(0.0, 8.0, 0.01), glm.vec3(0.0))


def _block(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)
    return str(block)


def _sail(folder: Path) -> ModuleType:
    """The page's node as a plugin, with its shader."""
    (folder / "glsl").mkdir()
    (folder / "glsl" / "sail_shadow.vert").write_text(_block("glsl"))
    module: Any = ModuleType("sail")
    module.__file__ = str(folder / "sail.py")
    exec(compile(_block("python"), "writing-plugins.md", "exec"), vars(module))

    @hookimpl
    def renderwright_nodes(graph: PluginGraph) -> None:
        for number in range(4):
            graph.add_node(f"shadow_{number}", module.cast(number))

    module.renderwright_nodes = renderwright_nodes
    return module  # type: ignore[no-any-return]


def _sun(backend: VulkanBackend, *plugins: str) -> NDArray[Any]:
    with PlayedGame(Ground, enable=plugins, size=(96, 96), backend=backend) as played:
        played.picture(3)
        assert all(f"{name}/shadow_3" in played.nodes for name in plugins)
        return played.texture("sun_visibility")[..., 0]


@pytest.mark.vulkan
def test_the_sail_shades_the_ground_below_it(
    backend: VulkanBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _sail(tmp_path)
    found = (*discovery.find_plugins(), FoundPlugin("sail", lambda: module))
    monkeypatch.setattr(host, "find_plugins", lambda: found)
    plain, shaded = _sun(backend), _sun(backend, "sail")
    assert plain.min() > 0.9
    assert shaded[46:52, 46:52].max() < 0.1
    assert shaded[:8].min() > 0.9
    assert 0.02 < np.mean(shaded < 0.5) < 0.2


def test_the_page_names_each_field() -> None:
    assert set(re.findall(r"^\| `(\w+)`", SECTION, re.MULTILINE)) == set(SunMaps.__dataclass_fields__)

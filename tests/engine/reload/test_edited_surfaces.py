"""Surface functions that are edited while a game runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from edited_plugins import NAME, EditedGame, PluginFiles

from renderwright.engine import Game, GameContext
from renderwright.engine.plugins import PluginState
from renderwright.engine.scene import Material, SurfaceShader
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.transform import Transform
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (32, 18)
COLORED = """#include "colored_parts.glsl"

void own_surface(inout Surface surface, SurfacePoint at) {
    surface.base_color = colored();
}
"""
PARTS = "vec3 colored() { return vec3(0.8, 0.1, 0.1); }\n"
OTHER = PARTS.replace("0.8, 0.1", "0.1, 0.8")
WRONG = COLORED.replace("colored();", "coloured();")
PLUGIN = """
from renderwright.engine.plugins import PluginInfo, hookimpl
from renderwright.engine.scene import SurfaceShader


@hookimpl
def renderwright_info() -> PluginInfo:
    return PluginInfo("edited", "0.1.0", "Colour.", surfaces=(SurfaceShader("colored.glsl", plugin="edited"),))
"""


class Colored(Game):
    """A box in front of the camera whose colour a function makes."""

    plugins = ()
    surface: SurfaceShader

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(box(3.0), Material(surface=self.surface), Transform((0.0, 0.0, 0.0)))


class Edits:
    """The game, and the two files of its function."""

    def __init__(self, backend: VulkanBackend, folder: Path, plugin: str = "") -> None:
        self.file, self.parts = folder / "colored.glsl", folder / "colored_parts.glsl"
        self.file.write_text(COLORED)
        self.parts.write_text(PARTS)
        surface = SurfaceShader("colored.glsl" if plugin else str(self.file), plugin=plugin)
        plugins = (plugin,) if plugin else ()
        self.game = EditedGame(backend, type("Played", (Colored,), {"surface": surface, "plugins": plugins}), EXTENT)

    def color(self) -> tuple[int, int]:
        """Red and green in the middle of the next frame."""
        pixels = np.frombuffer(self.game.frame(), np.uint8).reshape(EXTENT[1], EXTENT[0], 4)
        return int(pixels[9, 16, 0]), int(pixels[9, 16, 1])


@pytest.fixture
def own(backend: VulkanBackend, tmp_path: Path) -> Iterator[Edits]:
    edits = Edits(backend, tmp_path)
    yield edits
    edits.game.close()


@pytest.fixture
def brought(backend: VulkanBackend, files: PluginFiles) -> Iterator[Edits]:
    files.python.write_text(PLUGIN)
    edits = Edits(backend, files.shader.parent, NAME)
    yield edits
    edits.game.close()


@pytest.fixture(params=["own", "brought"])
def edits(request: pytest.FixtureRequest) -> Edits:
    edits: Edits = request.getfixturevalue(request.param)
    return edits


def is_red(color: tuple[int, int]) -> bool:
    return color[0] > color[1] + 30


def is_green(color: tuple[int, int]) -> bool:
    return color[1] > color[0] + 30


def test_a_changed_file_is_in_the_next_frame(edits: Edits) -> None:
    assert is_red(edits.color())
    edits.game.edit(edits.parts, OTHER)
    assert all(is_green(edits.color()) for _ in range(4))
    edits.game.edit(edits.file, COLORED.replace("colored();", "colored().grb;"))
    assert is_red(edits.color())
    assert edits.game.notice == ""


def test_one_that_does_not_compile_leaves_the_picture(edits: Edits) -> None:
    before = edits.color()
    edits.game.edit(edits.file, WRONG)
    assert [edits.color() for _ in range(3)] == [before] * 3
    assert "colored.glsl:4" in edits.game.notice
    assert "coloured" in edits.game.notice
    edits.game.edit(edits.file, COLORED)
    assert edits.color() == before
    assert edits.game.notice == ""


def test_one_that_has_never_compiled_comes_with_its_repair(
    backend: VulkanBackend, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    edits = Edits(backend, tmp_path)
    edits.file.write_text(WRONG)
    plain = edits.color()
    assert not is_red(plain)
    assert "are drawn without it" in caplog.text
    edits.game.edit(edits.file, WRONG.replace("coloured", "colourful"))
    assert [edits.color() for _ in range(3)] == [plain] * 3
    edits.game.edit(edits.file, COLORED)
    assert is_red(edits.color())
    edits.game.close()


def test_a_plugin_that_has_failed_comes_with_the_repair_of_its_function(
    backend: VulkanBackend, files: PluginFiles
) -> None:
    files.python.write_text(PLUGIN)
    edits = Edits(backend, files.shader.parent, NAME)
    edits.file.write_text(WRONG)
    assert not is_red(edits.color())
    assert edits.game.session.plugins.status(NAME).state is PluginState.QUARANTINED
    edits.color()
    edits.game.edit(edits.file, COLORED)
    assert is_red(edits.color())
    assert edits.game.session.plugins.status(NAME).state is PluginState.ENABLED
    edits.game.close()

"""The wheels of new packages have every kind of file that the docs tell to put into them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from renderwright.engine.scaffold import PluginKind, new_game, new_plugin
from renderwright.engine.scaffold.package import Package

REPOSITORY = Path(__file__).parents[3]
PAGES = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
LOADED = re.compile(r"""\b(?:load_\w+|Panorama\.load|SurfaceShader)\(\s*"([^"/]+\.\w+)""")
"""The file that an example loads."""
FONTS = re.compile(r"`Game\.fonts`, such as\s+`\(\"([^\"]+)\"")

COMPILED = ("compiled/01.spv", "compiled/01.glsl", "glsl/compiled/01.spv", "glsl/compiled/01.glsl")


def _in_wheel(package: Package, file: str, folder: Path) -> bool:
    """Whether the package's wheel has a file beside its module. Patterns are those of setuptools."""
    project = tomllib.loads(package.files["pyproject.toml"])
    ((_, patterns),) = project["tool"]["setuptools"]["package-data"].items()
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return any(path in folder.glob(pattern) for pattern in patterns)


def _loaded() -> Sequence[str]:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    return sorted({file for text in texts for pattern in (LOADED, FONTS) for file in pattern.findall(text)})


def test_the_docs_load_files_of_every_kind() -> None:
    kinds = {Path(file).suffix for file in _loaded()}
    assert kinds == {".png", ".glb", ".hdr", ".glsl", ".ttc"}


@pytest.mark.parametrize("file", [*_loaded(), "frame.yaml", "wall.jpg", "hut.gltf", "hut.bin", "a.ttf", "a.otf"])
def test_the_wheel_of_a_game_has_it(file: str, tmp_path: Path) -> None:
    assert _in_wheel(new_game("gems"), file, tmp_path)


def test_the_wheel_of_a_game_has_its_surface_functions_in_either_place(tmp_path: Path) -> None:
    place = "beside the Python file of the game, or in a folder `glsl` there"
    assert place in (REPOSITORY / "docs" / "own-materials.md").read_text(encoding="utf-8")
    for file in ("stripes.glsl", "glsl/stripes.glsl", "glsl/noise.glsl", *COMPILED):
        assert _in_wheel(new_game("gems"), file, tmp_path), file


@pytest.mark.parametrize("kind", PluginKind)
def test_the_wheel_of_a_plugin_has_its_shaders_and_surface_functions(kind: PluginKind, tmp_path: Path) -> None:
    for file in ("vignette.frag", "vignette.vert", "mask.comp", "rust.glsl", "compiled/0123.spv", "compiled/0123.glsl"):
        assert _in_wheel(new_plugin("vignette", kind), f"glsl/{file}", tmp_path), file


@pytest.mark.parametrize("package", [new_game("gems"), new_plugin("vignette", PluginKind.FULLSCREEN)])
def test_a_package_needs_no_wheel_to_be_built_without_isolation(package: Package) -> None:
    project = tomllib.loads(package.files["pyproject.toml"])
    assert project["build-system"]["requires"] == ["setuptools>=70.1"], "from there on it makes wheels by itself"

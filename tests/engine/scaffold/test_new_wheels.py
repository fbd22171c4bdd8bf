"""New packages as wheels: built, installed into a fresh environment, listed, played, tested and uninstalled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from renderwright.engine.scaffold import PluginKind, new_game, new_plugin, write_package

REPOSITORY = Path(__file__).parents[3]
FOLDERS = ("engine", "render", "plugins", "games", "skeleton_graphs")
PLUGINS = tuple(f"wheel_{kind}" for kind in (PluginKind.FULLSCREEN, PluginKind.GEOMETRY, PluginKind.VIEW))
GAME = "wheel_game"


def _run(command: list[str], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the new packages."""
    folder = tmp_path_factory.mktemp("sources")
    for name in PLUGINS:
        write_package(new_plugin(name, PluginKind(name.removeprefix("wheel_"))), folder)
    write_package(new_game(GAME), folder)
    return folder


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of a fresh environment; renderwright and its dependencies are those of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    layout = folder / "layout" / "renderwright"
    layout.mkdir(parents=True)
    for name in FOLDERS:
        (layout / name).symlink_to(REPOSITORY / name)
    packages = Path(_run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    borrowed = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    (packages / "dependencies.pth").write_text("".join(f"{path}\n" for path in (layout.parent, *borrowed)))
    return python


@pytest.fixture(scope="module")
def wheels(python: str, sources: Path) -> list[Path]:
    """A wheel of each package, installed into the environment."""
    _pip(python, sources, "install", "setuptools>=70.1")
    folders = [f"./{name}" for name in (*PLUGINS, GAME)]
    _pip(python, sources, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels", *folders)
    wheels = sorted((sources / "wheels").glob("*.whl"))
    _pip(python, sources, "install", "--no-deps", *map(str, wheels))
    return wheels


def _pip(python: str, folder: Path, *arguments: str) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
    _run([*pip, *arguments, "--quiet"], folder)


def _renderwright(python: str, folder: Path, *arguments: str) -> str:
    return _run([python, "-m", "renderwright.engine.cli", *arguments], folder)


def _picture(python: str, folder: Path, game: str, *arguments: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    line = f"play {game} --headless --frames 2 --size 96x54 --strict --validate --screenshot a.png"
    _renderwright(python, folder, *line.split(), *arguments)
    with Image.open(folder / "a.png") as image:
        return np.asarray(image)


def test_a_wheel_has_the_code_and_the_shaders(wheels: list[Path]) -> None:
    names = set()
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            names |= {name for name in archive.namelist() if ".dist-info" not in name}
    assert names == {
        *(f"{name}_plugin/__init__.py" for name in PLUGINS),
        "wheel_fullscreen_plugin/glsl/wheel_fullscreen.frag",
        "wheel_geometry_plugin/glsl/wheel_geometry.frag",
        "wheel_geometry_plugin/glsl/wheel_geometry.vert",
        f"{GAME}_game/__init__.py",
    }


@pytest.mark.vulkan
@pytest.mark.usefixtures("wheels")
def test_installed_they_are_found_played_tested_and_gone_without_a_trace(
    python: str, sources: Path, tmp_path: Path
) -> None:
    listed = {one["name"]: one for one in json.loads(_renderwright(python, tmp_path, "plugins", "list", "--json"))}
    for name in PLUGINS:
        one = listed[name]
        assert (one["state"], one["reason"], one["version"]) == ("available", "", "0.1.0")
        assert one["distribution"] == name.replace("_", "-")
        assert one["settings"]
    plain = _picture(python, tmp_path, GAME)
    for name in PLUGINS:
        assert (_picture(python, tmp_path, GAME, "--enable", name) != plain).mean() > 0.01, name
    tests = [f"{name}/tests" for name in (*PLUGINS, GAME)]
    tested = _run([python, "-m", "pytest", "-p", "no:cacheprovider", "--import-mode=importlib", *tests], sources)
    assert " passed" in tested
    _pip(python, tmp_path, "uninstall", "--yes", *(name.replace("_", "-") for name in PLUGINS))
    left = _renderwright(python, tmp_path, "plugins", "list")
    assert not any(name in left for name in PLUGINS)
    assert np.array_equal(_picture(python, tmp_path, GAME), plain)

"""New packages as wheels beside the wheel of the project, in a fresh environment: from installing to uninstalling."""

from __future__ import annotations

import json
import os
import subprocess
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from patience import PATIENCE
from PIL import Image
from wheels import PIP, Environment, fresh_environment, run

from renderwright.engine.scaffold import PluginKind, new_game, new_plugin, write_package

PLUGINS = tuple(f"wheel_{kind}" for kind in (PluginKind.FULLSCREEN, PluginKind.GEOMETRY, PluginKind.VIEW))
DISTRIBUTIONS = tuple(name.replace("_", "-") for name in PLUGINS)
GAME = "wheel_game"

WAITING_GAME = """
import time
from pathlib import Path

from wheel_game_game import WheelGameGame


class Waiting(WheelGameGame):
    drawn = 0

    def draw(self, alpha):
        self.drawn += 1
        if self.drawn == 3:
            Path("playing").touch()
        if Path("enough").exists():
            self.context.request_quit()
        time.sleep(0.02)
"""
BETWEEN_SAVES = 1.0
"""Seconds after which a file that the game has not taken in is saved again: it may not have watched it yet."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the new packages."""
    folder = tmp_path_factory.mktemp("sources")
    for name in PLUGINS:
        write_package(new_plugin(name, PluginKind(name.removeprefix("wheel_"))), folder)
    write_package(new_game(GAME), folder)
    return folder


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A fresh environment with the project."""
    return fresh_environment(tmp_path_factory.mktemp("fresh") / "environment", wheel)


@pytest.fixture(scope="module")
def wheels(environment: Environment, sources: Path) -> dict[str, Path]:
    """A wheel of each package by its name, built in the environment."""
    pip = [*PIP, "--python", environment.python]
    run([*pip, "install", "--quiet", "setuptools>=70.1"], sources)
    build = [*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels"]
    run([*build, *(f"./{name}" for name in (*PLUGINS, GAME))], sources)
    return {wheel.name.partition("-")[0]: wheel for wheel in (sources / "wheels").glob("*.whl")}


@pytest.fixture
def installed(environment: Environment, wheels: dict[str, Path]) -> Environment:
    """The environment with the game and the plugins."""
    environment.install(*wheels.values())
    return environment


class User:
    """Somebody who plays in a folder, with preferences of their own."""

    def __init__(self, environment: Environment, folder: Path) -> None:
        self.program = environment.renderwright
        self.folder = folder
        self.variables = {"RENDERWRIGHT_CONFIG_DIR": str(folder / "config")}

    def asks(self, *arguments: str) -> str:
        """What a command prints."""
        return run([self.program, *arguments], self.folder, **self.variables)

    def sees(self) -> bytes:
        """The file of a picture of the game."""
        line = f"play {GAME} --headless --frames 2 --size 96x54 --strict --validate --screenshot a.png"
        self.asks(*line.split())
        return (self.folder / "a.png").read_bytes()

    def plays_until_in_use(self, file: Path, text: str) -> Path:
        """Play with ``--reload``, and save ``file`` until its new text is in use; returns the last picture."""
        (self.folder / "waiting.py").write_text(WAITING_GAME)
        line = "play waiting.py --headless --frames 100000 --size 96x54 --strict --reload --screenshot a.png"
        said = self.folder / "said.txt"
        with said.open("w") as lines:
            command = [self.program, *line.split()]
            environment = os.environ | self.variables
            playing = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=lines, stderr=lines)
        try:
            self._wait(playing, (self.folder / "playing").exists)
            self._wait(playing, lambda: f"{file.name} in use" in said.read_text(), lambda: file.write_text(text))
            (self.folder / "enough").touch()
            assert playing.wait(PATIENCE) == 0, said.read_text()
        finally:
            playing.kill()
            playing.wait()
        return self.folder / "a.png"

    def _wait(
        self, playing: subprocess.Popen[bytes], met: Callable[[], bool], again: Callable[[], object] = lambda: None
    ) -> None:
        """Wait for something, and do ``again`` now and then."""
        end = time.monotonic() + PATIENCE
        while not met():
            said = (self.folder / "said.txt").read_text()
            assert playing.poll() is None, said
            assert time.monotonic() < end, said
            again()
            time.sleep(BETWEEN_SAVES)


@pytest.fixture
def user(environment: Environment, tmp_path: Path) -> User:
    return User(environment, tmp_path)


def _files(environment: Environment) -> set[str]:
    """The installed files, without what Python has compiled of them."""
    packages = environment.packages
    files = (file.relative_to(packages) for file in packages.rglob("*") if file.is_file())
    return {str(file) for file in files if "__pycache__" not in file.parts}


def test_a_wheel_has_the_code_and_the_shaders(wheels: dict[str, Path]) -> None:
    names = set()
    for wheel in wheels.values():
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
def test_their_own_tests_pass_where_they_are_installed(installed: Environment, sources: Path) -> None:
    tests = [f"{name}/tests" for name in (*PLUGINS, GAME)]
    options = ["-p", "no:cacheprovider", "--import-mode=importlib"]
    assert " passed" in run([installed.python, "-m", "pytest", *options, *tests], sources)


@pytest.mark.vulkan
def test_an_edit_of_an_installed_file_is_in_the_game_that_runs(installed: Environment, user: User) -> None:
    user.asks("plugins", "enable", "wheel_fullscreen")
    shader = installed.packages / "wheel_fullscreen_plugin" / "glsl" / "wheel_fullscreen.frag"
    white = shader.read_text().replace("color = texture(source, uv);", "color = vec4(1000.0);")
    with Image.open(user.plays_until_in_use(shader, white)) as picture:
        assert np.asarray(picture)[..., :3].min() > 200


@pytest.mark.vulkan
def test_they_are_found_switched_and_gone_without_a_trace(
    environment: Environment, wheels: dict[str, Path], user: User
) -> None:
    environment.uninstall(*DISTRIBUTIONS)
    environment.install(wheels[GAME])
    files, plain = _files(environment), user.sees()

    environment.install(*(wheels[name] for name in PLUGINS))
    listed = {one["name"]: one for one in json.loads(user.asks("plugins", "list", "--json"))}
    for name, distribution in zip(PLUGINS, DISTRIBUTIONS, strict=True):
        one = listed[name]
        assert (one["state"], one["reason"], one["version"]) == ("available", "", "0.1.0")
        assert one["distribution"] == distribution
        assert one["settings"]
    told = user.asks("plugins", "info", "wheel_fullscreen")
    assert "strength" in told
    assert "wheel_fullscreen/darken" in told
    assert user.sees() == plain, "what is installed is not switched on"

    seen = [plain]
    for name in PLUGINS:
        user.asks("plugins", "enable", name, "--game", GAME)
        seen.append(user.sees())
    assert len(set(seen)) == len(seen), "each of them changes the picture"
    for name in PLUGINS:
        user.asks("plugins", "disable", name, "--game", GAME)
    assert user.sees() == plain

    environment.uninstall(*DISTRIBUTIONS)
    assert not any(name in user.asks("plugins", "list") for name in PLUGINS)
    assert user.sees() == plain
    assert _files(environment) == files

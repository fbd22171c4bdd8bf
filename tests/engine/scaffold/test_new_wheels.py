"""New packages as wheels beside the wheel of the project, in a fresh environment: from installing to uninstalling."""

from __future__ import annotations

import json
import os
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
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


def _look(number: int = 0) -> str:
    """The arguments of a command that plays the game and keeps a picture, for ``User.seen``."""
    return f"play {GAME} --headless --frames 2 --size 96x54 --strict --validate --screenshot {number}.png"


class User:
    """Somebody who plays in a folder, with preferences of their own."""

    def __init__(self, environment: Environment, folder: Path) -> None:
        self.environment = environment
        self.folder = folder
        self.variables = {"RENDERWRIGHT_CONFIG_DIR": str(folder / "config")}

    def asks(self, *lines: str) -> list[str]:
        """What commands print, which are run one after the other in a new process."""
        return self.environment.asks(self.folder, *lines, **self.variables)

    def seen(self, number: int = 0) -> bytes:
        """The file of a picture of the game."""
        return (self.folder / f"{number}.png").read_bytes()

    def plays_while_edited(self, edits: Sequence[tuple[str, Path, str]]) -> Path:
        """Play with ``--reload``, and save files until their new texts are in use; returns the last picture.

        An edit has the name of the plugin, its file, and the text.
        """
        (self.folder / "waiting.py").write_text(WAITING_GAME)
        line = "play waiting.py --headless --frames 100000 --size 96x54 --strict --validate --reload --screenshot a.png"
        said = self.folder / "said.txt"
        with said.open("w") as lines:
            command = [self.environment.renderwright, *line.split()]
            environment = os.environ | self.variables
            playing = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=lines, stderr=lines)
        try:
            self._wait(playing, (self.folder / "playing").exists)
            for plugin, file, text in edits:
                told = f"{plugin}: {file.name} in use"
                self._wait(playing, lambda told=told: told in said.read_text(), partial(file.write_text, text))
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


def _edits(packages: Path) -> Iterator[tuple[str, Path, str]]:
    """A file of each installed plugin with another text: a square, a ball of much light, nothing else that is lit."""
    white = "color = texture(source, uv).g > 500.0 ? vec4(1000.0) : vec4(0.0, 0.0, 0.2, 1.0);"
    for plugin, name, before, after in (
        ("wheel_view", "__init__.py", "within(view.rectangle, settings.aspect)", "within(view.rectangle, 1.0)"),
        ("wheel_geometry", "glsl/wheel_geometry.frag", "settings.light * (0.2 + 0.8 * facing)", "vec3(1000.0)"),
        ("wheel_fullscreen", "glsl/wheel_fullscreen.frag", "color = texture(source, uv);", white),
    ):
        file = packages / f"{plugin}_plugin" / name
        text = file.read_text()
        assert before in text
        yield plugin, file, text.replace(before, after)


@pytest.mark.vulkan
def test_edits_of_installed_files_are_in_the_game_that_runs(installed: Environment, user: User) -> None:
    user.asks(*(f"plugins enable {name}" for name in PLUGINS))
    with Image.open(user.plays_while_edited(list(_edits(installed.packages)))) as shown:
        picture = np.asarray(shown)[..., :3]
    assert picture[:, :20].max() == 0, "the view: a square, with bars at its sides"
    assert picture[:, -20:].max() == 0
    square = picture[10:, 21:75].astype(int)  # below the texts
    white, blue = square.min(axis=2) > 200, (square[..., 2] > 20) & (square[..., 0] < 20)
    assert 0 < white.sum() < 100, "the geometry: a small ball of much light"
    assert blue.sum() > square[..., 0].size / 2, "the full screen: nothing else is left"


@pytest.mark.vulkan
def test_they_are_found_switched_and_gone_without_a_trace(
    environment: Environment, wheels: dict[str, Path], user: User
) -> None:
    environment.uninstall(*DISTRIBUTIONS)
    environment.install(wheels[GAME])
    files = _files(environment)
    user.asks(_look())
    plain = user.seen()

    environment.install(*(wheels[name] for name in PLUGINS))
    listing, *infos, _ = user.asks("plugins list --json", *(f"plugins info {name}" for name in PLUGINS), _look())
    listed = {one["name"]: one for one in json.loads(listing)}
    for name, distribution in zip(PLUGINS, DISTRIBUTIONS, strict=True):
        one = listed[name]
        assert (one["state"], one["reason"], one["version"]) == ("available", "", "0.1.0")
        assert one["distribution"] == distribution
        assert one["settings"]
    for info, setting in zip(infos, ("strength", "radius", "aspect"), strict=True):
        assert f"  {setting}: number" in info
    assert user.seen() == plain, "what is installed is not switched on"

    switched = [
        line
        for number, name in enumerate(PLUGINS, 1)
        for line in (f"plugins enable {name} --game {GAME}", _look(number))
    ]
    user.asks(*switched, *(f"plugins disable {name} --game {GAME}" for name in PLUGINS), _look())
    assert len({plain, *map(user.seen, range(1, 1 + len(PLUGINS)))}) == 1 + len(PLUGINS), "each changes the picture"
    assert user.seen() == plain

    environment.uninstall(*DISTRIBUTIONS)
    gone, _ = user.asks("plugins list", _look())
    assert not any(name in gone for name in PLUGINS)
    assert user.seen() == plain
    assert _files(environment) == files

"""New packages are clean, pass their own tests, and change the picture of a game."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from playing import Picture, frames_of
from pydantic import ValidationError

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import FoundPlugin, PluginState, discovery, host
from renderwright.engine.scaffold import PluginKind, new_game, new_plugin, new_skeleton, write_package
from renderwright.engine.scene import Camera, Material
from renderwright.engine.scene.primitives import plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

REPOSITORY = Path(__file__).parents[3]
CACHE = REPOSITORY / ".mypy_cache"
"""The project's own, which knows the types of the engine after ``make types``."""
LONG = "a_name_with_as_many_letters_as_"
TURNED_OFF = {
    "fullscreen": ("glsl/{}.frag", "color.rgb *=", "color.rgb * "),
    "compute": ("glsl/{}.comp", "sum +=", "sum ="),
    "geometry": ("glsl/{}.vert", "settings.radius * texel", "texel"),
    "view": ("__init__.py", "within(view.rectangle, settings.aspect)", "view.rectangle"),
}


class Ground(Game):
    """A lit plane."""

    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera = Camera((0, 2, 5), (0, 1, 0))
        context.scene.spawn(plane(10, 10), Material())


def _all(folder: Path) -> list[Path]:
    """A package of each sort."""
    packages = [new_plugin(f"new_{kind}", kind) for kind in PluginKind]
    packages += [new_game("new_game")]
    packages += [new_skeleton(f"new_{like}", like) for like in ("deferred", "forward", "flat")]
    return [write_package(package, folder) for package in packages]


def _python(*arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _own_tests(folders: Sequence[Path]) -> subprocess.CompletedProcess[str]:
    """The tests of packages, in one process, as if all were installed."""
    for folder in folders:
        _have_entry_points(folder)
    paths = [str(folder) for folder in folders]
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", str(folders[0].parent)]
    variables = {"PYTHONPATH": os.pathsep.join(paths)}
    return _python("-m", "pytest", *options, *paths, folder=folders[0].parent, **variables)


def _have_entry_points(folder: Path) -> None:
    """Let a Python that has ``folder`` in its path find the entry points of the package in it."""
    if not (folder / "pyproject.toml").exists():
        return
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    described = folder / f"{folder.name}-{project['version']}.dist-info"
    described.mkdir(exist_ok=True)
    (described / "entry_points.txt").write_text("\n".join(lines))
    (described / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )


@pytest.mark.parametrize("longest", [False, True])
def test_their_code_is_clean_and_in_style(tmp_path: Path, longest: bool) -> None:
    def name(kind: str) -> str:
        return f"{LONG[: 31 - len(kind)].rstrip('_')}_{kind}" if longest else kind[0]

    for kind in PluginKind:
        write_package(new_plugin(name(f"{kind}"), kind), _made(tmp_path / kind))
    write_package(new_game(name("game")), tmp_path)
    for like in ("deferred", "forward", "flat"):
        write_package(new_skeleton(name(like), like), _made(tmp_path / like))
    rules = "E,F,W,I,B,UP,C4,SIM,RUF,N,D1,PT"
    options = ["--no-cache", "--select", rules, "--per-file-ignores", "test_*.py:D1"]
    checked = _python("-m", "ruff", "check", *options, ".", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    formatted = _python("-m", "ruff", "format", "--no-cache", "--diff", ".", folder=tmp_path)
    assert formatted.returncode == 0, formatted.stdout + formatted.stderr


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize("kind", list(PluginKind))
def test_their_settings_refuse_a_misspelt_field(kind: PluginKind, tmp_path: Path) -> None:
    folder = write_package(new_plugin(f"strict_{kind}", kind), tmp_path)
    sys.path.insert(0, str(folder))
    try:
        plugin = importlib.import_module(f"strict_{kind}_plugin")
    finally:
        sys.path.remove(str(folder))
    (field, *_) = plugin.Settings.model_fields
    with pytest.raises(ValidationError, match=f"{field}s\n  Extra inputs are not permitted"):
        plugin.Settings(**{f"{field}s": 0.5})


def test_their_types_are_right(tmp_path: Path) -> None:
    _all(tmp_path)
    subprocess.run([str(REPOSITORY / "scripts" / "layout")], check=True)
    conftests = sorted(tmp_path.rglob("conftest.py"))  # all alike, and modules of one name
    files = [str(file) for file in sorted(tmp_path.rglob("*.py")) if file not in conftests[1:]]
    paths = os.pathsep.join(str(path) for path in (REPOSITORY / "build" / "layout", *tmp_path.iterdir()))
    config = str(REPOSITORY / "pyproject.toml")
    options = ["--config-file", config, "--strict", "--cache-dir", str(CACHE)]
    checked = _python("-m", "mypy", *options, *files, folder=REPOSITORY, MYPYPATH=paths)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.vulkan
def test_their_own_tests_pass_and_can_fail(tmp_path: Path) -> None:
    folders = _all(tmp_path)
    passed = _own_tests(folders)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    plugins = folders[: len(TURNED_OFF)]
    for folder in plugins:
        kind = folder.name.removeprefix("new_")
        file, whole, broken = TURNED_OFF[kind]
        path = folder / f"{folder.name}_plugin" / file.format(folder.name)
        text = path.read_text()
        assert whole in text
        path.write_text(text.replace(whole, broken))
    failed = _own_tests(plugins).stdout
    for folder in plugins:
        assert f"FAILED {folder.name}/tests/test_{folder.name}.py" in failed


def _picture(backend: VulkanBackend, *plugins: str) -> Picture:
    clock = FixedStepClock(Ground.step, frame=1 / 60)
    choice = PluginChoice(enable=plugins)
    with closing(Session(Ground, backend, (48, 36), choice=choice, clock=clock, strict=True)) as session:
        picture = frames_of(session, 1)[0]
        assert all(session.plugins.status(name).state is PluginState.ENABLED for name in plugins)
    return picture


@pytest.mark.vulkan
def test_each_plugin_changes_the_picture_in_its_way(
    backend: VulkanBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list(discovery.find_plugins())
    for kind in PluginKind:
        folder = write_package(new_plugin(f"new_{kind}", kind), tmp_path)
        monkeypatch.syspath_prepend(folder)
        module = importlib.import_module(f"new_{kind}_plugin")
        found.append(FoundPlugin(f"new_{kind}", lambda module=module: module))  # type: ignore[misc]
    monkeypatch.setattr(host, "find_plugins", lambda: tuple(found))
    plain = _picture(backend)[..., :3].astype(int)
    changed = {kind: _picture(backend, f"new_{kind}")[..., :3].astype(int) - plain for kind in PluginKind}
    dark = changed[PluginKind.FULLSCREEN]
    assert dark[0, 0].sum() < -10
    assert np.abs(dark[18, 24]).max() <= 1
    assert changed[PluginKind.COMPUTE].any()
    ball = changed[PluginKind.GEOMETRY]
    assert ball[18, 24, 0] > 30
    assert not ball[:, :8].any()
    assert np.all((changed[PluginKind.VIEW] + plain)[:6] == 0), "black bars"
    assert (changed[PluginKind.VIEW] + plain)[18].min() > 0

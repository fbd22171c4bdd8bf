"""The wheel: one top-level package, whole, and deaf to what lies beside a game."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
FOLDERS = ("engine", "render", "plugins", "games", "skeleton_graphs")

TRAP = 'raise RuntimeError("a file of the user is taken for one of ours")\n'
GAME = """
from renderwright.engine import Game
from engine import SPEED
from render import WIDTH


class Own(Game):
    skeleton = "forward"

    def setup(self, context):
        assert (SPEED, WIDTH) == (3, 4)
        print("set up")
"""


def _files(*names: str) -> list[str]:
    """The files below ``names`` that git tracks or would."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *names]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if (REPOSITORY / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the tracked files, built as pip builds it for a user."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in _files(*FOLDERS, "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((REPOSITORY / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(source)], check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The ``bin`` of a fresh environment with the wheel; what it depends on is borrowed from the one of the tests."""
    environment = wheel.parent / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = environment / "bin" / "python"
    subprocess.run(
        [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", str(wheel)],
        check=True,
    )
    ask = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    # A folder that a .pth file names has its own .pth files ignored, so the checkout stays out of sight.
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    return environment / "bin"


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A folder in which a user's files have the names of our folders."""
    for name in FOLDERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(TRAP)
    (tmp_path / "render.py").write_text(TRAP)
    return tmp_path


def _run(command: list[str], folder: Path) -> str:
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_one_package_is_installed_with_all_its_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"renderwright"}
    wanted = {f"renderwright/{name}" for name in _files(*FOLDERS)}
    assert len(wanted) > 500
    assert sorted(wanted - names) == []


def test_a_game_plays_beside_folders_of_the_same_names(installed: Path, traps: Path) -> None:
    program = str(installed / "renderwright")
    _run([program, "play", "marbles", "--headless", "--frames", "2", "--size", "96x54", "--screenshot", "a.png"], traps)
    assert (traps / "a.png").stat().st_size > 1000
    assert "bloom" in _run([program, "plugins", "list"], traps)
    python = str(installed / "python")
    _run([python, "-m", "renderwright.engine.cli", "graph", "deferred"], traps)


def test_a_game_has_modules_of_the_same_names(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("SPEED = 3\n")
    (tmp_path / "render.py").write_text("WIDTH = 4\n")
    (tmp_path / "plugins.py").write_text(GAME)
    line = "play plugins.py --headless --backend null --frames 1 --strict"
    assert "set up" in _run([str(installed / "renderwright"), *line.split()], tmp_path)

"""The wheel of the project, and fresh environments that wheels are installed into. Every test may import this."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
FOLDERS = ("engine", "render", "plugins", "games", "skeleton_graphs")
BUILD_FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "scripts/build_backend.py", "README.md", "LICENSE")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
ALL_COMMANDS = """
import sys
from renderwright.engine.cli import main

for line in sys.stdin.read().splitlines():
    code = main(line.split())
    assert code == 0, line
    print("END")
"""
"""Runs every line of arguments in one process, and says after each that it has ended."""


def tracked_files(*names: str) -> list[str]:
    """The files below ``names`` that git tracks or would."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *names]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if (REPOSITORY / name).is_file()]


def build_wheel(folder: Path) -> Path:
    """A wheel of the tracked files in ``folder``, built as pip builds it for a user; their copies are in ``source``."""
    source = folder / "source"
    for name in tracked_files(*FOLDERS, *BUILD_FILES):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((REPOSITORY / name).read_bytes())
    command = [*PIP, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    # What the build depends on is used once, and not worth compiling.
    variables = {"RENDERWRIGHT_REQUIRE_COMPILED": "1", "PIP_NO_COMPILE": "1"}
    subprocess.run(command, env={**os.environ, **variables}, check=True)
    (built,) = folder.glob("*.whl")
    return built


def made_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """A folder below ``folder`` that ``make`` has filled, once for all processes: the first calls it, others wait.

    When it fails, the process that waits next tries anew, in an empty folder.
    """
    folder.mkdir(exist_ok=True)
    made = folder / "made"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the system frees it when the process ends, however that is
        if not made.exists():
            unfinished = folder / "unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(made)
    return made


@dataclass(frozen=True)
class Environment:
    """A virtual environment. What its packages depend on is borrowed from the environment of the tests."""

    programs: Path
    packages: Path

    @property
    def python(self) -> str:
        """Its Python."""
        return str(self.programs / "python")

    @property
    def renderwright(self) -> str:
        """The program of the project's wheel."""
        return str(self.programs / "renderwright")

    def install(self, *wheels: Path) -> None:
        """Install wheels, and nothing that they depend on."""
        run([*PIP, "--python", self.python, "install", "--quiet", "--no-deps", *map(str, wheels)], self.packages)

    def asks(self, folder: Path, *lines: str, **variables: str) -> list[str]:
        """What commands in ``folder`` print, which are run one after the other in a new process."""
        printed = run([self.python, "-c", ALL_COMMANDS], folder, "\n".join(lines), **variables)
        *said, end = printed.split("END\n")
        assert (len(said), end) == (len(lines), "")
        return said

    def uninstall(self, *names: str) -> None:
        """Uninstall distributions."""
        run([*PIP, "--python", self.python, "uninstall", "--quiet", "--yes", *names], self.packages)


def fresh_environment(folder: Path, *wheels: Path) -> Environment:
    """A new environment in ``folder`` with these wheels."""
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder.parent)
    programs = folder / "bin"
    ask = [str(programs / "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    environment = Environment(programs, Path(run(ask, folder).strip()))
    # A folder that a .pth file names has its own .pth files ignored, so the checkout stays out of sight.
    borrowed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (environment.packages / "dependencies.pth").write_text("".join(f"{path}\n" for path in borrowed))
    environment.install(*wheels)
    return environment


def attempt(command: list[str], folder: Path, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """What a command in ``folder`` did. It does not see the modules that the tests see."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    return subprocess.run(
        command, cwd=folder, env=environment, input=given, capture_output=True, text=True, check=False
    )


def run(command: list[str], folder: Path, given: str = "", **variables: str) -> str:
    """What a command in ``folder`` that ends well prints."""
    ran = attempt(command, folder, given, **variables)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout

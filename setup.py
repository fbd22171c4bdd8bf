"""Maps the top-level folders below ``renderwright``, the one package that is installed, and compiles the shaders of a
wheel. The rest is in pyproject.toml."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py
from setuptools.errors import ExecError

FOLDERS = ("engine", "render", "plugins", "games", "skeleton_graphs")
REQUIRE_VARIABLE = "RENDERWRIGHT_REQUIRE_COMPILED"

# Folders of shaders and levels are found as packages, too, which is how their files come along.
packages = find_namespace_packages(include=[*FOLDERS, *(f"{folder}.*" for folder in FOLDERS)])


class BuildWithShaders(build_py):
    """Copies the packages, then lets the copy compile its own shaders, so that who installs them needs no ``glslc``.

    Where that is not possible the wheel is built without, and says so; with RENDERWRIGHT_REQUIRE_COMPILED=1 that is an
    error.
    """

    def run(self) -> None:
        """Build the packages and their shaders."""
        super().run()
        if self.editable_mode:
            return  # a checkout compiles its shaders when they are used
        problem = self._compile()
        if problem:
            message = f"renderwright is built WITHOUT compiled shaders, and needs glslc where it is played: {problem}"
            if os.environ.get(REQUIRE_VARIABLE, "0") not in ("", "0"):
                raise ExecError(message)
            self.warn(message)

    def _compile(self) -> str:
        """Run ``renderwright precompile`` in the built packages; returns why that failed, or ''."""
        if shutil.which("glslc") is None:
            return "glslc is not installed"
        self.run_command("egg_info")
        metadata = Path(self.get_finalized_command("egg_info").egg_info)
        with tempfile.TemporaryDirectory(prefix="renderwright-") as folder:
            # The plugins are found by their entry points.
            shutil.copytree(metadata, Path(folder) / metadata.name)
            paths = [str(Path(self.build_lib).resolve()), folder, *filter(None, [os.environ.get("PYTHONPATH")])]
            environment = {
                **os.environ,
                "PYTHONPATH": os.pathsep.join(paths),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            environment.pop("RENDERWRIGHT_PLUGINS", None)
            environment.pop("RENDERWRIGHT_BLOCK_PLUGINS", None)
            command = [sys.executable, "-m", "renderwright.engine.cli", "precompile"]
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
            )
        print(done.stdout, end="")
        return "" if done.returncode == 0 else f"{' '.join(command[1:])} failed: {done.stderr.strip()[-2000:]}"


setup(
    packages=[f"renderwright.{name}" for name in packages],
    package_dir={f"renderwright.{folder}": folder for folder in FOLDERS},
    cmdclass={"build_py": BuildWithShaders},
)

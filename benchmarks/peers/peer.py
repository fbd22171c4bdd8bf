"""A script to compare with, in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 600.0
"""Seconds after which a process is ended."""


@dataclass(frozen=True)
class Peer:
    """A script of this folder, and the module that tells whether its library is installed."""

    title: str
    script: str
    needs: str

    @property
    def installed(self) -> bool:
        """Whether its library can be imported."""
        return importlib.util.find_spec(self.needs) is not None

    def run(self, *arguments: str) -> str:
        """The output of the script. Raises ``UsageError`` if it fails."""
        return run_python([str(self.file), *arguments], {**os.environ, "PYTHONPATH": python_path()})

    @property
    def file(self) -> Path:
        """The script."""
        return Path(__file__).with_name(f"{self.script}.py")


def run_python(arguments: list[str], variables: Mapping[str, str]) -> str:
    """The output of a Python process in the checkout. Raises ``UsageError`` if it fails."""
    ran = subprocess.run(
        [sys.executable, *arguments],
        env=variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    if ran.returncode:
        raise UsageError(f"{' '.join(arguments)} fails: {ran.stderr.strip()[-2000:]}", hint="run it by itself")
    return ran.stdout


def python_path() -> str:
    """The checkout, so that scripts can import its benchmarks, and what is set."""
    return os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))

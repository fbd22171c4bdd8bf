"""Where libraries are: wheels that are installed, and Python's own modules."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path

_DEPENDENCY = "numpy"
"""A library that is there wherever the renderer is."""


def is_installed(path: Path) -> bool:
    """Whether a file or a folder has come with a wheel."""
    return any(path.is_relative_to(folder) for folder in _package_folders())


def is_of_library(path: Path) -> bool:
    """Whether a file is an installed package's or one of Python's own modules, so that nobody looks for a mistake of
    their own in there."""
    return is_installed(path) or path.is_relative_to(sysconfig.get_path("stdlib"))


def _package_folders() -> list[Path]:
    """The folders in which packages lie: where pip puts them, and where the dependencies are, which a distribution, or
    ``pip install --user``, may have put elsewhere."""
    folders = [Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")]
    found = importlib.util.find_spec(_DEPENDENCY)
    return folders if found is None or found.origin is None else [*folders, Path(found.origin).parents[1]]


def package_data_advice(path: Path) -> str:
    """What to say behind the hint about a file that is not there: '' outside of installed packages.

    A wheel has no files but Python unless its project lists them.
    """
    return "; a wheel has the files that package-data of its pyproject.toml names" if is_installed(path) else ""

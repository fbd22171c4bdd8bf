"""Where wheels are installed."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def is_installed(path: Path) -> bool:
    """Whether a file or a folder has come with a wheel."""
    return any(path.is_relative_to(sysconfig.get_path(name)) for name in ("purelib", "platlib"))


def package_data_advice(path: Path) -> str:
    """What to say behind the hint about a file that is not there: '' outside of installed packages.

    A wheel has no files but Python unless its project lists them.
    """
    return "; a wheel has the files that package-data of its pyproject.toml names" if is_installed(path) else ""

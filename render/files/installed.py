"""Where wheels are installed."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def is_installed(path: Path) -> bool:
    """Whether a file or a folder has come with a wheel."""
    return any(path.is_relative_to(sysconfig.get_path(name)) for name in ("purelib", "platlib"))

"""The error for a plugin that is not installed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from renderwright.engine.plugins.hookspecs import PROJECT
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


def unknown_plugin(name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that none of the known plugins has, and what to do: several names may be meant, or a package
    that lies in the working folder."""
    words = name.replace(";", " ").split()
    if len(words) > 1:
        hint = f"separate names by commas: {','.join(words)}"
    elif _is_package(name):
        hint = f"install the package in ./{name}: pip install -e ./{name}"
    else:
        hint = did_you_mean(name, known)
    return UsageError(f'unknown plugin "{name}"', hint=hint)


def _is_package(name: str) -> bool:
    """Whether the folder of that name has the package of the plugin, as ``renderwright new plugin`` makes it."""
    try:
        project = tomllib.loads((Path(name) / "pyproject.toml").read_text(encoding="utf-8"))
        return bool(name in project["project"]["entry-points"][PROJECT])
    except (OSError, ValueError, LookupError, TypeError):
        return False

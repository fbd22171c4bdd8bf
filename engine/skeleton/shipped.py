"""Skeletons that ship with the engine, by name."""

from __future__ import annotations

from pathlib import Path

from renderwright import skeleton_graphs
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


def shipped_skeletons() -> dict[str, Path]:
    """All skeletons that ship with the engine: name to file."""
    folder = Path(next(iter(skeleton_graphs.__path__)))
    return {file.stem: file for file in sorted(folder.glob("*.yaml"))}


def find_skeleton(name_or_path: str) -> Path:
    """The file of a shipped skeleton, or the path itself if the file exists. Raises ``UsageError`` otherwise."""
    shipped = shipped_skeletons()
    if name_or_path in shipped:
        return shipped[name_or_path]
    path = Path(name_or_path)
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):  # not a valid file name
        pass
    raise UsageError(
        f'there is no skeleton "{name_or_path}" and no file of that name',
        hint=f"{did_you_mean(name_or_path, shipped)} Or give the path of a YAML file.",
    )

"""Skeletons that ship with the engine, by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from renderwright import skeleton_graphs
from renderwright.engine.skeleton.loader import load_skeleton
from renderwright.engine.skeleton.skeleton import Skeleton
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


def shipped_skeletons() -> dict[str, Path]:
    """All skeletons that ship with the engine: name to file."""
    folder = Path(next(iter(skeleton_graphs.__path__)))
    return {file.stem: file for file in sorted(folder.glob("*.yaml"))}


@cache
def loaded_skeletons() -> tuple[Skeleton, ...]:
    """All skeletons that ship with the engine. They are read once: messages in a running game ask for their names."""
    return tuple(load_skeleton(file) for file in shipped_skeletons().values())


def find_skeleton(name_or_path: str, folder: Path | None = None) -> Path:
    """The file of a shipped skeleton, or of a path. Raises ``UsageError`` if there is no such file.

    A relative path is relative to ``folder`` (None: the current directory).
    """
    shipped = shipped_skeletons()
    if name_or_path in shipped:
        return shipped[name_or_path]
    path = Path(name_or_path) if folder is None else folder / name_or_path
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):  # not a valid file name
        pass
    raise UsageError(
        f'there is no skeleton "{name_or_path}" and no file of that name' + (f" in {folder}" if folder else ""),
        hint=f"{did_you_mean(name_or_path, shipped)}\n  or give the path of a YAML file",
    )

"""The lines of a plugin or a game on the way to an exception, without those of the engine and of libraries."""

from __future__ import annotations

import traceback
from collections.abc import Collection
from pathlib import Path
from types import FrameType, TracebackType

from renderwright.render.files import is_installed, is_of_library


def lines_of_code(
    calls: TracebackType | None, packages: Collection[str], foreign: tuple[str, ...]
) -> list[traceback.FrameSummary]:
    """The lines of a traceback that belong to a plugin or a game, from the outermost on.

    They lie in no folder of libraries, except those of ``packages``, which are installed there. ``foreign`` is where
    the names of the engine's files begin.
    """
    frames, lines = traceback.walk_tb(calls), traceback.extract_tb(calls)
    return [line for (frame, _), line in zip(frames, lines, strict=True) if _is_own(frame, packages, foreign)]


def top_package(module: str) -> str:
    """The outermost package of a module, by name."""
    return module.partition(".")[0]


def missing_data(error: BaseException, lines: list[traceback.FrameSummary]) -> str:
    """What to do about a file that an installed package lacks in its own folder, '' if that is not the error.

    ``lines`` are those of ``lines_of_code``. A wheel has no files but Python unless its project lists them.
    """
    if not isinstance(error, FileNotFoundError) or not isinstance(error.filename, str) or not lines:
        return ""
    file = Path(lines[-1].filename)
    folder, missing = _package_folder(file), Path(error.filename).absolute()
    if not is_installed(file) or not missing.is_relative_to(folder):
        return ""
    return (
        f'add "{missing.relative_to(folder).as_posix()}" to the package-data of {folder.name} in its pyproject.toml, '
        "and install it again: without, a wheel has no files but Python"
    )


def _is_own(frame: FrameType, packages: Collection[str], foreign: tuple[str, ...]) -> bool:
    file = frame.f_code.co_filename
    if file.startswith(("<", *foreign)):  # functions that dataclasses make are in "<string>"
        return False
    return top_package(frame.f_globals.get("__name__", "")) in packages or not is_of_library(Path(file))


def _package_folder(file: Path) -> Path:
    """The folder of the outermost package around a file."""
    folder = file.parent
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder

"""Finds a game by name: an installed one, a class in a module, or a class in a file."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import inspect
import math
import reprlib
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from renderwright.engine.class_location import class_location
from renderwright.engine.entry_points import GAMES, load_entry_point
from renderwright.engine.game_lines import last_place, lines_of_game
from renderwright.engine.meant_names import meant_name
from renderwright.render.debugging import debug_advice
from renderwright.render.errors import RenderwrightError, SourceLocation, UsageError
from renderwright.render.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from renderwright.engine.game import Game

T = TypeVar("T")

_LONGEST_STEP = 1.0
"""In seconds. A longer one is meant as a rate: no game stands still for so long."""


def game_names() -> tuple[str, ...]:
    """The installed games, by entry point."""
    return tuple(sorted({point.name for point in importlib.metadata.entry_points(group=GAMES)}))


def game_identity(name: str) -> str:
    """The name under which a game is remembered, without importing it: an installed game's name, a file's whole path,
    or ``package.module:Class``. The ``name`` is one that ``find_game`` takes.

    Raises ``UsageError`` if no game has that name.
    """
    source, _, class_name = name.partition(":")
    if source.endswith(".py"):
        path = Path(source)
        _require_file(path)
        return str(path.resolve())
    if not class_name and name not in game_names():
        raise _unknown(name)
    points = importlib.metadata.entry_points(group=GAMES)
    return next((point.name for point in points if point.value == name), name)


def game_of_module(module: str) -> str:
    """The installed game whose package has a module, '' if there is none. Nothing is imported."""
    package = module.rpartition(".")[0]
    for point in sorted(importlib.metadata.entry_points(group=GAMES), key=lambda each: each.name):
        inside = f"{module}.".startswith(f"{point.module}.")
        if inside or (package and package == point.module.rpartition(".")[0]):
            return point.name
    return ""


def find_game(name: str) -> type[Game]:
    """The game class of that name.

    ``name`` is an installed game's name, ``package.module:Class``, or ``path/to/file.py:Class``; the class may be
    omitted if the file defines only one game. Raises ``UsageError`` if there is no such game or its import raises.
    """
    source, _, class_name = name.partition(":")
    if source.endswith(".py"):
        return _game_in(_guarded(name, lambda: _module_from(Path(source))), class_name, name)
    if class_name:
        if _importable(source):
            return _game_in(_guarded(name, lambda: importlib.import_module(source)), class_name, name)
        raise UsageError(
            f'game "{name}": there is no module "{source}"', hint="give a path that ends in .py, or a module"
        )
    points = [point for point in importlib.metadata.entry_points(group=GAMES) if point.name == name]
    if not points:
        raise _unknown(name)
    return _checked(_guarded(name, partial(load_entry_point, points[0], UsageError)), name)


def game_folder(game: type[Game]) -> Path | None:
    """The folder of the file that defines a game, or None if there is no file."""
    try:
        return Path(inspect.getfile(game)).resolve().parent
    except (TypeError, OSError):
        return None


def check_attributes(game: type[Game]) -> None:
    """Raise ``UsageError`` unless the title, the step and the numbers of players are valid."""
    step = game.step
    if not isinstance(game.title, str):
        raise _wrong(game, "title", 'write a text, such as title = "Pong"')
    for name in ("min_players", "max_players"):
        count = getattr(game, name)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise _wrong(game, name, "write a whole number of 1 or more")
    if game.min_players > game.max_players:
        raise UsageError(
            f"{game.__name__}.min_players is {game.min_players}, above max_players, which is {game.max_players}",
            hint=f"write max_players = {game.min_players}, or more",
            where=class_location(game),
        )
    if not isinstance(step, (int, float)) or isinstance(step, bool) or not 0.0 < step < math.inf:
        raise _wrong(
            game, "step", "write seconds above 0, such as step = 1 / 120; what a step does is in update(self, dt)"
        )
    if step > _LONGEST_STEP:
        raise _wrong(game, "step", f"it is the seconds of a step, not a rate: write step = 1 / {step:g}")


def _wrong(game: type[Game], name: str, hint: str) -> UsageError:
    value = reprlib.repr(getattr(game, name))
    return UsageError(f"{game.__name__}.{name} cannot be {value}", hint=hint, where=class_location(game))


def check_plugins(game: type[Game], known: Collection[str] | None = None) -> None:
    """Raise ``UsageError`` unless ``Game.plugins`` has names of plugins, which are ``known`` if that is given."""
    what, names = f"{game.__name__}.plugins", game.plugins
    if isinstance(names, str):
        raise UsageError(
            f"{what} is the text {names!r}, not a tuple of names",
            hint=f'write plugins = ("{names}",)',
            where=class_location(game),
        )
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise UsageError(
            f"{what} cannot be {names!r}",
            hint='write a tuple of names, such as plugins = ("shadows", "tonemap")',
            where=class_location(game),
        )
    for name in names:
        if known is not None and name not in known:
            hint = did_you_mean(name, known)
            if not nearest(name, known):
                hint = f"install the package that has it, and name that in the game's dependencies; {hint}"
            raise UsageError(f'{what} names an unknown plugin "{name}"', hint=hint, where=class_location(game))


def font_files(game: type[Game]) -> tuple[Path, ...]:
    """The files of ``Game.fonts``. Raises ``UsageError`` for one that does not exist."""
    folder = game_folder(game) or Path()
    files = tuple(folder / file for file in game.fonts)
    for file in files:
        if not file.is_file():
            raise UsageError(f'the font "{file}" does not exist', hint=f"check {game.__name__}.fonts")
    return files


def _unknown(name: str) -> UsageError:
    from renderwright.engine.plugins.hookspecs import PROJECT

    if importlib.metadata.entry_points(group=PROJECT, name=name):
        hint = f"{name} is a plugin: renderwright play GAME --enable {name}"
        return UsageError(f'unknown game "{name}"', hint=hint)
    return UsageError(
        f'unknown game "{name}"',
        hint=f"{did_you_mean(name, game_names())}\nfor a game of your own give path/to/file.py:Class, or install its "
        f"package (pip install -e FOLDER) and give the name of its entry point in [{GAMES}]",
    )


def _importable(module: str) -> bool:
    """Whether a module of that name exists, without running it (its parent packages are imported)."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _require_file(path: Path) -> None:
    if not path.is_file():
        near = nearest(path.name, (other.name for other in path.parent.glob("*.py")))
        hint = f'did you mean "{path.with_name(near)}"?' if near else "check the path of the game"
        raise UsageError(f'there is no file "{path}"', hint=hint)


def _module_from(path: Path) -> ModuleType:
    _require_file(path)
    # Modules beside the file can be imported, as from a script.
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _game_in(module: ModuleType, class_name: str, name: str) -> type[Game]:
    if class_name:
        if not hasattr(module, class_name):
            raise UsageError(
                f'game "{name}": there is no "{class_name}" in {module.__name__}',
                hint=did_you_mean(class_name, (game.__name__ for game in _games_of(module))),
            )
        return _checked(getattr(module, class_name), name)
    games = _games_of(module)
    if len(games) != 1:
        found = ", ".join(game.__name__ for game in games) or "none"
        raise UsageError(f'"{name}" does not say which game to play', hint=f"append :Class; the file defines {found}")
    return _checked(games[0], name)


def _games_of(module: ModuleType) -> list[type[Game]]:
    """The games that a module defines, without imported ones."""
    from renderwright.engine.game import Game

    return [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Game) and value.__module__ == module.__name__
    ]


def _checked(game: object, name: str) -> type[Game]:
    from renderwright.engine.game import Game

    if not (inspect.isclass(game) and issubclass(game, Game)):
        raise UsageError(f'"{name}" is not a game: {game!r}', hint="a game is a subclass of renderwright.engine.Game")
    check_attributes(game)
    check_plugins(game)
    return game


def _guarded(name: str, load: Callable[[], T]) -> T:
    try:
        return load()
    except RenderwrightError as error:
        error.where = error.where or _raised_in(error)
        raise
    except Exception as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise UsageError(
            f'game "{name}" cannot be loaded: {type(error).__name__}: {message}',
            hint="\n  ".join(line for line in (meant_name(error), debug_advice()) if line),
            where=_raised_in(error),
        ) from error


def _raised_in(error: Exception) -> SourceLocation | None:
    """The line of the game that raised, or that cannot be parsed; None if none of its lines ran."""
    if isinstance(error, SyntaxError) and error.filename and not error.filename.startswith("<"):
        return SourceLocation(error.filename, error.lineno or 0)
    return last_place(lines_of_game(error.__traceback__))

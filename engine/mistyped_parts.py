"""Finds parts of a game's class that nothing uses because their names are mistyped: hooks and class attributes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass

from renderwright.engine.class_location import class_location
from renderwright.engine.game import Game
from renderwright.engine.game_hooks import HOOKS
from renderwright.engine.notices import Notice
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.source import function_location
from renderwright.render.suggest import near_words

_ALIKE = 0.85
"""The least ratio of difflib of two names that are near: a game may have parts of its own with similar names."""

_OTHER_WORDS = frozenset({"tile", "steep", "min_layers", "max_layers", "lose", "closer", "raw", "drawn"})
"""Words that games have for things of their own, and that differ from an attribute or a hook by one letter."""


@dataclass(frozen=True)
class _Part:
    """A part of a game's class, and the hook or the attribute that is meant."""

    kind: type
    name: str
    is_hook: bool
    meant: str

    @property
    def words(self) -> str:
        """The part with its class, such as ``Alone.max_player``."""
        return f"{self.kind.__name__}.{self.name}"


def mistyped_parts(game: type[Game]) -> Iterator[Notice]:
    """A notice for each function that is named almost like a hook, and each value almost like an attribute, that the
    game lacks."""
    for part in _parts(game):
        what = "a hook" if part.is_hook else "an attribute"
        yield Notice(
            ("part", part.name),
            f'{part.words} is not {what} of games, and has no effect by itself; "{part.meant}" is',
            f'did you mean "{part.meant}"? Otherwise give it a name that is less alike',
            function_location(vars(part.kind)[part.name]) if part.is_hook else _line_of(part.kind, part.name),
        )


def in_place_of(game: type[Game], attribute: str) -> str:
    """The value that a game has in the place of an attribute, with its class, '' if there is none."""
    return next((part.words for part in _parts(game) if part.meant == attribute), "")


def _parts(game: type[Game]) -> Iterator[_Part]:
    attributes = [name for name in vars(Game) if not name.startswith("_") and not inspect.isfunction(vars(Game)[name])]
    own_kinds = game.__mro__[: game.__mro__.index(Game)]
    has = {name for kind in own_kinds for name in vars(kind)}
    for kind in own_kinds:
        for name, value in vars(kind).items():
            if name.startswith("_") or name in _OTHER_WORDS or hasattr(Game, name):
                continue
            is_hook = inspect.isfunction(value)
            near = near_words(name, HOOKS if is_hook else attributes, cutoff=_ALIKE)
            is_another_word = name[:-1] in near and name.endswith(("s", "d"))  # such as steps, closed
            if near and not is_another_word and near[0] not in has:
                yield _Part(kind, name, is_hook, near[0])


def _line_of(kind: type, name: str) -> SourceLocation | None:
    """The line of a class that begins with an attribute's name, else that of the class."""
    where = class_location(kind)
    if where is None:
        return None
    for number, line in enumerate(inspect.getsourcelines(kind)[0]):
        if line.strip().startswith((f"{name} ", f"{name}:", f"{name}=")):
            return SourceLocation(where.file, where.line + number)
    return where

"""What a game's class names: its skeleton file and its input map. Errors name the attribute and the class's line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from renderwright.engine.class_location import class_location
from renderwright.engine.games import game_folder
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.skeleton.shipped import find_skeleton
from renderwright.render.errors import UsageError

if TYPE_CHECKING:
    from renderwright.engine.game import Game


def skeleton_file(game: type[Game] | Game) -> Path:
    """The file of ``Game.skeleton``. Raises ``UsageError`` if there is none."""
    kind = _class_of(game)
    try:
        return find_skeleton(game.skeleton, game_folder(kind))
    except UsageError as error:
        raise UsageError(
            f"{kind.__name__}.skeleton: {error.message}", hint=error.hint, where=class_location(kind)
        ) from error


def input_map(game: type[Game] | Game) -> InputMap:
    """``Game.controls`` as an input map. Raises ``UsageError`` for what is wrong with it."""
    kind = _class_of(game)
    try:
        return InputMap.from_dict(game.controls, name=f"{kind.__name__}.controls")
    except UsageError as error:
        error.where = class_location(kind)
        raise


def _class_of(game: type[Game] | Game) -> type[Game]:
    return game if isinstance(game, type) else type(game)

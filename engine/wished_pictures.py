"""Pictures that a game asks for while it runs: ``GameContext.request_picture``."""

from __future__ import annotations

from pathlib import Path

from renderwright.engine.messages import say
from renderwright.engine.picture import numbered
from renderwright.engine.screenshot import TileGrid, save_by_tiles
from renderwright.engine.show import Show
from renderwright.render.errors import UsageError


def take_wished(show: Show, beside: Path) -> None:
    """Save the picture that the game has asked for in this frame, if any, as a numbered file beside another one.

    The game waits. What goes wrong is said and shown, and the game goes on.
    """
    context = show.session.context
    wish = context.picture_wish
    if wish is None:
        return
    path = numbered(beside, ".png")
    width, height = wish.extent
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        grid = TileGrid(wish.extent, *wish.tiles, wish.border)
        show.on_a_device(lambda session: save_by_tiles(path, session, grid, lambda rows: None))
        words = f"{width} x {height}: {path}"
    except (UsageError, OSError) as error:
        words = f"No picture of {width} x {height}: {error}"
    context.picture_wish = None
    say(words)
    show.session.show_notice(words)

"""Renders a large picture of a game as it stands, tile by tile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.picture import cannot_save
from renderwright.engine.screenshot.canvas import Canvas
from renderwright.engine.screenshot.grid import GridTile, TileGrid
from renderwright.engine.screenshot.png import PngWriter
from renderwright.engine.screenshot.sheet import Sheet, SheetTexels
from renderwright.engine.session import Session
from renderwright.engine.views import ViewSet
from renderwright.render.backend.protocol import Target
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent, Texture

MEMORY = 1 << 30
"""Bytes of transient memory that a tile may take, unless told otherwise."""

PREVIEW: Extent = (1280, 720)
"""The largest size of the frame that tells the tiles' exposure, if the device has shown none before."""

SETTLED = 32
"""Frames after which an effect that gathers its picture over time has all of it."""


class TiledScreenshot:
    """Renders the tiles of a grid in frames of their own, one after another in the same memory.

    Each view of several (players, eyes) is cut into the grid's tiles, and a frame has the same tile of all of them: it
    renders as many texels as if one view filled the picture.

    No time passes between them: cameras, objects, and an exposure that adapts stay as they were in the last frame
    before. If this device has shown none yet, a small one of the whole picture comes first. Effects that gather their
    picture over time get ``SETTLED`` frames for each tile, others that look back get two (in the first of them the
    frame before is that of another tile).
    """

    def __init__(self, session: Session, grid: TileGrid, *, memory: int = MEMORY) -> None:
        """``UsageError``, while the picture is rendered, if a tile needs more than ``memory`` bytes, or if the views
        are not of one size, or lie neither beside nor above one another."""
        self._session = session
        self._grid = grid
        self._memory = memory
        #: The most transient memory so far, in bytes.
        self.heap_bytes = 0
        #: Frames so far.
        self.frames = 0

    def rows(self) -> Iterator[NDArray[np.uint8]]:
        """The picture from the top, some rows at a time: uint8 (height, width, 3), sRGB-encoded."""
        session = self._session
        dynamic, session.dynamic_resolution = session.dynamic_resolution, None
        session.graph.set_dynamic_resolution("main_view", None)
        try:
            if session.runtime.target_texture is None:
                self._show_all()
            views = session.arrange(self._grid.picture)
            sheet = Sheet.of(views)
            grid = replace(self._grid, picture=sheet.extent)
            with (
                closing(session.backend.create_target(grid.preview(PREVIEW))) as target,
                Canvas(views.output, sheet.wholes) as canvas,
            ):
                for line in grid.lines(sheet.needs):
                    tiles = ((tile.kept.x, self._texels(views, sheet, tile, target)) for tile in line)
                    yield from canvas.line(line[0].kept.height, tiles)
                yield from canvas.rest()
        finally:
            session.fixed_views = None
            session.dynamic_resolution = dynamic

    def _show_all(self) -> None:
        """A frame of the whole picture: without it an exposure that adapts would be that of the first tile."""
        with closing(self._session.backend.create_target(self._grid.preview(PREVIEW))) as target:
            self._session.render(target)
            self._session.backend.wait_idle()

    def _texels(self, views: ViewSet, sheet: Sheet, tile: GridTile, target: Target) -> SheetTexels:
        session = self._session
        session.fixed_views = views.split("tile", sheet.tile(tile.rendered))
        target.resize(sheet.target(tile.rendered))
        left = 1
        rendered = 0
        while rendered < left:
            if session.render(target) is None:
                raise UsageError("a tile cannot be rendered for lack of memory", hint="cut the picture into more tiles")
            rendered += 1
            left = frames_to_settle(session.runtime.plan)
            self._check_memory()
        self.frames += rendered
        return sheet.texels(tile, session.picture()[..., :3])

    def _check_memory(self) -> None:
        self.heap_bytes = max(self.heap_bytes, self._session.runtime.heap_bytes)
        if self.heap_bytes > self._memory:
            raise UsageError(
                f"a tile takes {self.heap_bytes / 2**20:.0f} MiB of transient memory, and "
                f"{self._memory / 2**20:.0f} MiB are allowed",
                hint="cut the picture into more tiles, such as --tiles 8x8, or take less border",
            )


def save_by_tiles(path: Path, session: Session, grid: TileGrid, on_rows: Callable[[int], None]) -> TiledScreenshot:
    """Write the picture as PNG, some rows after the other; ``on_rows`` is called with their number behind them.

    ``UsageError`` if the file cannot be written, and as ``TiledScreenshot`` says.
    """
    shot = TiledScreenshot(session, grid)
    try:
        with PngWriter(path, grid.picture) as file:
            for rows in shot.rows():
                file.write(rows)
                on_rows(len(rows))
    except OSError as error:
        raise cannot_save(path, error) from error
    return shot


def frames_to_settle(plan: Plan) -> int:
    """Frames until nothing of a still picture comes from what was shown before."""
    textures = {item.id for item in plan.graph.resources if isinstance(item.resource.desc, Texture)}
    looked_back = [use.resources for node in plan.graph.nodes for use in node.uses if use.history]
    if not looked_back:
        return 1
    return SETTLED if any(name in textures for names in looked_back for name in names) else 2

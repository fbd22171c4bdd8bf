"""Rendering of a large picture of a running game, tile by tile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
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
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import UsageError
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.types.resources import Extent, Texture

MEMORY = 1 << 30
"""Default limit of transient memory for a tile, in bytes."""

PREVIEW: Extent = (1280, 720)
"""Largest size of the preview frame that determines the exposure, if the device has rendered no frame before."""

SETTLED = 32
"""Frames after which temporally accumulated effects have converged."""


@dataclass(frozen=True)
class Moment:
    """A moment of a game. ``lines`` are its tiles, line by line from the top; ``texels`` renders one of them."""

    sheet: Sheet
    lines: tuple[tuple[GridTile, ...], ...]
    texels: Callable[[GridTile], SheetTexels]


class TiledScreenshot:
    """Renders the tiles of a grid one after another, each in frames of its own, in the same memory.

    With several views (players, eyes), each view is divided into the grid's tiles, and a frame renders the same tile of
    all of them. The number of texels is that of one view that fills the picture.

    The game time does not advance: cameras, objects and an automatic exposure keep the state of the last frame. If the
    device has rendered no frame yet, a small preview of the whole picture is rendered first. Effects that accumulate
    over time get ``SETTLED`` frames per tile; other effects with a history get two, because the first one's history is
    of another tile.
    """

    def __init__(
        self,
        session: Session,
        grid: TileGrid,
        *,
        memory: int = MEMORY,
        see: Callable[[FrameReport], None] = lambda report: None,
    ) -> None:
        """Rendering raises ``UsageError`` if a tile needs more than ``memory`` bytes, or if the views differ in size or
        are not arranged in rows. ``see`` is called behind each frame."""
        self._session = session
        self._grid = grid
        self._memory = memory
        self._see = see
        #: Largest transient memory so far, in bytes.
        self.heap_bytes = 0
        #: Number of frames so far.
        self.frames = 0

    def rows(self) -> Iterator[NDArray[np.uint8]]:
        """The picture from the top in bands of rows: uint8 (height, width, 3), sRGB-encoded."""
        with self.moment() as moment, Canvas(moment.sheet.picture, moment.sheet.wholes) as canvas:
            for line in moment.lines:
                tiles = ((tile.kept.x, moment.texels(tile)) for tile in line)
                yield from canvas.line(line[0].kept.height, tiles)
            yield from canvas.rest()

    @contextmanager
    def moment(self) -> Iterator[Moment]:
        """The moment of the last frame, whose tiles can be rendered in any order until the block ends."""
        session = self._session
        dynamic, session.dynamic_resolution = session.dynamic_resolution, None
        session.graph.set_dynamic_resolution("main_view", None)
        try:
            if session.runtime.target_texture is None:
                self._show_all()
            views = session.arrange(self._grid.picture)
            sheet = Sheet.of(views)
            grid = replace(self._grid, picture=sheet.extent)
            with closing(session.backend.create_target(grid.preview(PREVIEW))) as target:
                render = partial(self._texels, views, sheet, target)
                yield Moment(sheet, tuple(grid.lines(sheet.needs)), render)
        finally:
            session.fixed_views = None
            session.dynamic_resolution = dynamic

    def _show_all(self) -> None:
        """Render a frame of the whole picture; otherwise an automatic exposure would adapt to the first tile."""
        with closing(self._session.backend.create_target(self._grid.preview(PREVIEW))) as target:
            self._session.render(target)
            self._session.backend.wait_idle()

    def _texels(self, views: ViewSet, sheet: Sheet, target: Target, tile: GridTile) -> SheetTexels:
        session = self._session
        session.fixed_views = views.split("tile", sheet.tile(tile.rendered))
        target.resize(sheet.target(tile.rendered))
        left = 1
        rendered = 0
        while rendered < left:
            report = session.render(target)
            if report is None:
                raise UsageError("not enough memory to render a tile", hint="use more tiles")
            self._see(report)
            rendered += 1
            left = frames_to_settle(session.runtime.plan)
            self._check_memory()
        self.frames += rendered
        return sheet.texels(tile, session.picture()[..., :3])

    def _check_memory(self) -> None:
        self.heap_bytes = max(self.heap_bytes, self._session.runtime.heap_bytes)
        if self.heap_bytes > self._memory:
            raise UsageError(
                f"a tile needs {self.heap_bytes / 2**20:.0f} MiB of transient memory, "
                f"the limit is {self._memory / 2**20:.0f} MiB",
                hint="use more tiles, such as --tiles 8x8, or a smaller border",
            )


def save_by_tiles(path: Path, session: Session, grid: TileGrid, on_rows: Callable[[int], None]) -> TiledScreenshot:
    """Write the picture as PNG in bands of rows. ``on_rows`` is called with the number of rows after each band.

    Raises ``UsageError`` if the file cannot be written, and as ``TiledScreenshot`` does.
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
    """Frames until a static picture no longer depends on earlier frames."""
    textures = {item.id for item in plan.graph.resources if isinstance(item.resource.desc, Texture)}
    looked_back = [use.resources for node in plan.graph.nodes for use in node.uses if use.reads_history]
    if not looked_back:
        return 1
    return SETTLED if any(name in textures for names in looked_back for name in names) else 2

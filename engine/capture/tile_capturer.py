"""Captures a tile of a large screenshot."""

from __future__ import annotations

from typing import Any

from renderwright.engine.capture.capturer import Capturer, require_played, told_options, write_files
from renderwright.engine.capture.measured import MeasuredTimes
from renderwright.engine.capture.planned import title_of
from renderwright.engine.capture.played import played_capture
from renderwright.engine.frame_watcher import FrameWatcher
from renderwright.engine.options import CaptureOptions, PlayOptions
from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.errors import UsageError
from renderwright.render.runtime.frame_capture import CapturedFrame
from renderwright.render.runtime.frame_report import FrameReport

MEASURED = 4
"""Frames of the tile before the captured one, so that the GPU's times of some are known."""


def capturer_of(wanted: CaptureOptions, options: PlayOptions, grid: TileGrid | None) -> FrameWatcher:
    """The one that captures a frame, or a tile of it if its picture is rendered in tiles."""
    return Capturer(wanted, options) if grid is None else TileCapturer(wanted, options, grid)


class TileCapturer:
    """A ``FrameWatcher`` that ends the game at a frame, and captures a tile of its picture.

    The tile is rendered as often as its effects take to settle, as for the screenshot, and then once more.
    Raises ``UsageError`` for a tile that the picture has not.
    """

    def __init__(self, wanted: CaptureOptions, options: PlayOptions, grid: TileGrid) -> None:
        self._wanted = wanted
        self._options = options
        self._grid = grid
        many = grid.columns * grid.rows
        self._tile = wanted.tile if wanted.tile is not None else grid.rows // 2 * grid.columns + grid.columns // 2
        if self._tile >= many:
            raise UsageError(
                f"there is no tile {self._tile}: there are {many}", hint="tiles count from 0, line by line"
            )
        self._times = MeasuredTimes()
        self._captured: CapturedFrame | None = None
        self._resting: frozenset[str] = frozenset()

    def begin(self, session: Session, target: Target) -> None:
        """Nothing: frames of the whole picture are not captured."""

    def see(self, session: Session, report: FrameReport) -> None:
        """End the game at the frame."""
        if report.frame >= self._wanted.frame:
            session.context.request_quit()

    def finish(self, session: Session) -> None:
        """Render and capture the tile, and write the files. Raises ``UsageError``."""
        require_played(session, self._wanted.frame)
        self._times, self._captured = MeasuredTimes(), None  # also after a device loss
        session.runtime.times.every = 1
        shot = TiledScreenshot(session, self._grid, see=self._see)
        with shot.moment() as moment:
            tile = [tile for line in moment.lines for tile in line][self._tile]
            while shot.frames < MEASURED:
                moment.texels(tile)
            session.runtime.capture.ask(self._take)
            moment.texels(tile)
            assert self._captured is not None
            document = played_capture(
                session,
                self._captured,
                self._resting,
                self._times,
                title=title_of(self._options.game),
                options=self._told(),
                pixels=self._wanted.pixels,
            )
        columns, rows = self._grid.columns, self._grid.rows
        write_files(self._wanted, document, f"Tile {self._tile} of {columns}x{rows} of frame {self._wanted.frame}")

    def _see(self, report: FrameReport) -> None:
        captured = self._captured
        self._times.see(report, captured.frame if captured is not None else None)
        if captured is not None and captured.frame == report.frame:
            self._resting = report.resting

    def _take(self, captured: CapturedFrame) -> None:
        self._captured = captured

    def _told(self) -> dict[str, Any]:
        grid = self._grid
        tiles = {"tiles": f"{grid.columns}x{grid.rows}", "tile": self._tile, "tile_border": grid.border}
        return {**told_options(self._options), "size": list(grid.picture), **tiles}

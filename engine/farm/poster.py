"""Tiles of a large picture as pieces of work."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from renderwright.engine.farm.carried import LEAD
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.player import Player
from renderwright.engine.farm.stage import Stage
from renderwright.engine.farm.store import Store
from renderwright.engine.farm.texels import digest_of
from renderwright.engine.farm.versions import job_identity, job_versions
from renderwright.engine.farm.work import Made
from renderwright.engine.picture import cannot_save
from renderwright.engine.screenshot import PngWriter, TiledScreenshot, TileGrid
from renderwright.engine.screenshot.canvas import Canvas
from renderwright.engine.screenshot.sheet import SheetTexels
from renderwright.engine.screenshot.tiled import PREVIEW
from renderwright.engine.views import Rectangle
from renderwright.render.errors import CheckError

_LEVEL = 1


@dataclass(frozen=True)
class PosterWork:
    """The tiles of a job's frame; their numbers count line by line.

    Each worker plays to the frame and renders small ones of the whole picture on the way, from 0 on with
    ``from_start``. So all workers find the same exposure. ``one_by_one`` are tiles that take over textures from the
    tile before.
    """

    job: RenderJob
    script: str = ""
    from_start: bool = False
    one_by_one: bool = False

    @property
    def grid(self) -> TileGrid:
        """The tiles of the picture."""
        columns, rows = self.job.tiles or (1, 1)
        return TileGrid(self.job.size, columns, rows, self.job.tile_border)

    @property
    def in_one_run(self) -> bool:
        """Whether one worker renders all tiles."""
        return self.one_by_one

    def before(self, number: int) -> int:
        """The frames before that of the poster."""
        return self.job.frames.start

    def open(self) -> TileMaker:
        """Open a device and play to the frame."""
        return TileMaker(self)

    def run_from_start(self) -> PosterWork:
        """The same tiles, by one worker that has rendered all frames before."""
        return replace(self, from_start=True, one_by_one=True)

    def file_of(self, number: int) -> str:
        """``tile-2-3.z`` is in row 2 and column 3."""
        row, column = divmod(number, self.grid.columns)
        return f"tile-{row}-{column}.z"

    def source_of(self, number: int) -> str:
        """Nothing of its own."""
        return ""

    def title_of(self, number: int) -> str:
        """The row and the column."""
        row, column = divmod(number, self.grid.columns)
        return f"tile {row + 1}/{column + 1}"

    def identity(self) -> Mapping[str, str]:
        """The job with its frame."""
        return {**job_identity(self.job, self.script), "frame": str(self.job.frames.start)}

    def versions(self) -> Mapping[str, str]:
        """The engine, the game and the plugins."""
        return job_versions(self.job)


@dataclass(frozen=True)
class TileFile:
    """A tile as it is kept: its texels in each view, where the views are in the picture, and a digest of the small
    frame that was rendered before it."""

    texels: SheetTexels
    wholes: tuple[Rectangle, ...]
    before: str

    def data(self) -> bytes:
        """As bytes."""
        whole = io.BytesIO()
        np.savez(
            whole,
            views=np.stack(self.texels.views),
            background=self.texels.background,
            wholes=np.array([(one.x, one.y, one.width, one.height) for one in self.wholes]),
            before=np.array(self.before),
        )
        return zlib.compress(whole.getvalue(), _LEVEL)

    @classmethod
    def of(cls, data: bytes) -> TileFile:
        """From bytes."""
        with np.load(io.BytesIO(zlib.decompress(data)), allow_pickle=False) as arrays:
            texels = SheetTexels(tuple(arrays["views"]), arrays["background"])
            wholes = tuple(Rectangle(*(int(side) for side in whole)) for whole in arrays["wholes"])
            return cls(texels, wholes, str(arrays["before"]))


class TileMaker:
    """Renders tiles of one moment in this process."""

    def __init__(self, work: PosterWork) -> None:
        job, frame = work.job, work.job.frames.start
        self._stage = Stage(job, work.script, work.grid.preview(PREVIEW))
        self._open = ExitStack()
        self._open.callback(self._stage.close)
        try:
            warm_up = LEAD if job.warm_up is None else max(LEAD, job.warm_up)
            lead = None if work.from_start else warm_up
            Player(self._stage, lead=lead, exact=job.warm_up is None).show(frame)
            self._before = digest_of(self._stage.session.picture())
            shot = TiledScreenshot(self._stage.session, work.grid)
            self._moment = self._open.enter_context(shot.moment())
        except BaseException:
            self._open.close()
            raise
        self._tiles = [tile for line in self._moment.lines for tile in line]

    def make(self, number: int) -> Made:
        """Render a tile."""
        texels = self._moment.texels(self._tiles[number])
        file = TileFile(texels, self._moment.sheet.wholes, self._before)
        return Made(file.data(), digest_of(np.stack(texels.views)), self._stage.failed_plugins)

    def close(self) -> None:
        """End the game and close the device."""
        self._open.close()


def write_poster(path: Path, work: PosterWork, store: Store, on_rows: Callable[[int], None]) -> None:
    """Write the picture of all tiles, which the store has. ``on_rows`` is called with the rows of each band.

    Raises ``UsageError`` if it cannot be written, and ``CheckError`` if the tiles are of different moments.
    """
    first = TileFile.of(store.data(0))
    columns, rows = work.grid.columns, work.grid.rows
    lefts = [first.wholes[0].width * column // columns for column in range(columns)]
    try:
        with PngWriter(path, work.job.size) as file, Canvas(work.job.size, first.wholes) as canvas:
            for row in range(rows):
                tiles = [TileFile.of(store.data(row * columns + column)) for column in range(columns)]
                for column, tile in enumerate(tiles):
                    _require_same_moment(work, row * columns + column, tile, first)
                line = ((left, tile.texels) for left, tile in zip(lefts, tiles, strict=True))
                for band in canvas.line(tiles[0].texels.views[0].shape[0], line):
                    file.write(band)
                    on_rows(len(band))
            for band in canvas.rest():
                file.write(band)
                on_rows(len(band))
    except OSError as error:
        raise cannot_save(path, error) from error


def _require_same_moment(work: PosterWork, number: int, tile: TileFile, first: TileFile) -> None:
    if tile.before != first.before:
        raise CheckError(
            f"{work.title_of(number)} is of another moment than {work.title_of(0)}: the same frame was another picture",
            hint="its game takes time or random numbers from elsewhere than its context, or devices differ",
        )

"""Puts the tiles of several views together into the rows of one picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from tempfile import TemporaryFile
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.screenshot.sheet import SheetTexels
from renderwright.engine.views import Rectangle
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent

Rows = NDArray[np.uint8]


class Canvas:
    """A picture on which views lie beside and above each other; a context manager.

    All views get their lines of tiles at the same time, and the picture's rows are wanted from the top. So views below
    others wait in temporary files, and memory never holds more than a line of tiles.
    """

    def __init__(self, picture: Extent, views: Sequence[Rectangle]) -> None:
        """``UsageError`` for views that share only some of their rows."""
        self._picture = picture
        self._views = views
        #: The rows (first, behind the last) of views that lie beside each other, from the top.
        self._shelves = sorted({(view.y, view.y + view.height) for view in views})
        for (_, end), (start, _) in zip(self._shelves, self._shelves[1:], strict=False):
            if start < end:
                raise UsageError(
                    "views cannot be rendered by tiles if some lie neither beside nor above each other",
                    hint="leave --tiles out, or have the plugin that arranges the views put them in rows",
                )
        self._open = ExitStack()
        self._waiting: list[_Waiting] = []
        self._background = np.zeros(3, np.uint8)
        self._reached = 0

    def line(self, height: int, tiles: Iterable[tuple[int, SheetTexels]]) -> Iterator[Rows]:
        """Take the next line of tiles, each with the column where it begins in its view; the rows that are complete."""
        bands: list[Rows] = []
        for x, tile in tiles:
            if not bands:
                self._background = tile.background.copy()
                bands = [self._bare(height) for _ in self._shelves]
            for view, texels in zip(self._views, tile.views, strict=True):
                band = bands[self._shelves.index((view.y, view.y + view.height))]
                left = view.x + x
                band[:, left : left + texels.shape[1]] = texels
        top, *lower = bands
        yield from self._gap(self._shelves[0][0])
        yield top
        self._reached += height
        if not self._waiting:
            self._waiting = [self._open.enter_context(closing(_Waiting())) for _ in lower]
        for waiting, band in zip(self._waiting, lower, strict=True):
            waiting.put(band)

    def rest(self) -> Iterator[Rows]:
        """The rows that are left when all lines have been taken."""
        for (start, end), waiting in zip(self._shelves[1:], self._waiting, strict=True):
            yield from self._gap(start)
            yield from waiting.take()
            self._reached = end
        yield from self._gap(self._picture[1])

    def _gap(self, end: int) -> Iterator[Rows]:
        """Rows without a view, as far as that one."""
        if self._reached < end:
            yield self._bare(end - self._reached)
            self._reached = end

    def _bare(self, height: int) -> Rows:
        return np.full((height, self._picture[0], 3), self._background, np.uint8)

    def __enter__(self) -> Canvas:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()


class _Waiting:
    """Rows that wait for their turn in a file."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - close() does
        self._shapes: list[tuple[int, ...]] = []

    def put(self, rows: Rows) -> None:
        self._file.write(rows.tobytes())
        self._shapes.append(rows.shape)

    def take(self) -> Iterator[Rows]:
        self._file.seek(0)
        for shape in self._shapes:
            yield np.frombuffer(self._file.read(int(np.prod(shape))), np.uint8).reshape(shape)

    def close(self) -> None:
        self._file.close()

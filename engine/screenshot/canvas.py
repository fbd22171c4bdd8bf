"""Assembly of the tiles of several views into the rows of one picture."""

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
    """A picture with views side by side and stacked; a context manager.

    All views receive their lines of tiles at the same time, but the picture is output from the top. So rows of lower
    views are buffered in temporary files, and memory holds one line of tiles at most.
    """

    def __init__(self, picture: Extent, views: Sequence[Rectangle]) -> None:
        """Raises ``UsageError`` for views whose rows overlap only partly."""
        self._picture = picture
        self._views = views
        #: Row ranges (first, end) of views that are side by side, from the top.
        self._shelves = sorted({(view.y, view.y + view.height) for view in views})
        for (_, end), (start, _) in zip(self._shelves, self._shelves[1:], strict=False):
            if start < end:
                raise UsageError(
                    "views cannot be rendered in tiles unless they are arranged in rows",
                    hint="omit --tiles, or have the plugin that arranges the views put them in rows",
                )
        self._open = ExitStack()
        self._waiting: list[_Waiting] = []
        self._background = np.zeros(3, np.uint8)
        self._reached = 0

    def line(self, height: int, tiles: Iterable[tuple[int, SheetTexels]]) -> Iterator[Rows]:
        """Add the next line of tiles, each with its first column in its view. Yields the rows that are complete."""
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
        """Yield the remaining rows after the last line."""
        for (start, end), waiting in zip(self._shelves[1:], self._waiting, strict=True):
            yield from self._gap(start)
            yield from waiting.take()
            self._reached = end
        yield from self._gap(self._picture[1])

    def _gap(self, end: int) -> Iterator[Rows]:
        """Yield rows without a view up to row ``end``."""
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
    """Rows buffered in a temporary file."""

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

"""The views before plugins arrange them."""

from __future__ import annotations

from renderwright.engine.scene.camera import Camera
from renderwright.engine.views.view_set import ViewSet
from renderwright.render.types.resources import Extent


class PlainViews:
    """Makes the view set of the first camera over the whole output: the same object while nothing changes."""

    def __init__(self) -> None:
        self._last: ViewSet | None = None

    def of(self, cameras: tuple[Camera, ...], output: Extent, time: float) -> ViewSet:
        """The view set of these cameras, which are other objects where a camera has moved."""
        last = self._last
        if last is None or (output, time) != (last.output, last.time) or not _same(cameras, last.cameras):
            last = self._last = ViewSet.of(cameras, output, time)
        return last


def _same(cameras: tuple[Camera, ...], last: tuple[Camera, ...]) -> bool:
    return len(cameras) == len(last) and all(one is other for one, other in zip(cameras, last, strict=True))

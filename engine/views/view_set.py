"""All views of a frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Protocol

from renderwright.engine.scene.camera import Camera
from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.view import View
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent

VIEW = "view"
"""The dimension of players."""

EYE = "eye"
"""The dimension of eyes."""

VIEW_PLACES = "view_places"
"""The blob of ``ViewSet.without_cameras``, for nodes whose commands stay as they are while only cameras move."""

_NO_CAMERA = Camera()
_NO_FRUSTUM = _NO_CAMERA.frustum(1.0)


class Split(Protocol):
    """The repetition of a view over a dimension. Implementations are frozen values."""

    @property
    def count(self) -> int:
        """Number of repetitions, 1 or more."""

    def part(self, view: View, number: int) -> View:
        """Repetition ``number`` of a view. It shows nothing outside that view."""


@dataclass(frozen=True)
class ViewSet:
    """All views of a frame.

    ``output`` is the size of the output in texels, ``cameras`` holds the cameras of all players, ``time`` is the game
    time in seconds. ``views`` holds the visible players' views, ``splits`` the splits of each view by dimension, in the
    order of application. ``paced`` tells that a plugin has already waited for a display of its own; a window that
    mirrors it then does not wait for vertical sync. With ``upscaled_from``, a share from 0 to 1, the scene is rendered
    at that share of the pictures' width and height, and a plugin enlarges it; None if there is no such plugin.
    """

    output: Extent
    cameras: tuple[Camera, ...]
    views: tuple[View, ...]
    splits: tuple[tuple[str, Split], ...] = ()
    time: float = 0.0
    paced: bool = False
    upscaled_from: float | None = None

    @classmethod
    def of(cls, cameras: tuple[Camera, ...], output: Extent, time: float = 0.0) -> ViewSet:
        """The first camera's view over the whole output."""
        return cls(output, cameras, (View.of(cameras[0], Rectangle.of(output)),), (), time)

    # changing ------------------------------------------------------------------------------------------------------

    def showing(self, views: tuple[View, ...]) -> ViewSet:
        """A copy with other players' views."""
        return replace(self, views=views)

    def split(self, dimension: str, split: Split) -> ViewSet:
        """A copy with the views split over one more dimension. Raises ``UsageError`` if it is split already."""
        if dimension == VIEW or dimension in dict(self.splits):
            raise UsageError(
                f'the views are already split over the dimension "{dimension}"',
                hint="disable one of the plugins that split them; ViewSet.showing changes the players' views",
            )
        return replace(self, splits=(*self.splits, (dimension, split)))

    def upscaled(self, share: float) -> ViewSet:
        """A copy whose scene is rendered at ``share`` of the pictures' width and height (``upscaled_from``).

        Raises ``UsageError`` if the share is not between 0 and 1, or if another plugin has set one already.
        """
        if not 0.0 < share <= 1.0:
            raise UsageError(f"a picture cannot be upscaled from {share} of its size", hint="give a share up to 1")
        if self.upscaled_from is not None:
            raise UsageError("the pictures are upscaled already", hint="disable one of the plugins that upscale them")
        return replace(self, upscaled_from=share)

    def split_by(self, splits: Mapping[str, Split], dimensions: Iterable[str]) -> ViewSet:
        """A copy with further splits by dimension, checked for the skeleton's ``dimensions``."""
        if not splits:
            return self
        views = self
        for dimension, split in splits.items():
            views = views.split(dimension, split)
        views.check(dimensions)
        return views

    def without_cameras(self) -> ViewSet:
        """A copy that tells where the views are on the output and no more: it stays equal while only cameras move."""
        views = tuple(replace(view, camera=_NO_CAMERA, frustum=_NO_FRUSTUM) for view in self.views)
        return replace(self, cameras=(), views=views, time=0.0)

    # queries -------------------------------------------------------------------------------------------------------

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Number of instances by dimension."""
        return {VIEW: len(self.views), **{dimension: split.count for dimension, split in self.splits}}

    def whole(self, index: Mapping[str, int]) -> View:
        """A player's whole view."""
        return self.views[index.get(VIEW, 0)]

    def at(self, index: Mapping[str, int]) -> View:
        """The view of one instance. A missing dimension in the index counts as 0."""
        view = self.whole(index)
        for dimension, split in self.splits:
            view = split.part(view, index.get(dimension, 0))
        return view

    def instances(self) -> Iterator[tuple[dict[str, int], View]]:
        """Every index with its view."""
        dimensions = self.counts
        for numbers in product(*(range(count) for count in dimensions.values())):
            index = dict(zip(dimensions, numbers, strict=True))
            yield index, self.at(index)

    def places(self, index: Mapping[str, int]) -> tuple[tuple[Rectangle, tuple[int, int]], ...]:
        """Rectangles of a player's whole view on the output, each with the first texel of the view in it.

        There are several if the view is rendered in parts that are not adjacent on the output (``View.crop``).
        """
        whole = self.whole(index)
        if self.at(index).crop is None:
            return ((whole.rectangle, (0, 0)),)
        number = index.get(VIEW, 0)
        parts = [part for place, part in self.instances() if place[VIEW] == number]
        return tuple(dict.fromkeys((part.rectangle, _begin(part, whole)) for part in parts))

    @cached_property
    def viewport(self) -> Extent:
        """Size of the views' textures: the size of the pictures, or the maximum of each side if they differ."""
        sizes = [view.size or view.rectangle.extent for _, view in self.instances()]
        return max(width for width, _ in sizes), max(height for _, height in sizes)

    def check(self, dimensions: Iterable[str]) -> None:
        """Raises ``UsageError`` unless every view has a rectangle within the output.

        ``dimensions`` are the multiplexing dimensions of the skeleton. Other dimensions cannot have several instances.
        """
        if not self.views:
            raise UsageError("a frame needs a view", hint="show at least one of ViewSet.cameras")
        for dimension, count in self.counts.items():
            if count > 1 and dimension not in dimensions:
                raise UsageError(
                    f'the skeleton renders one picture only: no node multiplexes over the dimension "{dimension}"',
                    hint=f'add "{dimension}" to multiplex of the nodes that create the resources of each view',
                )
        for index, view in self.instances():
            if not view.rectangle.within(self.output):
                raise UsageError(
                    f"{view.rectangle} of view {index} is not within the output of {self.output[0]} x {self.output[1]}",
                    hint="give each view a rectangle of at least one texel on the output",
                )


def _begin(part: View, whole: View) -> tuple[int, int]:
    """The texel of a whole view at which a part of it begins."""
    assert part.crop is not None
    box, crop = whole.rectangle, part.crop
    return crop.whole.x + crop.part.x - box.x, crop.whole.y + crop.part.y - box.y

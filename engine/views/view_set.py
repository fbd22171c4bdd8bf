"""All views of a frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Protocol

from renderwright.engine.scene.camera import Camera
from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.view import View
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent

VIEW = "view"
"""The dimension of the players."""

EYE = "eye"
"""The dimension of a player's eyes."""


class Split(Protocol):
    """How a dimension repeats a view. Implementations are frozen values."""

    @property
    def count(self) -> int:
        """How often, 1 or more."""

    def part(self, view: View, number: int) -> View:
        """Repetition ``number`` of a view; it shows nothing outside that view."""


@dataclass(frozen=True)
class ViewSet:
    """Which views a frame has.

    ``output`` is the size of the output in texels, ``cameras`` are those of all players, ``time`` is the game's in
    seconds. ``views`` are the players' views that are shown, ``splits`` the dimensions that repeat each of them, by
    name, in the order in which they are applied. ``paced`` says that whoever arranged them has waited for a display of
    its own, so that a window, which then mirrors that, has to wait for none.
    """

    output: Extent
    cameras: tuple[Camera, ...]
    views: tuple[View, ...]
    splits: tuple[tuple[str, Split], ...] = ()
    time: float = 0.0
    paced: bool = False

    @classmethod
    def of(cls, cameras: tuple[Camera, ...], output: Extent, time: float = 0.0) -> ViewSet:
        """The first camera's view over the whole output."""
        return cls(output, cameras, (View.of(cameras[0], Rectangle.of(output)),), (), time)

    # changing ------------------------------------------------------------------------------------------------------

    def showing(self, views: tuple[View, ...]) -> ViewSet:
        """With other players' views."""
        return replace(self, views=views)

    def split(self, dimension: str, split: Split) -> ViewSet:
        """With the views split over one more dimension; ``UsageError`` if they are already split over it."""
        if dimension == VIEW or dimension in dict(self.splits):
            raise UsageError(
                f'the views are already split over the dimension "{dimension}"',
                hint="leave one of what splits them off; players' views are changed by ViewSet.showing",
            )
        return replace(self, splits=(*self.splits, (dimension, split)))

    # asking --------------------------------------------------------------------------------------------------------

    @property
    def counts(self) -> dict[str, int]:
        """Instances by dimension."""
        return {VIEW: len(self.views), **{dimension: split.count for dimension, split in self.splits}}

    def whole(self, index: Mapping[str, int]) -> View:
        """A player's whole view."""
        return self.views[index.get(VIEW, 0)]

    def at(self, index: Mapping[str, int]) -> View:
        """The view of one instance; a dimension that the index lacks counts as 0."""
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
        """Where a player's whole view lies on the output: a rectangle, and which texel of the view begins there.

        Several if the view is rendered in parts that are not put together on the output (``View.crop``).
        """
        whole = self.whole(index)
        if self.at(index).crop is None:
            return ((whole.rectangle, (0, 0)),)
        number = index.get(VIEW, 0)
        parts = [part for place, part in self.instances() if place[VIEW] == number]
        return tuple(dict.fromkeys((part.rectangle, _begin(part, whole)) for part in parts))

    @property
    def viewport(self) -> Extent:
        """The size of a view's textures: that of its pictures, or where these differ the largest sides."""
        sizes = [view.size or view.rectangle.extent for _, view in self.instances()]
        return max(width for width, _ in sizes), max(height for _, height in sizes)

    def check(self, dimensions: Iterable[str]) -> None:
        """``UsageError`` unless every view has a rectangle within the output.

        ``dimensions`` are those that the skeleton repeats its resources over; the others cannot have several instances.
        """
        if not self.views:
            raise UsageError("a frame needs a view", hint="show at least one of ViewSet.cameras")
        for dimension, count in self.counts.items():
            if count > 1 and dimension not in dimensions:
                raise UsageError(
                    f'the skeleton makes one picture only: it repeats nothing over the dimension "{dimension}"',
                    hint=f"have the nodes that create what there is for each {dimension} multiplex over it",
                )
        for index, view in self.instances():
            if not view.rectangle.within(self.output):
                raise UsageError(
                    f"{view.rectangle} of view {index} is not within the output of {self.output[0]} x {self.output[1]}",
                    hint="give each view a rectangle of at least one texel on the output",
                )


def _begin(part: View, whole: View) -> tuple[int, int]:
    """The texel of a whole view with which a part of it begins."""
    assert part.crop is not None
    box, crop = whole.rectangle, part.crop
    return crop.whole.x + crop.part.x - box.x, crop.whole.y + crop.part.y - box.y

"""The views of a plan that goes on while the plan for other views is being made."""

from __future__ import annotations

from dataclasses import replace

from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.view import View
from renderwright.engine.views.view_set import ViewSet
from renderwright.render.types.resources import Extent


def same_counts(one: ViewSet, other: ViewSet) -> bool:
    """Whether two sets repeat the nodes equally often over every dimension, so that one plan draws either."""
    first, second = (
        {dimension: count for dimension, count in views.counts.items() if count != 1} for views in (one, other)
    )
    return first == second


def held(shown: ViewSet, wanted: ViewSet) -> ViewSet:
    """As many views as were ``shown`` last, on the output and at the time of the ``wanted`` ones.

    A view that shows what a player's camera sees follows that camera as long as the player has one. All others stay as
    they are: eyes of a headset that has been taken off look where they looked last.
    """
    views = tuple(_held_view(view, shown, wanted) for view in shown.views)
    return replace(
        shown, output=wanted.output, cameras=wanted.cameras, views=views, time=wanted.time, paced=wanted.paced
    )


def _held_view(view: View, shown: ViewSet, wanted: ViewSet) -> View:
    rectangle = _scaled(view.rectangle, shown.output, wanted.output)
    view_of_camera = (
        view.player < len(shown.cameras)
        and view.camera is shown.cameras[view.player]
        and view.frustum == view.camera.frustum(view.rectangle.aspect)
    )
    if view_of_camera:
        cameras = wanted.cameras if view.player < len(wanted.cameras) else shown.cameras
        camera = cameras[view.player]
        return replace(view, camera=camera, frustum=camera.frustum(rectangle.aspect), rectangle=rectangle)
    return replace(view, rectangle=rectangle)


def _scaled(rectangle: Rectangle, old: Extent, new: Extent) -> Rectangle:
    """The same part of another output, of at least one texel."""
    if old == new:
        return rectangle
    left, width = _span(rectangle.x, rectangle.width, old[0], new[0])
    top, height = _span(rectangle.y, rectangle.height, old[1], new[1])
    return Rectangle(left, top, width, height)


def _span(start: int, length: int, old: int, new: int) -> tuple[int, int]:
    first = min(start * new // old, new - 1)
    return first, max(1, (start + length) * new // old - first)

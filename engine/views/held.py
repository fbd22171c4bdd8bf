"""The views of a plan that goes on while the plan for other views is being made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from renderwright.engine.scene import Camera
from renderwright.engine.views.rectangle import Rectangle
from renderwright.engine.views.view import View
from renderwright.engine.views.view_set import VIEW, ViewSet
from renderwright.render.types.resources import Extent


def views_behind(
    before: ViewSet, wanted: ViewSet, counts: Mapping[str, int], shown: Callable[[ViewSet], ViewSet]
) -> ViewSet:
    """The views of a plan that is for these ``counts`` by dimension, 1 where absent.

    ``shown`` arranges views of cameras as the plugins of that plan do. If the players are others than the plan is for,
    its views are those of the frame ``before``, or, if they do not fit either, those of as many players.
    """
    views = shown(_plain(wanted.cameras, wanted))
    if _fit(views, counts):
        return views
    if _fit(before, counts):
        return held(before, wanted)
    return shown(_plain(_cameras_of(counts.get(VIEW, 1), wanted.cameras, before.cameras), wanted))


def _plain(cameras: tuple[Camera, ...], wanted: ViewSet) -> ViewSet:
    return ViewSet.of(cameras, wanted.output, wanted.time)


def _fit(views: ViewSet, counts: Mapping[str, int]) -> bool:
    return all(views.counts.get(name, 1) == counts.get(name, 1) for name in {*views.counts, *counts})


def _cameras_of(players: int, now: Sequence[Camera], before: Sequence[Camera]) -> tuple[Camera, ...]:
    """The cameras of so many players: who has left still has the last one, or that of the last player."""
    there = (*now, *before[len(now) :])[:players]
    return there + there[-1:] * (players - len(there))


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

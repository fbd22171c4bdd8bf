"""Views of a plan that goes on while the plan for other views is made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.engine.views.held import held, same_counts


def two(output: tuple[int, int] = (64, 36), first: float = 0.0) -> ViewSet:
    """Two players beside each other; their cameras stand at ``first`` and beside it."""
    cameras = (Camera(glm.vec3(first, 0.0, 0.0)), Camera(glm.vec3(first + 1.0, 0.0, 0.0)))
    half = output[0] // 2
    places = (Rectangle(0, 0, half, output[1]), Rectangle(half, 0, half, output[1]))
    views = tuple(View.of(camera, place, n) for n, (camera, place) in enumerate(zip(cameras, places, strict=True)))
    return replace(ViewSet.of(cameras, output), views=views)


def test_counts_of_one_are_like_none() -> None:
    one = ViewSet.of((Camera(),), (64, 36))
    assert same_counts(one, replace(one, time=1.0))
    assert not same_counts(one, two())


def test_views_follow_their_players_cameras_and_keep_their_places() -> None:
    later = replace(two(first=5.0), time=2.0)
    shown = held(two(), later)
    assert [view.camera for view in shown.views] == list(later.cameras)
    assert [view.rectangle for view in shown.views] == [view.rectangle for view in two().views]
    assert shown.time == 2.0


def test_a_player_who_has_left_is_shown_where_he_was() -> None:
    before = two()
    alone = ViewSet.of((Camera(glm.vec3(9.0)),), (64, 36), 2.0)
    shown = held(before, alone)
    assert shown.views[0].camera is alone.cameras[0]
    assert shown.views[1].camera is before.views[1].camera
    again = held(shown, replace(alone, time=3.0))
    assert again.views[1].camera is before.views[1].camera


def test_what_is_not_a_cameras_view_stays_as_it_is() -> None:
    before = two()
    turned = replace(before.views[0], camera=Camera(glm.vec3(3.0)))
    before = replace(before, views=(turned, before.views[1]))
    assert held(before, two(first=5.0)).views[0] == turned


@pytest.mark.parametrize("output", [(128, 72), (63, 35), (7, 5), (2, 1)])
def test_places_follow_the_output(output: tuple[int, int]) -> None:
    shown = held(two(), ViewSet.of((Camera(),), output))
    assert all(view.rectangle.within(output) for view in shown.views)
    assert shown.views[1].rectangle.x == output[0] // 2
    assert shown.output == output

"""Views of a plan that goes on while the plan for other views is made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, View, ViewSet
from renderwright.engine.views.held import held, views_behind


def two(output: tuple[int, int] = (64, 36), first: float = 0.0) -> ViewSet:
    """Two players beside each other; their cameras stand at ``first`` and beside it."""
    cameras = (Camera(glm.vec3(first, 0.0, 0.0)), Camera(glm.vec3(first + 1.0, 0.0, 0.0)))
    half = output[0] // 2
    places = (Rectangle(0, 0, half, output[1]), Rectangle(half, 0, half, output[1]))
    views = tuple(View.of(camera, place, n) for n, (camera, place) in enumerate(zip(cameras, places, strict=True)))
    return replace(ViewSet.of(cameras, output), views=views)


def split(plain: ViewSet) -> ViewSet:
    """A view for each camera, as a split screen arranges them."""
    place = Rectangle.of(plain.output)
    return replace(plain, views=tuple(View.of(camera, place, n) for n, camera in enumerate(plain.cameras)))


def players(count: int) -> ViewSet:
    return split(ViewSet.of(tuple(Camera(glm.vec3(number)) for number in range(count)), (64, 36)))


def test_a_plan_shows_what_its_plugins_arrange_if_it_is_for_as_many() -> None:
    before, wanted = ViewSet.of((Camera(),), (64, 36)), two()
    assert views_behind(before, wanted, {"view": 2}, split) == split(ViewSet.of(wanted.cameras, wanted.output))


@pytest.mark.parametrize("counts", [{}, {"view": 1}, {"view": 1, "eye": 1}])
def test_else_it_shows_the_views_before(counts: dict[str, int]) -> None:
    before, wanted = ViewSet.of((Camera(),), (64, 36)), replace(two(), time=1.0)
    assert views_behind(before, wanted, counts, split) == held(before, wanted)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize(("before", "now"), [(1, 4), (4, 1), (1, 1)])
def test_it_always_shows_as_many_views_as_it_is_for(count: int, before: int, now: int) -> None:
    wanted = players(now)
    shown = views_behind(players(before), wanted, {"view": count}, split)
    assert len(shown.views) == count
    assert [view.camera for view in shown.views[:now]] == list(wanted.cameras[:count])


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

"""Where the players' views lie."""

from __future__ import annotations

import pytest

from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, ViewSet
from renderwright.plugins.split_screen import SplitScreenSettings, renderwright_views
from renderwright.plugins.split_screen.layout import rectangles
from renderwright.plugins.split_screen.settings import Layout

OUTPUTS = [(1280, 720), (719, 403), (97, 211), (5, 4), (1, 1)]


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("layout", Layout)
def test_views_are_of_one_size_on_the_output_and_apart(layout: Layout, players: int, output: tuple[int, int]) -> None:
    places = rectangles(layout, players, output, gap=2)
    assert len(places) == players
    assert len({place.extent for place in places}) == 1
    assert all(place.within(output) for place in places)
    if min(output) < 40:
        return
    for number, one in enumerate(places):
        for other in places[:number]:
            beside = one.x >= other.x + other.width + 2 or other.x >= one.x + one.width + 2
            below = one.y >= other.y + other.height + 2 or other.y >= one.y + one.height + 2
            assert beside or below
    assert sum(place.width * place.height for place in places) > 0.7 * output[0] * output[1]


def test_the_layouts() -> None:
    wide, tall = (1000, 500), (500, 1000)
    assert rectangles(Layout.AUTO, 2, wide, 10) == rectangles(Layout.SIDE_BY_SIDE, 2, wide, 10)
    assert rectangles(Layout.AUTO, 2, tall, 10) == rectangles(Layout.STACKED, 2, tall, 10)
    assert rectangles(Layout.AUTO, 4, wide, 10) == rectangles(Layout.GRID, 4, wide, 10)
    assert rectangles(Layout.SIDE_BY_SIDE, 2, wide, 10) == (Rectangle(0, 0, 495, 500), Rectangle(505, 0, 495, 500))
    assert rectangles(Layout.STACKED, 2, wide, 10) == (Rectangle(0, 0, 1000, 245), Rectangle(0, 255, 1000, 245))
    assert rectangles(Layout.GRID, 3, wide, 10) == (
        Rectangle(0, 0, 495, 245),
        Rectangle(505, 0, 495, 245),
        Rectangle(252, 255, 495, 245),
    )
    assert rectangles(Layout.AUTO, 1, wide, 10) == (Rectangle.of(wide),)


def test_each_camera_gets_a_view_in_the_shape_of_its_rectangle() -> None:
    cameras = tuple(Camera(fov_y=0.5 + number / 10) for number in range(6))
    views = renderwright_views(ViewSet.of(cameras, (800, 600)), SplitScreenSettings())
    assert [view.player for view in views.views] == [0, 1, 2, 3]
    for view, camera in zip(views.views, cameras, strict=False):
        assert view.camera is camera
        assert view.frustum == camera.frustum(view.rectangle.aspect)


def test_one_player_has_the_whole_output() -> None:
    views = ViewSet.of((Camera(),), (800, 600))
    assert renderwright_views(views, SplitScreenSettings()) is views


def test_the_gap_follows_the_output() -> None:
    settings = SplitScreenSettings(separator=4)
    assert [settings.gap((16, height)) for height in (720, 1440, 90)] == [4, 8, 1]
    assert SplitScreenSettings(separator=0).gap((1280, 720)) == 0

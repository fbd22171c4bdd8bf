"""A HUD for each player whose view is shown."""

from __future__ import annotations

from dataclasses import replace

from renderwright.engine.hud.players import PlayerHuds
from renderwright.engine.renderer.hud import HudVertices
from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, View


def views(*places: Rectangle) -> tuple[View, ...]:
    return tuple(View.of(Camera(), place, player) for player, place in enumerate(places))


def test_huds_are_as_many_and_as_large_as_the_views() -> None:
    huds = PlayerHuds((1280, 720))
    first = huds.shown[0]
    assert not huds.fit(views(Rectangle(0, 0, 1280, 720)))
    first.text(0, 0, "one")
    assert huds.fit(views(Rectangle(0, 0, 640, 720), Rectangle(640, 0, 640, 720)))
    assert huds.shown[0] is first
    assert [(hud.width, hud.height) for hud in huds.shown] == [(640, 720), (640, 720)]
    assert len(first.vertices()) == 0, "what was written for another shape is gone"
    assert not huds.fit(views(Rectangle(0, 0, 640, 720), Rectangle(640, 0, 640, 720)))
    assert huds.fit(views(Rectangle(0, 0, 640, 720)))
    assert huds.shown == (first,)


def test_a_panel_gives_the_size_in_place_of_the_rectangle() -> None:
    huds = PlayerHuds((1280, 720))
    (view,) = views(Rectangle(0, 0, 1280, 720))
    huds.fit((replace(view, hud_panel=(1024, 768)),))
    assert huds.shown[0].width / huds.shown[0].height == 1024 / 768


def test_all_are_in_one_vertex_buffer() -> None:
    huds = PlayerHuds((640, 360))
    huds.fit(views(Rectangle(0, 0, 320, 360), Rectangle(320, 0, 320, 360)))
    huds.shown[0].rect(0, 0, 10, 10, (1, 1, 1, 1))
    huds.shown[1].text(0, 0, "two")
    together = HudVertices.of(huds.vertices())
    (start, count), (second, rest) = together.spans
    assert (start, count, second) == (0, 6, 6)
    assert len(together.vertices) == count + rest
    assert (together.vertices[second:] == huds.shown[1].vertices()).all()
    assert together.span(5) == (0, 0)
    huds.clear()
    assert HudVertices.of(huds.vertices()).spans == ((0, 0), (0, 0))

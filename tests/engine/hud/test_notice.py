"""A text over the picture that is not the game's."""

from __future__ import annotations

import numpy as np

from renderwright.engine.hud.layout import Hud
from renderwright.engine.hud.notice import MARGIN, Notice
from renderwright.engine.hud.players import PlayerHuds

NOTHING = np.zeros((0, 8), np.float32)


def test_without_a_text_the_players_triangles_stay_the_same_array() -> None:
    huds = PlayerHuds((640, 360))
    huds.shown[0].text(1, 1, "score")
    below = huds.shown[0].vertices()
    assert huds.vertices()[0] is below
    huds.notice.show("wrong")
    over = huds.vertices()[0]
    assert np.array_equal(over[: len(below)], below)
    assert len(over) > len(below)
    assert huds.vertices()[0] is over
    huds.notice.show("")
    assert huds.vertices()[0] is below


def test_the_game_cannot_clear_it() -> None:
    huds = PlayerHuds((640, 360))
    huds.notice.show("wrong")
    huds.clear()
    assert len(huds.vertices()[0])


def test_long_lines_are_broken_and_too_many_are_left_out() -> None:
    for text in ("word " * 200, "x" * 1000, "/a/path/of/names" * 60, "line\n" * 500):
        hud = Hud(640, 360)
        notice = Notice(hud)
        notice.show(text)
        triangles = notice.over(NOTHING)
        assert len(triangles)
        assert triangles[:, 0].max() <= 640 - MARGIN * hud.scale + 2
        assert triangles[:, 1].max() <= 360


def test_a_picture_without_room_shows_nothing() -> None:
    notice = Notice(Hud(24, 16))
    notice.show("wrong")
    assert len(notice.over(NOTHING)) == 0


def test_another_size_draws_it_anew() -> None:
    notice = Notice(Hud(640, 360))
    notice.show("word " * 100)
    before = notice.over(NOTHING)
    notice.resize(320, 360)
    assert len(notice.over(NOTHING)) > 0
    assert notice.over(NOTHING)[:, 0].max() < before[:, 0].max()

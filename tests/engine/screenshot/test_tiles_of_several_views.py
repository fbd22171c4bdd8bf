"""Large pictures of several views by tiles: each view as it is at once, and what lies between them, too."""

from __future__ import annotations

import numpy as np
import pytest
from tiled_play import EXTENT, Play, as_at_once, difference

from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.engine.views import Rectangle, View
from renderwright.render.errors import UsageError

pytestmark = pytest.mark.vulkan


@pytest.mark.parametrize(
    ("players", "layout", "picture", "grid"),
    [
        (2, "side_by_side", (128, 64), (2, 2)),
        (2, "stacked", EXTENT, (1, 3)),
        (3, "grid", (191, 127), (2, 2)),
        (4, "auto", EXTENT, (3, 2)),
    ],
)
def test_views_with_huds_and_separators_are_what_is_rendered_at_once(
    play: Play, players: int, layout: str, picture: tuple[int, int], grid: tuple[int, int]
) -> None:
    running = play(
        "split_screen", players=players, split_screen__layout=layout, split_screen__color="[0.5,0.1,0.3]",
        split_screen__separator="30",
    )  # fmt: skip
    assert as_at_once(running.tiled(*grid, picture=picture), running.still(picture=picture))


def test_what_no_view_covers_is_the_same_to_the_byte(play: Play) -> None:
    running = play("split_screen", players=3, split_screen__separator="30", split_screen__color="[0.5,0.1,0.3]")
    at_once, tiled = running.still(), running.tiled(2, 2)
    covered = np.zeros(at_once.shape[:2], bool)
    for view in running.session.arrange(EXTENT).views:
        box = view.rectangle
        covered[box.y : box.y + box.height, box.x : box.x + box.width] = True
    assert 0.2 < np.count_nonzero(~covered) / covered.size < 0.6
    assert np.array_equal(tiled[~covered], at_once[~covered])


def test_eyes_without_a_lens_are_what_is_rendered_at_once(play: Play) -> None:
    running = play("vr", vr__k1="0", vr__k2="0", vr__spread="0")
    assert as_at_once(running.tiled(2, 2), running.still())


@pytest.mark.parametrize("grid", [(2, 2), (3, 4)])
def test_a_lens_reaches_across_tiles(play: Play, grid: tuple[int, int]) -> None:
    running = play("vr", vr__k1="0.3", vr__k2="0.1", vr__spread="0.02")
    apart = difference(running.tiled(*grid), running.still())
    # What is filtered is rounded once more than without a lens.
    assert np.count_nonzero(apart > 1) <= 0.005 * apart.size


def test_eyes_of_several_players_supersampled(play: Play) -> None:
    running = play("split_screen", "vr", "ssaa", players=2, ssaa__samples="4")
    apart = difference(running.tiled(2, 1), running.still())
    assert np.count_nonzero(apart > 1) <= 0.005 * apart.size


def test_supersampled_views(play: Play) -> None:
    running = play("split_screen", "ssaa", players=2, ssaa__samples="4")
    assert as_at_once(running.tiled(2, 2), running.still())


def test_effects_that_look_around_need_their_border_in_each_view(play: Play) -> None:
    running = play("split_screen", "bloom", players=2, bloom__intensity="0.3")
    assert difference(running.tiled(1, 2, 64), running.still()).max() <= 2


def test_each_player_keeps_an_exposure(play: Play) -> None:
    running = play("split_screen", players=2, tonemap__auto_exposure="true")
    running.play(20)
    at_once = running.still(2)
    assert as_at_once(running.tiled(2, 2), at_once)
    assert np.array_equal(running.still(2), at_once)


def test_a_tile_of_all_views_takes_no_more_memory_than_one_of_a_single_view(play: Play) -> None:
    heaps = []
    for players in (1, 4):
        running = play("split_screen", "bloom", players=players, split_screen__separator="0")
        shot = TiledScreenshot(running.session, TileGrid((2048, 1024), 2, 2))
        assert sum(len(rows) for rows in shot.rows()) == 1024
        heaps.append(shot.heap_bytes)
    assert heaps[1] <= 1.1 * heaps[0]


@pytest.mark.parametrize(
    ("rectangles", "problem"),
    [
        ((Rectangle(0, 0, 96, 128), Rectangle(96, 0, 40, 40)), "several sizes cannot be rendered in tiles: 96 x 128"),
        ((Rectangle(0, 0, 96, 64), Rectangle(96, 32, 96, 64)), "unless they are arranged in rows"),
    ],
)
def test_views_that_make_no_rows_are_refused(
    play: Play, monkeypatch: pytest.MonkeyPatch, rectangles: tuple[Rectangle, ...], problem: str
) -> None:
    running = play()
    views = running.session.arrange(EXTENT)
    shown = views.showing(tuple(View.of(views.cameras[0], one) for one in rectangles))
    monkeypatch.setattr(running.session, "arrange", lambda output: shown)
    with pytest.raises(UsageError, match=problem):
        running.tiled(2, 2)

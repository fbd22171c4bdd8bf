"""The HUDs in views of all sizes: texts lie beside each other and inside of the picture."""

from __future__ import annotations

import pytest
from measured_hud import Measured, assert_apart

from renderwright.engine.hud import Hud
from renderwright.games.marbles.hud_view import HudOptions
from renderwright.games.marbles.level_file import load_levels
from renderwright.games.marbles.menu import LevelMenu
from renderwright.games.marbles.menu_view import draw_menu
from renderwright.games.marbles.race import Race
from renderwright.games.marbles.race_hud import draw_race_hud
from renderwright.games.marbles.rounds import Phase

LEVELS = load_levels()
SIZES = ((239, 135), (319, 179), (640, 360), (1920, 1080))
"""Of one of four views of windows from 480 x 270 on."""


def race(phase: Phase, winners: tuple[int, ...] = ()) -> Race:
    made = Race(LEVELS, 4)
    made.scores[:] = [1250, 12980, 40, 12980]
    made.wins[:] = [3, 12, 0, 1]
    made.phase, made.winners = phase, winners
    return made


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("options", [HudOptions(), HudOptions(help=True), HudOptions(help=True, paused=True)])
@pytest.mark.parametrize(
    ("phase", "winners"),
    [(Phase.PLAYING, ()), (Phase.CLEARED, (0, 2)), (Phase.CLEARED, (1,)), (Phase.WON, ()), (Phase.LOST, ())],
)
def test_the_texts_of_a_race_are_apart(
    size: tuple[int, int], options: HudOptions, phase: Phase, winners: tuple[int, ...]
) -> None:
    for player in range(4):
        hud = Measured(*size)
        draw_race_hud(hud, race(phase, winners), player, options)
        assert len(hud.texts) > 8
        assert_apart(hud)


def test_a_view_of_a_few_texels_has_a_hud_as_well() -> None:
    for phase in (Phase.PLAYING, Phase.WON):
        hud = Hud(40, 22)
        draw_race_hud(hud, race(phase), 3, HudOptions())
        assert len(hud.vertices()) > 0


def test_winners_are_told_in_words() -> None:
    said = []
    for winners in ((2,), (0, 2)):
        hud = Measured(640, 360)
        draw_race_hud(hud, race(Phase.CLEARED, winners), 1, HudOptions())
        said += [string for string, _ in hud.texts if "win" in string]
    assert said == ["Player 3 wins", "Player 1 and Player 3 win"]


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_shows_the_levels_around_its_cursor(size: tuple[int, int]) -> None:
    for cursor, level in enumerate(LEVELS):
        menu = LevelMenu(len(LEVELS))
        menu.toggle(cursor)
        hud = Measured(*size)
        draw_menu(hud, menu, LEVELS, {0: 12.0, 3: 99.0})
        assert_apart(hud)
        assert level.settings.name in [string for string, _ in hud.texts]

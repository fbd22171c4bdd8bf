"""The choice of a level, its keys, and what the HUD shows of progress."""

from __future__ import annotations

import pytest

from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.hud import Hud
from renderwright.games.marbles import Marbles
from renderwright.games.marbles.level_file import load_levels
from renderwright.games.marbles.menu import LevelMenu
from renderwright.games.marbles.menu_view import draw_menu
from renderwright.games.marbles.physics import STEP


def started(players: int = 1) -> tuple[Marbles, GameContext, GameRunner]:
    game, context = Marbles(), GameContext(players=players)
    runner = GameRunner(game, context)
    runner.start()
    return game, context, runner


def tap(context: GameContext, runner: GameRunner, *keys: str) -> None:
    for key in keys:
        context.input.press(key)
        context.input.release(key)
        runner.frame(STEP)


def said(hud: Hud) -> list[str]:
    texts: list[str] = []
    hud.text = lambda x, y, string, *rest, **more: texts.append(string)  # type: ignore[method-assign]
    return texts


def test_the_cursor_goes_around() -> None:
    menu = LevelMenu(8)
    menu.toggle(6)
    assert menu.open
    menu.move(1)
    menu.move(1)
    assert menu.cursor == 0
    menu.move(-1)
    assert menu.cursor == 7
    menu.toggle(0)
    assert not menu.open


def test_a_level_is_chosen_in_the_menu_while_the_game_stands_still() -> None:
    game, context, runner = started()
    tap(context, runner, "tab")
    time = game.rules.time
    tap(context, runner, "down", "s", "up", "down")
    assert (game.menu.cursor, game.rules.time) == (2, time)
    tap(context, runner, "enter")
    assert (game.rules.level_index, game.menu.open) == (2, False)
    assert game.rules.time == pytest.approx(STEP)


def test_escape_leaves_the_menu_and_not_the_game() -> None:
    game, context, runner = started()
    tap(context, runner, "tab", "escape")
    assert not game.menu.open
    assert not context.quit_requested
    assert game.rules.level_index == 0


def test_a_pause_ends_with_the_choice_of_a_level() -> None:
    game, context, runner = started()
    tap(context, runner, "p", "tab", "down", "enter")
    assert not game.paused


@pytest.mark.parametrize("players", [1, 2])
def test_digits_choose_a_level_at_once(players: int) -> None:
    game, context, runner = started(players)
    for number in range(1, len(load_levels()) + 1):
        tap(context, runner, str(number))
        assert game.rules.level_index == number - 1
    tap(context, runner, "9")
    assert game.rules.level_index == 7, "there is no ninth level"


def test_the_menu_tells_names_times_and_progress() -> None:
    hud, menu = Hud(1280, 720), LevelMenu(8)
    texts = said(hud)
    draw_menu(hud, menu, load_levels(), {0: 12.5, 3: 70.0})
    assert "2 of 8 cleared" in texts
    assert "0:12.5" in texts
    assert "par 0:35.0" in texts
    assert sum("★" in text for text in texts) == 1, "the fourth level took longer than its par time"
    assert set(texts) >= {level.settings.name for level in load_levels()}


@pytest.mark.parametrize("extent", [(1280, 720), (640, 360), (500, 900)])
def test_the_menu_is_inside_the_picture(extent: tuple[int, int]) -> None:
    hud, menu = Hud(*extent), LevelMenu(8)
    boxes: list[tuple[float, ...]] = []
    hud.rect = lambda x, y, w, h, color: boxes.append((x, y, x + w, y + h))  # type: ignore[method-assign]
    draw_menu(hud, menu, load_levels(), {})
    assert min(min(box) for box in boxes) >= 0.0
    assert max(box[2] for box in boxes) <= hud.width
    assert max(box[3] for box in boxes) <= hud.height


def test_all_players_of_a_race_see_the_menu() -> None:
    huds = (Hud(640, 360), Hud(640, 360))
    game, context = Marbles(), GameContext(players=2, hud=huds[0], huds=huds)
    runner = GameRunner(game, context)
    runner.start()
    texts = [said(hud) for hud in huds]
    tap(context, runner, "tab")
    assert all("Levels" in one for one in texts)


def test_the_menu_stands_alone() -> None:
    hud = Hud(1280, 720)
    game, context = Marbles(), GameContext(hud=hud)
    runner = GameRunner(game, context)
    runner.start()
    texts = said(hud)
    tap(context, runner, "tab")
    assert "Levels" in texts
    assert "Score 0" not in texts, "texts of the game would shine through those of the menu"

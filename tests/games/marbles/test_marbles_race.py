"""Two to four players: the race's rules, its keys, cameras and HUDs."""

import pytest

from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.hud import Hud
from renderwright.games.marbles import Marbles
from renderwright.games.marbles.course import build_course
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.level_file import load_levels, parse_level
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.race import WIN_SCORE, Race, start_spots
from renderwright.games.marbles.rounds import CLEARED_DELAY, COIN_SCORE, Hand, Phase
from renderwright.games.marbles.rules import Rules

RIGHT, LEFT, REST = Hand(right=1.0), Hand(right=-1.0), Hand()


def level(*rows: str, time_limit: float = 60.0) -> Level:
    text = f"name: Lanes\npar_time: 20\ntime_limit: {time_limit}\nmap: |\n"
    wall = "#" * len(rows[0])
    return parse_level(text + "".join(f"  {row}\n" for row in (wall, *rows, wall)), "test.yaml")


LANES = level("S.*...G", ".......", ".....O.")
"""A start with a goal in its row, open floor below it, and a hole below that. The second player starts ahead."""


def play(race: Race, hands: tuple[Hand, ...], seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        race.step(hands)


def started(players: int, huds: tuple[Hud, ...] = ()) -> tuple[Marbles, GameContext, GameRunner]:
    game = Marbles()
    context = GameContext(players=players, hud=huds[0], huds=huds) if huds else GameContext(players=players)
    runner = GameRunner(game, context)
    runner.start()
    return game, context, runner


def test_each_tilts_the_board_for_the_own_marble_alone() -> None:
    race = Race([LANES], 2)
    first, second = (marble.position for marble in race.marbles)
    play(race, (RIGHT, REST), 0.5)
    assert race.marbles[0].position[0] > first[0] + 0.2
    assert race.marbles[1].position == pytest.approx(second)
    assert race.tilt.roll == pytest.approx(race.tilts[0].roll / 2), "what is seen is the mean"


def test_the_first_in_a_goal_wins_the_round() -> None:
    race = Race([LANES, LANES], 2)
    play(race, (REST, RIGHT), 4.0)
    assert (race.phase, race.winners) == (Phase.CLEARED, (1,))
    assert race.scores == [0, WIN_SCORE + COIN_SCORE]
    assert race.wins == [0, 1]
    play(race, (REST, REST), CLEARED_DELAY)
    assert (race.level_index, race.phase) == (1, Phase.PLAYING)
    assert race.scores == [0, WIN_SCORE + COIN_SCORE]


def test_a_fall_costs_time_and_nothing_else() -> None:
    race = Race([LANES], 2)
    hole = next(pit for pit in race.course.pits if pit.kind.name == "HOLE")
    race.marbles[1].position = (hole.x, 0.3, hole.z)
    play(race, (REST, REST), 2.0)
    assert race.phase is Phase.PLAYING
    assert race.marbles[1].captured is None
    assert race.marbles[1].position[0] == pytest.approx(race.starts[1].x)
    assert race.marbles[1].position[2] == pytest.approx(race.starts[1].z)


def test_time_runs_out_for_all_and_the_round_can_be_played_again() -> None:
    race = Race([level("S.....G", ".......", time_limit=0.5)], 2)
    play(race, (REST, REST), 0.6)
    assert race.phase is Phase.LOST
    race.restart()
    assert (race.phase, race.time) == (Phase.PLAYING, 0.0)


def test_the_last_round_ends_the_race_and_restart_begins_it_again() -> None:
    race = Race([LANES], 2)
    play(race, (REST, RIGHT), 4.0)
    race.next_level()
    assert race.phase is Phase.WON
    assert race.leaders() == (1,)
    race.restart()
    assert (race.phase, race.scores, race.wins) == (Phase.PLAYING, [0, 0], [0, 0])


def test_skipping_a_level_takes_its_points_back() -> None:
    race = Race([LANES, LANES], 2)
    play(race, (REST, RIGHT), 1.2)
    assert race.scores == [0, COIN_SCORE]
    race.next_level()
    assert (race.level_index, race.scores) == (1, [0, 0])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_level_has_a_place_on_the_floor_for_everybody(players: int) -> None:
    for number, one in enumerate(load_levels()):
        course = build_course(one)
        spots = start_spots(one, course, players, turn=number)
        assert len(set(spots)) == players
        blocked = {"WALL", "HOLE", "GOAL", "BUMPER"}
        assert not {one.tile(course.cell(spot.x, spot.z)).name for spot in spots} & blocked
        assert set(spots) == set(start_spots(one, course, players, turn=number + 1))


def test_places_are_taken_in_turn() -> None:
    course = build_course(LANES)
    assert start_spots(LANES, course, 2, 0) == start_spots(LANES, course, 2, 1)[::-1]


@pytest.mark.parametrize("players", [1, 5])
def test_a_race_is_for_two_to_four(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 4"):
        Race([LANES], players)


@pytest.mark.parametrize(("key", "player"), [("d", 0), ("right", 1), ("l", 2), ("num_6", 3)])
def test_each_player_has_keys(key: str, player: int) -> None:
    game, context, runner = started(4)
    context.input.press(key)
    for _ in range(20):
        runner.frame(STEP)
    assert isinstance(game.rules, Race)
    assert [tilt.roll > 0.01 for tilt in game.rules.tilts] == [number == player for number in range(4)]


def test_each_player_has_a_camera_that_follows_the_own_marble() -> None:
    _, context, runner = started(2)
    assert len(context.scene.cameras) == 2
    runner.frame(STEP)
    first, second = (camera.target.x for camera in context.scene.cameras)
    context.input.press("right")
    for _ in range(240):
        runner.frame(STEP)
    assert context.scene.cameras[1].target.x > second + 1.0
    assert context.scene.cameras[0].target.x == pytest.approx(first, abs=0.01)


def test_players_come_and_go_in_mid_game() -> None:
    game, context, runner = started(1)
    entities = len(context.scene)
    context.input.press("n")
    runner.frame(STEP)
    for players in (3, 2, 1):
        context.players = players
        runner.frame(STEP)
        assert isinstance(game.rules, Race if players > 1 else Rules)
        assert len(game.rules.marbles) == max(players, len(game.rules.course.starts) if players == 1 else 0)
        assert len(context.scene.cameras) == players
        assert game.rules.level_index == 1, "the level goes on"
    context.players = 1
    context.input.press("r")
    runner.frame(STEP)
    assert abs(len(context.scene) - entities) < 40, "no board is left behind"


def test_the_same_input_plays_the_same_race() -> None:
    places = []
    for _ in range(2):
        game, context, runner = started(3)
        for key, frames in (("d", 50), ("up", 60), ("k", 90)):
            context.input.press(key)
            for _ in range(frames):
                runner.frame(STEP)
        places.append([marble.position for marble in game.rules.marbles])
    assert places[0] == places[1]


def test_the_huds_tell_who_has_won() -> None:
    huds = (Hud(640, 360), Hud(640, 360))
    game, _, _ = started(2, huds)
    said: list[list[str]] = []
    for hud in huds:
        texts: list[str] = []
        said.append(texts)
        hud.text = lambda x, y, string, *rest, into=texts, **more: into.append(string)  # type: ignore[method-assign]
    game.rules.phase, game.rules.winners = Phase.CLEARED, (1,)
    game.draw(1.0)
    assert "Player 2 wins" in said[0]
    assert "You win!" in said[1]
    assert "Player 1" in said[0]
    game.rules.phase, game.rules.scores = Phase.WON, [300, 300]
    game.draw(1.0)
    assert "Player 1 and Player 2 won the race" in said[1]

"""Lives, homes, coins, time and the way through the levels."""

import pytest

from renderwright.games.marbles.course import MARBLE_RADIUS, PitKind
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.level_file import parse_level
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.rounds import CLEARED_DELAY, COIN_SCORE, Hand, Phase
from renderwright.games.marbles.rules import HOME_SCORE, Loss, Rules

RIGHT, LEFT, REST = Hand(right=1.0), Hand(right=-1.0), Hand()


def level(row: str, *, lives: int = 2, time_limit: float = 60.0) -> Level:
    """A level whose marbles roll along one corridor."""
    wall = "#" * len(row)
    text = f"name: Corridor\nlives: {lives}\npar_time: 20\ntime_limit: {time_limit}\nmap: |\n"
    return parse_level(text + "".join(f"  {line}\n" for line in (wall, row, wall, wall)), "test.yaml")


def play(rules: Rules, hand: Hand, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        rules.step(hand)


def test_a_marble_in_its_goal_clears_the_level() -> None:
    rules = Rules([level("S..*..G"), level("S.....G")])
    play(rules, RIGHT, 4.0)
    assert rules.phase is Phase.CLEARED
    assert rules.homes == 1
    assert rules.coins_left == set()
    assert rules.time < 4.0
    assert rules.time == rules.steps * STEP
    assert rules.score > COIN_SCORE + HOME_SCORE, "and something for time and lives"


def test_the_next_level_starts_after_the_summary_and_keeps_the_score() -> None:
    rules = Rules([level("S..*..G"), level("S.....G")])
    play(rules, RIGHT, 3.0)
    score = rules.score
    play(rules, REST, CLEARED_DELAY)
    assert (rules.level_index, rules.phase) == (1, Phase.PLAYING)
    assert rules.score == score
    assert rules.homes == 0


def test_clearing_the_last_level_wins_and_restart_begins_again() -> None:
    rules = Rules([level("S..G...")])
    play(rules, RIGHT, 3.0)
    assert rules.phase is Phase.CLEARED
    play(rules, REST, CLEARED_DELAY)
    assert rules.phase is Phase.WON
    rules.next_level()
    assert rules.phase is Phase.WON
    rules.restart()
    assert (rules.phase, rules.score, rules.level_index) == (Phase.PLAYING, 0, 0)


def test_a_chosen_level_begins_a_new_game() -> None:
    rules = Rules([level("S.*...G"), level("S..*..G")])
    play(rules, RIGHT, 1.2)
    assert rules.score == COIN_SCORE
    rules.choose_level(1)
    assert (rules.level_index, rules.score, rules.time, rules.phase) == (1, 0, 0.0, Phase.PLAYING)
    play(rules, RIGHT, 3.0)
    assert rules.phase is Phase.CLEARED
    rules.choose_level(1)
    assert rules.score == 0, "the same level twice is no way to points"


def test_a_fall_costs_a_life_and_the_marble_comes_back() -> None:
    rules = Rules([level("G..S..O", lives=2)])
    play(rules, RIGHT, 1.8)
    assert rules.marbles[0].captured is not None
    assert rules.marbles[0].captured.kind is PitKind.HOLE
    assert rules.marbles[0].position[1] < 0.0, "it is seen falling before it comes back"
    while rules.lives == 2:
        rules.step(REST)
    start = rules.course.starts[0]
    x, y, z = rules.marbles[0].position
    assert (x, z) == (start.x, start.z)
    assert y > MARBLE_RADIUS
    play(rules, LEFT, 4.0)
    assert rules.phase is Phase.CLEARED


def test_no_lives_lose_the_level_and_restart_gives_them_back() -> None:
    rules = Rules([level("G..S.*O", lives=1)])
    play(rules, RIGHT, 3.0)
    assert (rules.phase, rules.loss, rules.lives) == (Phase.LOST, Loss.LIVES, 0)
    assert rules.score == COIN_SCORE
    rules.restart()
    assert (rules.phase, rules.loss, rules.lives, rules.score) == (Phase.PLAYING, None, 1, 0)


def test_time_runs_out() -> None:
    rules = Rules([level("S.....G", time_limit=0.5)])
    play(rules, REST, 0.6)
    assert (rules.phase, rules.loss) == (Phase.LOST, Loss.TIME)
    time = rules.time
    play(rules, RIGHT, 3.0)
    assert rules.time == time
    assert rules.phase is Phase.LOST, "a lost board does not obey any more"


def test_skipping_a_level_scores_nothing() -> None:
    rules = Rules([level("S.*...G"), level("S.....G")])
    play(rules, RIGHT, 1.2)
    assert rules.score == COIN_SCORE
    rules.next_level()
    assert (rules.level_index, rules.score) == (1, 0)
    rules.next_level()
    assert rules.level_index == 0, "after the last level comes the first"
    assert rules.phase is Phase.PLAYING


def test_all_marbles_must_come_home() -> None:
    rules = Rules([level("GG.S.S.", time_limit=90.0)])
    play(rules, LEFT, 0.9)
    assert rules.phase is Phase.PLAYING
    play(rules, LEFT, 6.0)
    assert rules.homes == 1, "the first marble took the near cup and now stands in the way"
    assert rules.phase is Phase.PLAYING


def test_the_tilt_follows_the_hand_smoothly_and_ends_at_its_limit() -> None:
    rules = Rules([level("S.....G")])
    last = 0.0
    for _ in range(120):
        rules.step(Hand(right=1.0, near=1.0))
        step = rules.tilt.roll - last
        assert 0.0 <= step < 0.02
        last = rules.tilt.roll
    assert (rules.tilt.roll**2 + rules.tilt.pitch**2) ** 0.5 == pytest.approx(0.20943951, rel=1e-3)


def test_a_game_needs_levels() -> None:
    with pytest.raises(ValueError, match="level"):
        Rules([])

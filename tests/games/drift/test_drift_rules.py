"""The rules of drift: flight, hits, splitting, chains, crashes, waves, lives."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from renderwright.games.drift.autopilot import fly
from renderwright.games.drift.bodies import Bodies, orbit
from renderwright.games.drift.match import STEP, Match, What
from renderwright.games.drift.rule_files import Rules, Wave, load_rules, load_waves
from renderwright.games.drift.ship import Helm

FAR = 15 + 0j
"""A place where nothing else is."""


@pytest.fixture
def rules() -> Rules:
    return load_rules()


def match_with(rules: Rules, *rocks: str, players: int = 1, waves: tuple[Wave, ...] = ()) -> Match:
    """A match without waves of its own, ships at rest far from the sun and rocks that stand beside each other."""
    match = Match(rules, waves or (Wave(name="none", rocks={"pebble": 1}),), players, Random(1))
    match.pause = 1e9
    for ship in match.ships:
        ship.at, ship.velocity, ship.shield, ship.heading = -FAR, 0j, 0.0, 0.0
    for number, name in enumerate(rocks):
        kind = list(rules.rocks).index(name)
        match.rocks.add(FAR + 6j * number, 0j, rules.rocks[name].radius, kind)
    return match


def shoot(match: Match, place: complex, player: int = 0) -> None:
    match.shots.add(place, 0.1 + 0j, match.rules.shot.radius, player)


def names(match: Match) -> list[str]:
    kinds = list(match.rules.rocks)
    return sorted(kinds[number] for number in match.rocks.owner[match.rocks.rows])


def step(match: Match, *helms: Helm, count: int = 1) -> list[What]:
    seen = []
    for _ in range(count):
        match.step(helms or [Helm()] * len(match.ships))
        seen += [event.what for event in match.events]
    return seen


def test_a_ship_keeps_its_momentum_and_turns_freely(rules: Rules) -> None:
    match = match_with(rules)
    ship = match.ships[0]
    step(match, Helm(turn=-1.0), count=15)
    assert ship.heading == pytest.approx(15 * STEP * rules.ship.turn)
    ship.heading = math.pi / 2
    step(match, Helm(thrust=1.0), count=30)
    fast = ship.velocity
    assert fast.imag > 4.0
    step(match, Helm(turn=1.0), count=30)
    assert ship.velocity.imag > 0.75 * fast.imag, "it goes on without thrust"
    assert ship.at.imag > 3.0


def test_the_sun_pulls_and_a_round_orbit_stays_round(rules: Rules) -> None:
    bodies = Bodies(2)
    bodies.add(10 + 0j, orbit(10 + 0j, rules.sun), 1.0, 0)
    bodies.add(12 + 0j, 0j, 1.0, 0)
    for _ in range(240):
        bodies.drift(STEP, rules.sun)
    assert abs(bodies.at[0]) == pytest.approx(10.0, rel=0.01)
    assert np.angle(bodies.at[0]) > 0.9, "counter-clockwise"
    assert bodies.at[1].real < 11.0


def test_a_shot_splits_a_rock_and_scores(rules: Rules) -> None:
    match = match_with(rules, "boulder")
    shoot(match, FAR - 1.0)
    assert What.BREAK in step(match)
    assert names(match) == ["stone", "stone"]
    assert match.score == rules.rocks["boulder"].score
    assert not len(match.shots)
    first, second = match.rocks.rows
    apart = match.rocks.velocity[first] - match.rocks.velocity[second]
    assert abs(apart) > rules.kick, "the pieces leave each other"


def test_a_shot_beside_a_rock_hits_nothing(rules: Rules) -> None:
    match = match_with(rules, "boulder")
    shoot(match, FAR + 1j * (rules.rocks["boulder"].radius + rules.shot.radius + 0.1))
    assert step(match) == []
    assert names(match) == ["boulder"]
    assert step(match, count=round(rules.shot.life / STEP)) == []
    assert not len(match.shots), "its life is over"


def test_smallest_pieces_leave_nothing(rules: Rules) -> None:
    match = match_with(rules, "pebble")
    shoot(match, FAR)
    step(match)
    assert names(match) == []


def test_embers_break_what_is_near_and_each_other(rules: Rules) -> None:
    match = match_with(rules, "ember", "ember", "pebble", "pebble")
    reach = 0.5 * rules.rocks["ember"].blast
    match.rocks.at[:4] = FAR, FAR + 1j * reach, FAR + 3j * reach, FAR - 9j
    shoot(match, FAR)
    assert step(match).count(What.BLAST) == 2
    assert names(match) == ["pebble"], "the far one stays"
    assert match.score == 2 * rules.rocks["ember"].score + rules.rocks["pebble"].score


def test_a_crash_costs_a_life_and_a_shield_saves_it(rules: Rules) -> None:
    match = match_with(rules, "boulder")
    ship = match.ships[0]
    ship.at, ship.shield = FAR, 1.0
    assert What.CRASH not in step(match)
    ship.shield = 0.0
    assert What.CRASH in step(match)
    assert (ship.lives, ship.flying) == (rules.ship.lives - 1, False)
    assert match.score == 0, "who crashes scores nothing"
    assert What.APPEAR in step(match, count=math.ceil(rules.ship.away / STEP) + 1)
    assert ship.flying
    assert ship.shield > 0.0
    assert abs(ship.at - FAR) > 8.0, "where no rock is"


def test_the_sun_burns_shots_rocks_and_ships_with_shields(rules: Rules) -> None:
    match = match_with(rules, "stone")
    match.rocks.at[0] = 1 + 0j
    match.ships[0].at, match.ships[0].shield = 0.5j, 2.0
    shoot(match, 1j)
    seen = step(match)
    assert (seen.count(What.BURN), seen.count(What.CRASH)) == (2, 1)
    assert (len(match.rocks), len(match.shots), match.score) == (0, 0, 0)


def test_the_rim_gives_back_ships_and_rocks(rules: Rules) -> None:
    match = match_with(rules, "stone")
    match.rocks.at[0], match.rocks.velocity[0] = 21j, 8j
    ship = match.ships[0]
    ship.at, ship.velocity = 21.4 + 0j, 6 + 0j
    assert step(match, count=12).count(What.RIM) == 2
    assert match.rocks.velocity[0].imag < -3.0
    assert ship.velocity.real < -2.0
    assert abs(ship.at) < rules.arena.radius


def test_fire_is_limited_and_shots_have_the_speed_of_their_ship(rules: Rules) -> None:
    match = match_with(rules)
    match.ships[0].velocity = 5j
    assert step(match, Helm(fire=True), count=30).count(What.SHOT) == math.ceil(0.5 / (rules.shot.every + STEP))
    newest = match.shots.velocity[match.shots.rows]
    assert newest.real == pytest.approx(rules.shot.speed, rel=0.1)
    assert newest.imag.max() > 3.0


def test_waves_follow_each_other_and_come_again_faster(rules: Rules) -> None:
    waves = (Wave(name="a", rocks={"pebble": 2}), Wave(name="b", rocks={"shard": 3}))
    match = match_with(rules, waves=waves)
    paces = []
    for number, rocks in enumerate((["pebble"] * 2, ["shard"] * 3, ["pebble"] * 2)):
        match.pause = 2 * STEP
        step(match)
        assert names(match) == [], "a pause before each"
        step(match)
        assert (match.wave_number, names(match)) == (number, rocks)
        assert np.abs(match.rocks.at[match.rocks.rows] - match.ships[0].at).min() > 7.5, "not upon a ship"
        paces.append(float(np.abs(match.rocks.velocity[match.rocks.rows]).mean()))
        match.rocks.remove(match.rocks.rows)
    assert paces[2] > paces[0]


def test_points_bring_lives_until_the_last_is_lost(rules: Rules) -> None:
    match = match_with(rules, "ember")
    ship = match.ships[0]
    ship.score = rules.ship.extra_life - 1
    shoot(match, FAR)
    step(match)
    assert ship.lives == rules.ship.lives + 1
    ship.lives, ship.at = 1, 0j
    step(match)
    assert match.over
    assert step(match, Helm(fire=True, thrust=1.0), count=240) == [], "nobody flies any more"


def test_two_players_score_apart_and_end_together(rules: Rules) -> None:
    match = match_with(rules, "pebble", "shard", players=2)
    shoot(match, FAR, player=0)
    shoot(match, FAR + 6j, player=1)
    step(match)
    assert [ship.score for ship in match.ships] == [rules.rocks["pebble"].score, rules.rocks["shard"].score]
    match.ships[0].lives = 0
    assert not match.over
    match.ships[1].lives = 0
    assert match.over


def test_the_same_seed_and_input_play_the_same_match(rules: Rules) -> None:
    ends = []
    for seed in (5, 5, 6):
        match = Match(rules, load_waves(rules), 1, Random(seed))
        for _ in range(900):
            match.step([fly(match, 0)])
        ends.append((match.score, match.rocks.at.tobytes(), match.ships[0].at))
    assert ends[0] == ends[1] != ends[2]


def test_the_autopilot_breaks_rocks_and_lives(rules: Rules) -> None:
    match = Match(rules, load_waves(rules), 2, Random(2))
    for _ in range(1200):
        match.step([fly(match, player) for player in range(2)])
    assert match.score > 300
    assert not match.over

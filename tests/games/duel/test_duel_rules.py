"""Tanks, shots and the match, without a scene."""

from __future__ import annotations

import math
import random

import pytest

from renderwright.games.duel.arena import CELL, COVER, SEATS, load_arenas
from renderwright.games.duel.match import DAMAGE, PAD_REST, RESPAWN, Match, Phase, What
from renderwright.games.duel.shots import EACH
from renderwright.games.duel.tanks import ARMOUR, RADIUS, STEP, Hand

ARENAS = load_arenas()
STILL = [Hand()] * SEATS


def fighting(humans: int = SEATS) -> Match:
    match = Match(ARENAS, humans, random.Random(1))
    match.start()
    run(match, 3.1)
    assert match.phase is Phase.FIGHT
    return match


def run(match: Match, seconds: float, hands: list[Hand] = STILL) -> set[What]:
    seen = set()
    for _ in range(round(seconds / STEP)):
        match.step(hands)
        seen |= {event.what for event in match.events}
    return seen


def face(match: Match, number: int, other: int, distance: float = 4.0) -> None:
    """Put a tank in the open, and another in front of it."""
    one, two = match.tanks[number], match.tanks[other]
    one.x, one.z = match.arena.spawns[0]
    one.heading = -0.5 * math.pi
    two.x, two.z = one.x + distance, one.z


def test_nothing_moves_before_the_round_and_hands_move_tanks_in_it() -> None:
    match = Match(ARENAS, SEATS, random.Random(1))
    match.start()
    before = (match.tanks[0].x, match.tanks[0].z)
    run(match, 1.0, [Hand(drive=1.0)] * SEATS)
    assert (match.tanks[0].x, match.tanks[0].z) == before
    run(match, 2.6, [Hand(drive=1.0)] * SEATS)
    tank = match.tanks[0]
    ahead = (tank.x - before[0]) * tank.forward[0] + (tank.z - before[1]) * tank.forward[1]
    assert ahead > 1.0


@pytest.mark.parametrize(("hand", "sign"), [(Hand(turn=1.0), -1.0), (Hand(turn=-1.0), 1.0)])
def test_turning_right_turns_clockwise(hand: Hand, sign: float) -> None:
    match = fighting()
    before = match.tanks[0].heading
    run(match, 0.3, [hand, *STILL[1:]])
    assert (match.tanks[0].heading - before) * sign > 0.3


def test_boost_is_faster_and_uses_energy() -> None:
    speeds = []
    for boost in (False, True):
        match = fighting()
        face(match, 0, 1, distance=30.0)
        run(match, 0.5, [Hand(drive=1.0, boost=boost), *STILL[1:]])
        speeds.append(match.tanks[0].speed)
    assert speeds[1] > 1.3 * speeds[0]
    assert match.tanks[0].energy < 0.8


def test_tanks_stay_out_of_walls_and_of_each_other() -> None:
    match = fighting()
    chance = random.Random(3)
    for _ in range(40):
        hands = [Hand(1.0, chance.uniform(-1.0, 1.0), chance.uniform(-1.0, 1.0), boost=True) for _ in range(SEATS)]
        run(match, 0.25, hands)
        for tank in match.tanks:
            assert match.ground.solid[match.ground.cell(tank.x, tank.z)] == 0
        places = [(tank.x, tank.z) for tank in match.tanks]
        assert min(math.dist(a, b) for a in places for b in places if a != b) > 1.8 * RADIUS


def test_shots_hurt_and_destroy_and_score() -> None:
    match = fighting()
    face(match, 0, 1)
    fire = [Hand(fire=True), *STILL[1:]]
    seen: set[What] = set()
    while match.tanks[1].armour == ARMOUR:
        seen |= run(match, STEP, fire)
    assert match.tanks[1].armour == ARMOUR - DAMAGE
    assert match.tanks[1].shock > 0.0
    for _ in range(600):
        face(match, 0, 1)
        seen |= run(match, STEP, fire)
        if not match.tanks[1].alive:
            break
    assert What.DESTROYED in seen
    assert match.tanks[0].frags == 1
    assert What.APPEARED in run(match, RESPAWN + 2 * STEP)
    assert match.tanks[1].armour == ARMOUR


def test_shots_bounce_off_walls_and_break_cover() -> None:
    match = fighting()
    cover = match.arena.cells(COVER)[0]
    x, z = match.arena.centre(cover)
    tank = match.tanks[0]
    fire = [Hand(fire=True), *STILL[1:]]
    seen = set()
    for _ in range(300):
        tank.x, tank.z, tank.heading = x - CELL, z, -0.5 * math.pi
        seen |= run(match, STEP, fire)
        if match.ground.solid[cover] != COVER:
            break
    assert What.BROKEN in seen
    assert match.ground.hits[cover] == 0
    tank.x, tank.z, tank.heading = *match.arena.spawns[0], 0.0  # to the frame
    match.shots.life[:] = 0.0
    assert What.SPARKS in run(match, 0.5, fire)
    assert (match.shots.velocities[:EACH, 1] > 0.0).any(), "some fly back"


def test_a_pad_repairs_then_rests() -> None:
    match = fighting()
    tank = match.tanks[0]
    tank.armour = 30.0
    (tank.x, tank.z), tank.vx, tank.vz = match.arena.pads[0], 0.0, 0.0
    assert What.REPAIRED in run(match, STEP)
    assert 30.0 < tank.armour < ARMOUR
    assert match.open_pads == []
    run(match, PAD_REST + STEP)
    assert match.open_pads == [] or tank.armour == ARMOUR


def test_a_round_ends_by_frags_or_time_and_the_last_ends_the_match() -> None:
    match = fighting()
    match.tanks[2].frags = match.arena.file.frags
    run(match, STEP)
    assert (match.phase, match.winners, match.wins) == (Phase.ROUND_END, (2,), [0, 0, 1, 0])
    run(match, 4.1)
    assert (match.phase, match.round) == (Phase.READY, 1)
    for _ in range(2):
        run(match, 3.1)
        match.fought = match.arena.file.seconds
        run(match, STEP)
        assert match.winners == (0, 1, 2, 3), "nobody has a frag, so all win"
        run(match, 4.1)
    assert (match.phase, match.winners) == (Phase.MATCH_END, (2,))
    match.start()
    assert (match.phase, match.round, match.wins) == (Phase.READY, 0, [0] * SEATS)


def test_bots_finish_a_match_and_the_same_seed_gives_the_same_one() -> None:
    results = []
    for _ in range(2):
        match = Match(ARENAS, 0, random.Random(5))
        match.start()
        steps, most = 0, 0
        while match.phase is not Phase.MATCH_END:
            match.step([])
            steps += 1
            most = max(most, int((match.shots.life > 0.0).sum()))
            assert steps < 60 * 300
        results.append((steps, most, match.score, match.winners, [(tank.x, tank.z) for tank in match.tanks]))
    assert results[0] == results[1]
    assert sum(match.wins) >= len(ARENAS)
    assert most > 8, "there is something to see"


def test_the_title_shows_one_arena_after_the_other() -> None:
    match = Match(ARENAS, 2, random.Random(1))
    match.phase_time = match.arena.file.seconds
    run(match, STEP)
    assert (match.phase, match.round) == (Phase.TITLE, 1)

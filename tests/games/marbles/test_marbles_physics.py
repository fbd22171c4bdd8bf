"""Rolling, bouncing and falling, on small courses made from maps."""

import math
import random

import pytest

from renderwright.games.marbles.course import MARBLE_RADIUS, PIT_RADIUS, Course, PitKind, build_course
from renderwright.games.marbles.level import LevelSettings, build_level
from renderwright.games.marbles.physics import BUMPER_KICK, STEP, WALL_BOUNCE, Marble, World
from renderwright.games.marbles.spin import IDENTITY, turned
from renderwright.games.marbles.tilt import GRAVITY, MAX_TILT, Tilt

LEVEL = (0.0, -GRAVITY, 0.0)


def course(*rows: str, movers: list[dict[str, object]] | None = None) -> Course:
    settings = {"name": "test", "par_time": 1, "time_limit": 1, "map": "\n".join(rows), "movers": movers or []}
    return build_course(build_level(LevelSettings.model_validate(settings)))


def world(a_course: Course, *marbles: Marble) -> World:
    return World(a_course, list(marbles))


def rolling(x: float, z: float, vx: float = 0.0, vz: float = 0.0) -> Marble:
    return Marble((x, MARBLE_RADIUS, z), (vx, 0.0, vz))


def energy(marbles: list[Marble]) -> float:
    """Of the motion along the board and of the height, for a unit mass."""
    return sum(
        0.5 * sum(v * v for v in marble.velocity) + GRAVITY * (marble.position[1] - MARBLE_RADIUS) for marble in marbles
    )


OPEN = ("S.......", "........", "........", ".......G", "........")


def test_a_marble_at_rest_on_a_level_board_stays() -> None:
    marble = rolling(0.3, -0.2)
    scene = world(course(*OPEN), marble)
    for _ in range(240):
        scene.step(LEVEL)
    assert marble.position == pytest.approx((0.3, MARBLE_RADIUS, -0.2), abs=1e-12)


def test_a_tilted_board_accelerates_by_five_sevenths_less_friction() -> None:
    tilt = Tilt(roll=MAX_TILT)
    marble = rolling(-3.0, 0.0)
    scene = world(course(*OPEN), marble)
    for _ in range(60):
        scene.step(tilt.gravity())
    expected = (5.0 / 7.0 * GRAVITY * math.sin(MAX_TILT) - 0.18) * 60 * STEP
    assert marble.velocity[0] == pytest.approx(expected, rel=1e-6)
    assert marble.velocity[2] == pytest.approx(0.0, abs=1e-9)


def test_rolling_turns_by_the_way_over_the_radius() -> None:
    marble = rolling(-2.0, 0.0, vx=2.0)
    scene = world(course(*OPEN), marble)
    turn, x = 0.0, marble.position[0]
    for _ in range(60):
        scene.step(LEVEL)
        turn += marble.spin[2] * STEP
    way = marble.position[0] - x
    assert turn == pytest.approx(-way / MARBLE_RADIUS, rel=0.01)
    w, _, _, z = marble.orientation
    assert math.cos(turn / 2) == pytest.approx(w, abs=1e-3)
    assert math.sin(turn / 2) == pytest.approx(z, abs=1e-3)


def test_orientations_keep_unit_length() -> None:
    orientation = IDENTITY
    for _ in range(5000):
        orientation = turned(orientation, (13.0, -4.0, 7.0), STEP)
    assert math.hypot(*orientation) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("speed", [5.0, 20.0, 40.0, 400.0])
@pytest.mark.parametrize("angle", [0.0, 0.35, 0.785, 2.5])
def test_nothing_tunnels_through_walls_or_out_of_the_frame(speed: float, angle: float) -> None:
    a_course = course("S..#....", "...#....", "...#....", "..G#....", "...#....")
    marble = rolling(-2.5, 0.0, speed * math.cos(angle), speed * math.sin(angle))
    scene = world(a_course, marble)
    for _ in range(120):
        scene.step(LEVEL)
        x, y, z = marble.position
        assert -4.0 + MARBLE_RADIUS - 0.02 <= x <= -1.0 - MARBLE_RADIUS + 0.02
        assert abs(z) <= 2.5 - MARBLE_RADIUS + 0.02
        assert y >= -0.4


def test_a_wall_reflects_with_its_restitution() -> None:
    marble = rolling(2.5, 0.0, vx=4.0)
    scene = world(course(*OPEN), marble)
    before = marble.velocity[0]
    while marble.velocity[0] > 0.0:
        before = marble.velocity[0]
        scene.step(LEVEL)
    assert marble.velocity[0] == pytest.approx(-WALL_BOUNCE * before, rel=0.05)


def test_a_corner_turns_a_marble_aside() -> None:
    # The corner of the wall is at (0, 0.5); the marble comes along x, its centre a little above the corner.
    a_course = course("S.......", "........", "....####", "........", ".......G")
    marble = rolling(-2.0, -0.5 - 0.7 * MARBLE_RADIUS, vx=3.0)
    scene = world(a_course, marble)
    for _ in range(120):
        scene.step(LEVEL)
        x, _, z = marble.position
        corner = math.hypot(min(x, 0.0), z + 0.5)
        assert corner >= MARBLE_RADIUS - 1e-3 or x > 0.0
        assert z <= -0.5
    assert marble.velocity[2] < -0.3, "the corner pushed it away from the wall"


def test_rolling_along_joined_walls_does_not_catch_on_their_seams() -> None:
    # The face at x = 0 belongs to three boxes, one a row; a marble leans on it and rolls over both seams.
    a_course = course("S.......", "....##..", "....#...", "....##..", ".......G")
    assert len(a_course.walls) == 3
    marble = rolling(-MARBLE_RADIUS, -1.2, vz=1.0)
    scene = world(a_course, marble)
    lean = Tilt(roll=0.1, pitch=0.02).gravity()
    slowest = math.inf
    while marble.position[2] < 1.2:
        scene.step(lean)
        slowest = min(slowest, marble.velocity[2])
        assert marble.position[0] == pytest.approx(-MARBLE_RADIUS, abs=1e-3)
    assert slowest > 0.95


def test_marbles_exchange_momentum() -> None:
    first, second = rolling(-1.5, 0.0, vx=3.0), rolling(0.0, 0.1)
    scene = world(course(*OPEN), first, second)
    before, after = (0.0, 0.0), (0.0, 0.0)
    while second.velocity == (0.0, 0.0, 0.0):
        before = (first.velocity[0], first.velocity[2])
        scene.step(LEVEL)
        after = (first.velocity[0] + second.velocity[0], first.velocity[2] + second.velocity[2])
    assert after == pytest.approx(before, abs=0.01)
    assert second.velocity[0] > 0.8 * before[0]


def test_a_pinned_marble_does_not_move() -> None:
    first, second = rolling(-1.5, 0.0, vx=3.0), rolling(0.0, 0.0)
    second.pinned = True
    scene = world(course(*OPEN), first, second)
    for _ in range(120):
        scene.step(LEVEL)
    assert second.position == (0.0, MARBLE_RADIUS, 0.0)
    assert first.velocity[0] < 0.0


def test_energy_never_grows_on_a_level_board() -> None:
    chance = random.Random(4)
    a_course = course("S......O", "..##....", "....#...", "O.....#.", ".......G")
    marbles = [
        rolling(x, z, chance.uniform(-8, 8), chance.uniform(-8, 8)) for x, z in [(-3.5, -2), (-1.5, 1), (1.0, -1.9)]
    ]
    scene = world(a_course, *marbles)
    last = energy(marbles)
    for _ in range(600):
        scene.step(LEVEL)
        now = energy(marbles)
        assert now <= last + 0.02, "contacts push marbles apart a little, but give no speed"
        last = now
    assert last < 0.5 * energy([rolling(0.0, 0.0, 8.0)])


def test_the_same_start_gives_the_same_end() -> None:
    def play() -> list[object]:
        a_course = course("S..B....", "..##....", "....#.O.", "......#.", ".......G")
        marbles = [rolling(-3.0, -1.9, 5.0, 3.0), rolling(2.5, 0.4, -4.0, 1.0)]
        scene = world(a_course, *marbles)
        for step in range(400):
            scene.step(Tilt(0.1 * math.sin(step * 0.03), 0.1 * math.cos(step * 0.02)).gravity())
        return [(marble.position, marble.velocity, marble.orientation) for marble in marbles]

    assert play() == play()


def test_a_slow_marble_rolls_over_the_rim_and_falls_to_the_bottom() -> None:
    a_course = course("S.......", "........", "....O...", "........", ".......G")
    hole = a_course.pits[0]
    marble = rolling(hole.x - 1.5, hole.z + 0.1, vx=1.5)
    scene = world(a_course, marble)
    for _ in range(300):
        scene.step(LEVEL)
        if marble.position[1] < 0.0:
            away = math.hypot(marble.position[0] - hole.x, marble.position[2] - hole.z)
            assert away <= PIT_RADIUS - MARBLE_RADIUS + 0.02, "it stays inside the well"
    assert marble.captured is hole
    assert marble.position[1] == pytest.approx(MARBLE_RADIUS - hole.depth, abs=0.01)


def test_a_marble_beside_a_hole_passes_by() -> None:
    a_course = course("S.......", "........", "....O...", "........", ".......G")
    hole = a_course.pits[0]
    marble = rolling(hole.x - 1.5, hole.z + PIT_RADIUS + 0.02, vx=2.0)
    scene = world(a_course, marble)
    for _ in range(180):
        scene.step(LEVEL)
    assert marble.captured is None
    assert marble.position[0] > hole.x + 1.0


def test_a_goal_is_a_shallow_cup_that_keeps_a_marble() -> None:
    a_course = course("S.......", "........", "....G...", "........", "........")
    cup = a_course.pits[0]
    marble = rolling(cup.x - 1.0, cup.z, vx=1.2)
    scene = world(a_course, marble)
    for step in range(400):
        scene.step(Tilt(MAX_TILT * math.sin(step * 0.1), 0.0).gravity())
    assert cup.kind is PitKind.GOAL
    assert marble.captured is cup
    assert marble.position[1] == pytest.approx(MARBLE_RADIUS - cup.depth, abs=0.02)


def test_a_bumper_kicks() -> None:
    a_course = course("S.......", "........", "....B...", "........", ".......G")
    marble = rolling(a_course.bumpers[0].x - 1.2, 0.0, vx=1.0)
    scene = world(a_course, marble)
    while marble.velocity[0] > 0.0:
        scene.step(LEVEL)
    assert marble.velocity[0] == pytest.approx(-BUMPER_KICK, rel=0.05)
    assert scene.bumps == [1]


def test_a_mover_pushes_a_marble() -> None:
    mover = {"start": [1, 2], "end": [5, 2], "period": 4.0}
    a_course = course("S.......", "........", "........", "........", ".......G", movers=[mover])
    marble = rolling(-1.2, 0.0)
    scene = world(a_course, marble)
    for _ in range(240):
        scene.step(LEVEL)
        block = scene.mover_spot(0)
        assert marble.position[0] >= block.x + 0.45 + MARBLE_RADIUS - 0.02
    assert marble.position[0] > 1.5


def test_a_mover_waits_instead_of_crushing() -> None:
    mover = {"start": [1, 2], "end": [6, 2], "period": 4.0}
    a_course = course("S......G", "........", ".......#", "........", "........", movers=[mover])
    marble = rolling(3.0 - MARBLE_RADIUS, 0.0)
    scene = world(a_course, marble)
    for _ in range(240):
        scene.step(LEVEL)
        assert marble.position[0] <= 3.0 - MARBLE_RADIUS + 1e-6, "it is never pushed into the wall"
    assert scene.mover_spot(0).x <= 3.0 - 2 * MARBLE_RADIUS - 0.45 + 0.03

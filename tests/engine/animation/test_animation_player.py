"""Playing, fading, seeking, marks: what a game sees of its characters."""

from __future__ import annotations

import numpy as np
import pytest
from rigs_of_chance import random_rig

from renderwright.engine.animation.characters import Characters
from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.animation.mixer import Mixer
from renderwright.engine.animation.player import Player
from renderwright.engine.animation.rig import Rig
from renderwright.render.errors import UsageError


def slide(name: str, along: float, duration: float = 1.0) -> Clip:
    """The root goes from 0 to ``along`` on the x axis."""
    values = np.float32([[0, 0, 0], [along, 0, 0]])
    return Clip.of(name, [Curve(0, Path.TRANSLATION, Interpolation.LINEAR, np.array([0.0, duration]), values)])


@pytest.fixture
def rig() -> Rig:
    return random_rig(np.random.default_rng(0), 1)


@pytest.fixture
def mixer(rig: Rig) -> Mixer:
    rig.rest[Path.TRANSLATION][:] = (0.0, 5.0, 0.0)
    return Mixer(rig, [slide("Walk", 10.0), slide("Run", 100.0, 0.5)])


def place(mixer: Mixer, row: int = 0, alpha: float = 1.0) -> tuple[float, float]:
    """The place of the only joint, x and y."""
    mixer.poses(alpha)
    matrix = mixer.matrices_of(row)[0]
    return round(float(matrix[0, 3]), 4), round(float(matrix[1, 3]), 4)


def test_time_loops_and_pictures_are_between_two_steps(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    player.play("Walk")
    for _ in range(3):
        mixer.advance(0.3)
    assert player.time == pytest.approx(0.9)
    mixer.advance(0.3)
    assert player.time == pytest.approx(0.2)
    # Half-way between 0.9 and 1.2 is 1.05: not between 0.9 and 0.2.
    palette = mixer.poses(0.5).palettes[0]
    still = Player(mixer, "twin")
    still.play("Walk", speed=0.0)
    still.seek(0.05)
    np.testing.assert_allclose(mixer.poses(0.5).palettes[1], palette, atol=1e-4)


def test_without_loop_it_stays_at_the_end(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    player.play("Walk", loop=False, speed=2.0)
    mixer.advance(0.4)
    assert not player.done
    mixer.advance(0.4)
    assert player.done
    assert player.time == 1.0
    assert place(mixer) == (10.0, 0.0)
    player.play("Walk", loop=False)
    assert not player.done
    assert player.time == 0.0
    player.play("Run", loop=False, speed=-1.0)
    assert player.time == 0.5
    mixer.advance(1.0)
    assert player.done
    assert player.time == 0.0


def test_a_cross_fade_is_a_weighted_mean_and_ends(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    player.play("Walk", speed=0.0)
    player.seek(0.5)
    player.play("Run", fade=1.0, speed=0.0)
    player.seek(0.25)
    mixer.advance(0.25)
    assert place(mixer) == (0.75 * 5.0 + 0.25 * 50.0, 0.0)
    assert len(mixer.plays.of(0)) == 2
    mixer.advance(1.0)
    assert place(mixer) == (50.0, 0.0)
    assert len(mixer.plays.of(0)) == 1


def test_a_fade_that_is_interrupted_goes_on_from_where_it_is(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    player.play("Walk", speed=0.0)
    player.seek(0.5)
    player.play("Run", fade=1.0, speed=0.0)
    mixer.advance(0.5)
    before = place(mixer)
    player.play("Walk", fade=0.5, speed=0.0)
    mixer.advance(0.0)
    assert place(mixer) == before
    mixer.advance(0.5)
    assert place(mixer) == (5.0, 0.0)
    assert len(mixer.plays.of(0)) == 1


def test_stopping_returns_to_the_rest_pose(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    assert player.current is None
    assert player.done
    assert place(mixer) == (0.0, 5.0)
    player.play("Walk", speed=0.0)
    player.seek(0.5)
    assert place(mixer) == (5.0, 0.0)
    player.stop(fade=1.0)
    mixer.advance(0.5)
    assert place(mixer) == (2.5, 2.5)
    mixer.advance(0.5)
    assert place(mixer) == (0.0, 5.0)
    assert not len(mixer.plays.of(0))


def test_playing_what_plays_goes_on(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    for _ in range(4):
        player.play("Walk", fade=0.1)
        mixer.advance(0.1)
    assert player.time == pytest.approx(0.4)
    assert place(mixer)[0] == pytest.approx(4.0)


def test_marks_are_passed_once_and_in_loops_again(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    player.mark("Walk", 0.0, "left")
    player.mark("Walk", 0.5, "right")
    player.play("Walk")
    seen = []
    for _ in range(10):
        mixer.advance(0.25)
        seen.append(tuple(event.name for event in player.events))
    assert seen == [("left",), (), ("right",), (), ("left",), (), ("right",), (), ("left",), ()]
    mixer.advance(2.0)
    assert sorted(event.name for event in player.events) == ["left", "left", "right", "right"]
    player.set_speed(-1.0)
    mixer.advance(0.25)
    assert [event.name for event in player.events] == ["right"]
    player.seek(0.9)
    mixer.advance(0.05)
    assert player.events == ()


def test_the_end_is_an_event(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    player.mark("Run", 0.5, "last")
    player.play("Run", loop=False)
    mixer.advance(0.3)
    assert player.events == ()
    mixer.advance(0.3)
    assert player.events == (("Run", "last"), ("Run", "end"))
    mixer.advance(0.3)
    assert player.events == ()


def test_still_characters_keep_the_poses(rig: Rig) -> None:
    characters = Characters()
    mixer = characters.mixer(rig, [slide("Walk", 10.0)])
    first, second = Player(mixer, "first"), Player(mixer, "second")
    first.play("Walk")
    second.play("Walk", loop=False)
    characters.advance(1.0)
    characters.poses(1.0)
    characters.advance(0.25)
    before = characters.poses(1.0)
    assert characters.poses(1.0) is before
    characters.advance(0.25)
    after = characters.poses(1.0)
    assert (before.by_rig[rig].revisions != after.by_rig[rig].revisions).tolist()[:2] == [True, False]
    first.set_speed(0.0)
    characters.advance(0.25)
    characters.poses(1.0)
    characters.advance(0.25)
    assert characters.poses(0.5) is characters.poses(0.0)


def test_a_row_is_used_again_at_rest(mixer: Mixer) -> None:
    player = Player(mixer, "knight")
    player.mark("Walk", 0.0, "step")
    player.play("Walk")
    mixer.advance(0.5)
    mixer.poses(1.0)
    player.leave()
    heir = Player(mixer, "heir")
    assert heir.current is None
    assert place(mixer) == (0.0, 5.0)
    heir.play("Walk")
    mixer.advance(0.5)
    assert heir.events == ()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda player: player.play("Wlak"), 'no animation "Wlak"'),
        (lambda player: player.play("Walk", fade=-1.0), "fade is -1"),
        (lambda player: player.play("Walk", speed=float("nan")), "speed is nan"),
        (lambda player: player.seek(0.5), "plays no animation"),
        (lambda player: player.mark("Walk", 3.0, "step"), "ends at 1 s"),
    ],
)
def test_mistakes_are_named(mixer: Mixer, wrong, message: str) -> None:
    player = Player(mixer, "knight")
    with pytest.raises(UsageError, match="knight") as caught:
        wrong(player)
    assert message in str(caught.value)

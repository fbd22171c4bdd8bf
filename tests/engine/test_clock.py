from __future__ import annotations

import random

import pytest

from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.render.errors import UsageError


def test_time_becomes_steps_and_a_rest() -> None:
    clock = FixedStepClock(0.01)
    assert clock.advance(0.025) == (2, pytest.approx(0.5))
    assert clock.advance(0.003) == (0, pytest.approx(0.8))
    assert clock.advance(0.002) == (1, pytest.approx(0.0, abs=1e-6))
    assert (clock.steps, clock.time) == (3, pytest.approx(0.03))


def test_random_frames_lose_no_time() -> None:
    rng = random.Random(1)
    clock, total = FixedStepClock(1.0 / 120.0), 0.0
    for _ in range(5000):
        dt = rng.uniform(0.0, 0.05)
        total += dt
        _, alpha = clock.advance(dt)
        assert 0.0 <= alpha <= 1.0
        assert clock.time + alpha * clock.step == pytest.approx(total, abs=1e-6)


def test_a_long_frame_slows_the_game_down() -> None:
    clock = FixedStepClock(0.01, max_steps=4)
    steps, alpha = clock.advance(1.005)
    assert (steps, alpha) == (4, pytest.approx(0.5))
    assert clock.advance(0.01)[0] == 1


@pytest.mark.parametrize("rate", [30, 60, 90, 120, 144, 240])
def test_fixed_frames_never_drift(rate: int) -> None:
    clock = FixedStepClock(1.0 / rate, frame=HEADLESS_FRAME)
    for frame in range(1, 20001):
        clock.advance(random.Random(frame).random())
        assert clock.steps == frame * rate // 60


def test_negative_time_is_none() -> None:
    assert FixedStepClock(0.01).advance(-1.0) == (0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"step": 0.0}, "step"), ({"step": 0.01, "frame": -1.0}, "frame"), ({"step": 0.01, "max_steps": 0}, "max_steps")],
)
def test_senseless_clocks_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        FixedStepClock(**arguments)


@pytest.mark.parametrize("step", [1 / 30, 1 / 50, 1 / 60, 1 / 90, 1 / 120, 1 / 144, 1 / 1000])
@pytest.mark.parametrize("steps", [0, 1, 7, 240, 5053])
def test_frames_for_steps_are_as_many_as_it_takes(step: float, steps: int) -> None:
    clock, frames = FixedStepClock(step, frame=HEADLESS_FRAME), 0
    while clock.steps < steps:
        clock.advance()
        frames += 1
    assert FixedStepClock(step, frame=HEADLESS_FRAME).frames_for(steps) == frames

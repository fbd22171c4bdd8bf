"""The controller in a loop with a simulated GPU, which answers two frames later, as the runtime's frames do."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

from renderwright.engine.dynamic_resolution import ResolutionController, scale_steps
from renderwright.render.errors import UsageError

TARGET = 0.016
LATENCY = 2

Load = Callable[[int, float], float]


def affine(fixed: float, full: float) -> Load:
    """A GPU that needs ``fixed`` seconds for any frame and ``full`` more at full size."""
    return lambda frame, scale: fixed + full * scale**2


def simulate(load: Load, frames: int, controller: ResolutionController | None = None) -> list[float]:
    """The scale of each frame."""
    controller = controller or ResolutionController(TARGET)
    scales = []
    on_their_way: deque[tuple[float, float]] = deque()
    for frame in range(frames):
        scales.append(controller.scale)
        on_their_way.append((load(frame, controller.scale), controller.scale))
        if len(on_their_way) > LATENCY:
            controller.measured(*on_their_way.popleft())
    return scales


def changes(scales: Sequence[float]) -> int:
    return sum(one != other for one, other in pairwise(scales))


def test_a_light_load_is_drawn_at_full_size() -> None:
    assert set(simulate(affine(0.004, 0.010), 300)) == {1.0}


@pytest.mark.parametrize("fixed", [0.0, 0.003, 0.008, 0.012])
@pytest.mark.parametrize("full", [0.005, 0.010, 0.020, 0.040])
def test_a_steady_load_settles_under_the_target_without_swinging(fixed: float, full: float) -> None:
    load = affine(fixed, full)
    scales = simulate(load, 400)
    assert scales == sorted(scales, reverse=True)  # never up and down again
    assert changes(scales[60:]) == 0
    time = load(0, scales[-1])
    assert time <= TARGET or scales[-1] == 0.5
    larger = [scale for scale in scale_steps() if scale > scales[-1]]
    if larger:
        # One step more would leave no headroom.
        assert load(0, scales[-1]) * (larger[-1] / scales[-1]) ** 2 > 0.9 * TARGET


def test_a_step_of_the_load_is_answered_within_five_frames_and_undone_within_seconds() -> None:
    def load(frame: int, scale: float) -> float:
        return 0.002 + (0.036 if 100 <= frame < 400 else 0.009) * scale**2

    scales = simulate(load, 800)
    assert set(scales[:100]) == {1.0}
    slow = [frame for frame in range(800) if load(frame, scales[frame]) > TARGET]
    assert slow == list(range(100, 100 + LATENCY + 2))
    assert changes(scales[110:400]) == 0
    assert scales[-1] == 1.0
    assert scales.index(1.0, 400) - 400 < 240
    assert scales[400:] == sorted(scales[400:])


def test_an_overload_that_nothing_helps_against_ends_at_the_smallest_size() -> None:
    scales = simulate(affine(0.030, 0.030), 300)
    assert set(scales[10:]) == {0.5}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spread", [0.01, 0.05])
def test_noise_does_not_make_it_swing(seed: int, spread: float) -> None:
    chance = random.Random(seed)

    def load(frame: int, scale: float) -> float:
        return (0.002 + 0.026 * scale**2) * chance.gauss(1.0, spread)

    scales = simulate(load, 3000)
    assert changes(scales[300:]) <= 1
    assert 0.002 + 0.026 * scales[-1] ** 2 < TARGET
    assert scales[-1] >= 0.57


def test_single_slow_frames_change_nothing() -> None:
    load = affine(0.002, 0.026)
    calm = simulate(load, 600)
    hitches = simulate(lambda frame, scale: load(frame, scale) + (0.030 if frame % 40 == 39 else 0.0), 600)
    assert hitches[-1] == calm[-1]
    assert changes(hitches) == changes(calm)


def test_a_ramp_is_followed_one_way() -> None:
    scales = simulate(lambda frame, scale: 0.003 + (0.008 + 0.00002 * frame) * scale**2, 2000)
    assert scales == sorted(scales, reverse=True)
    assert 2 <= changes(scales) <= 10


def test_times_of_another_scale_do_not_count() -> None:
    controller = ResolutionController(TARGET)
    assert controller.told_changes == "0 changes"
    for _ in range(2):
        controller.measured(0.020, 1.0)
    scale = controller.scale
    assert scale < 1.0
    for _ in range(20):
        controller.measured(0.020, 1.0)
    assert controller.scale == scale
    assert controller.told_changes == "1 change"


def test_each_step_changes_the_texels_by_the_same_factor() -> None:
    scales = scale_steps(0.5, 4)
    assert scales[0] == 1.0
    assert scales[-1] == 0.5
    assert [smaller / larger for larger, smaller in pairwise(scales)] == pytest.approx([0.5**0.25] * 4)


@pytest.mark.parametrize("target", [0.0, -1.0, float("nan"), float("inf")])
def test_a_target_that_is_no_time_is_refused(target: float) -> None:
    with pytest.raises(UsageError, match="target frame time"):
        ResolutionController(target)


def test_scales_that_do_not_fall_from_one_are_refused() -> None:
    for scales in ((), (0.9, 0.5), (1.0, 0.5, 0.6), (1.0, 0.0)):
        with pytest.raises(UsageError, match="must fall from 1"):
            ResolutionController(TARGET, scales)
    with pytest.raises(UsageError):
        scale_steps(1.5)
    with pytest.raises(UsageError):
        scale_steps(0.5, 0)

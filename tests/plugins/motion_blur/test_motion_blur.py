"""Motion blur smears what moves along its way, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from effect_scenes import view

import renderwright.plugins.motion_blur as motion_blur

pytestmark = pytest.mark.vulkan

SIZE = (96, 160)
COLUMNS, ROWS = np.arange(SIZE[1]), np.arange(SIZE[0])
FAR, NEAR = np.float32(0.01), np.float32(0.05)


def blurred(run_effect, picture, motion, depth=None, **settings) -> np.ndarray:
    """``motion`` in texels from the last frame to this one, (2) or (height, width, 2)."""
    vectors = np.broadcast_to(np.array(motion) / (SIZE[1], SIZE[0]), (*SIZE, 2)).astype(np.float16)
    return run_effect(
        motion_blur,
        motion_blur.MotionBlurSettings(**{"shutter": 1.0, "samples": 32, **settings}),
        "smear",
        source=picture.astype(np.float32),
        motion_vectors=np.ascontiguousarray(vectors),
        depth=np.full(SIZE, FAR) if depth is None else depth,
        camera=view(SIZE),
    )


def noise() -> np.ndarray:
    return np.random.default_rng(6).uniform(0, 4, (*SIZE, 3)).astype(np.float16).astype(np.float32)


def test_what_stands_still_stays_as_it_is(run_effect) -> None:
    assert np.array_equal(blurred(run_effect, noise(), (0.0, 0.0)), noise())
    assert np.array_equal(blurred(run_effect, noise(), (20.0, 9.0), shutter=0.0), noise()), "a closed shutter"
    assert np.array_equal(blurred(run_effect, noise(), (20.0, 9.0), shutter=0.04), noise()), "less than a texel"


@pytest.mark.parametrize("motion", [(24.0, 0.0), (-24.0, 0.0), (0.0, 24.0)])
def test_a_moving_picture_is_averaged_along_the_way(run_effect, motion) -> None:
    """An edge across the motion becomes a ramp as long as the motion times the shutter's share."""
    along = COLUMNS[None, :] - 80 if motion[0] else ROWS[:, None] - 48
    picture = np.broadcast_to(np.where(along < 0, 1.0, 0.0)[..., None], (*SIZE, 3))
    for shutter in (1.0, 0.5):
        result = blurred(run_effect, picture, motion, shutter=shutter)[..., 0]
        profile = result[16:-16].mean(axis=0) if motion[0] else result[:, 16:-16].mean(axis=1)
        expected = np.clip(0.5 - (np.ravel(along) + 0.5) / (24.0 * shutter), 0.0, 1.0)
        assert np.abs(profile - expected).max() < 0.08


def test_lines_along_the_motion_stay_sharp(run_effect) -> None:
    picture = np.broadcast_to(np.where(ROWS % 8 < 4, 1.0, 0.25)[:, None, None], (*SIZE, 3))
    assert np.allclose(blurred(run_effect, picture, (24.0, 0.0)), picture, atol=2e-3)


def moving_box() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A bright box that moves by 24 texels to the right over a dark ground that stands still."""
    box = (np.abs(COLUMNS[None, :] - 79.5) < 20) & (np.abs(ROWS[:, None] - 47.5) < 16)
    picture = np.where(box[..., None], (1.0, 0.5, 0.2), (0.0, 0.0, 0.1))
    return picture, np.where(box[..., None], (24.0, 0.0), (0.0, 0.0)), np.where(box, NEAR, FAR)


def test_a_moving_object_spreads_over_what_stands_still_and_shows_it(run_effect) -> None:
    picture, motion, depth = moving_box()
    row = blurred(run_effect, picture, motion, depth)[44:52, :, 0].mean(axis=0)
    expected = np.clip((20.0 - np.abs(COLUMNS - 79.5)) / 24.0 + 0.5, 0.0, 1.0)
    assert np.abs(row - expected).max() < 0.15
    assert row[58] > 0.25, "outside of the box"
    assert row[62] < 0.75, "inside"
    assert row.sum() == pytest.approx(40.0, rel=0.08)


def test_what_is_before_a_moving_background_stays_sharp(run_effect) -> None:
    """The same picture, but the ground moves behind a box that stands still."""
    picture, _, depth = moving_box()
    box = depth == NEAR
    ground = np.where((COLUMNS // 6 % 2)[None, :, None] == 0, 0.0, 1.0)
    picture = np.where(box[..., None], picture, ground)
    motion = np.where(box[..., None], (0.0, 0.0), (24.0, 0.0))
    result = blurred(run_effect, picture, motion, depth)
    assert np.allclose(result[box], picture[box], atol=0.02)
    assert result[:16, 24:-24].std() < 0.15 < ground.std()


def test_another_thing_s_way_does_not_smear_across_the_own(run_effect) -> None:
    """Ground that moves along its stripes, or not at all, keeps them next to a bar that moves across."""
    stripes = np.where(ROWS % 4 < 2, 1.0, 0.25)[:, None, None]
    bar = np.broadcast_to(np.abs(COLUMNS[None, :] - 80) < 3, SIZE)
    depth = np.where(bar, NEAR, FAR)
    for ground in ((12.0, 0.0), (0.0, 0.0)):
        motion = np.where(bar[..., None], (0.0, 30.0), ground)
        picture = np.broadcast_to(stripes, (*SIZE, 3))
        result = blurred(run_effect, picture, motion, depth)
        beside = (np.abs(COLUMNS - 80) > 4) & (np.abs(COLUMNS - 80) < 24)
        assert np.abs(result - picture)[16:-16, beside].max() < 0.02


def test_what_comes_from_nowhere_does_not_smear(run_effect) -> None:
    assert np.array_equal(blurred(run_effect, noise(), (8.0 * SIZE[1], 8.0 * SIZE[0])), noise())


def test_an_even_picture_stays_even_whatever_moves(run_effect) -> None:
    random = np.random.default_rng(7)
    motion = random.uniform(-40, 40, (*SIZE, 2))
    depth = random.uniform(0.0, 0.1, SIZE).astype(np.float32)
    result = blurred(run_effect, np.full((*SIZE, 3), 1.5), motion, depth, samples=8)
    assert np.allclose(result, 1.5, rtol=2e-3)

"""Noise for images: it repeats, stays within 0 and 1, and is as coarse as was asked for."""

from __future__ import annotations

import numpy as np

from renderwright.engine.scene.pixel_noise import Field, clouds, texels, tileable_noise

SIDE = 64


def steps(field: Field) -> Field:
    """How far neighbours differ, also across the border."""
    return np.stack([np.abs(field - np.roll(field, 1, axis)) for axis in (0, 1)])


def test_noise_continues_at_the_other_side() -> None:
    noise = tileable_noise(np.random.default_rng(1), 4, side=SIDE)
    assert noise.shape == (SIDE, SIDE)
    assert 0.0 <= noise.min() < 0.3 < 0.7 < noise.max() <= 1.0
    within = steps(noise)
    assert within.max() < 0.12
    assert within[0, 0].max() <= within.max()
    assert within[1, :, 0].max() <= within.max()


def test_noise_has_its_values_where_they_were_drawn() -> None:
    values = np.random.default_rng(2).random((4, 8))
    noise = tileable_noise(np.random.default_rng(2), 4, 8, side=SIDE)
    assert np.allclose(noise[:: SIDE // 4, :: SIDE // 8], values)


def test_more_octaves_are_finer() -> None:
    coarse, fine = (clouds(np.random.default_rng(3), 4, octaves, side=SIDE) for octaves in (1, 3))
    for field in (coarse, fine):
        assert 0.0 <= field.min() < field.max() <= 1.0
    assert steps(fine).mean() / fine.std() > 1.3 * steps(coarse).mean() / coarse.std()


def test_channels_become_texels() -> None:
    half, beyond = np.full((2, 3), 0.5), np.full((2, 3), 1.7)
    assert texels(half, beyond, -half).tolist()[1][2] == [128, 255, 0, 255]
    assert texels(half, half, half, 0.0 * half)[..., 3].max() == 0

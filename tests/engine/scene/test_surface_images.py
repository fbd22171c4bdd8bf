"""Computed images of surfaces: they repeat, and a floor's gloss fits its colour."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.engine.scene.surface_images import (
    SIDE,
    marble_pixels,
    parquet_pixels,
    plaster_pixels,
    slate_pixels,
    wood_pixels,
)

COLORS = {
    "plaster": plaster_pixels(3),
    "wood": wood_pixels(5),
    "marble": marble_pixels(7, "color"),
    "slate": slate_pixels(7, "color"),
    "parquet": parquet_pixels(7, "color"),
}


@pytest.mark.parametrize("name", COLORS)
def test_an_image_continues_at_its_opposite_side(name: str) -> None:
    pixels = COLORS[name][..., :3].astype(int)
    assert pixels.shape == (SIDE, SIDE, 3)
    assert pixels.std() > 1.0
    for axis in (0, 1):
        steps = np.abs(np.diff(pixels, axis=axis)).mean(axis=(1 - axis, 2))
        seam = np.abs(pixels.take(0, axis) - pixels.take(-1, axis)).mean()
        assert seam <= 1.2 * steps.max()


def test_seeds_differ_and_repeat() -> None:
    assert (plaster_pixels(3) == COLORS["plaster"]).all()
    assert (plaster_pixels(4) != COLORS["plaster"]).any()


def test_joints_of_marble_are_metal_and_those_of_others_rough() -> None:
    for pixels, metal in ((marble_pixels, True), (slate_pixels, False), (parquet_pixels, False)):
        gloss = pixels(7, "gloss").astype(int)
        joint = gloss[0, 0]
        assert (joint[2] == 255) == metal
        assert joint[1] > gloss[40, 40, 1]

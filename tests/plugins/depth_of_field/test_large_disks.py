"""Depth of field: a small lamp far out of focus is an even disk, with all its light and nothing around it."""

from __future__ import annotations

import numpy as np
import pytest
from effect_scenes import depth_of, view

import renderwright.plugins.depth_of_field as dof

pytestmark = pytest.mark.vulkan

SIZE = (360, 380)
CAMERA = view(SIZE)
MIDDLE = (180, 190)
RADIUS = 36.0
"""The largest that the settings allow, in texels."""
LAMP = (slice(179, 182), slice(189, 192))
RESULT = "post_hdr/depth_of_field/combine"
LENS = {"aperture": 1.0, "largest": 0.1}
EVEN = 0.144
"""Deviation that changes medium grey in sRGB by 0.03."""


def distances() -> np.ndarray:
    y, x = np.indices(SIZE)
    return np.hypot(y - MIDDLE[0], x - MIDDLE[1])


def blurred_lamp(
    make_effect, light: float, lamp_at: float, wall_at: float, focus: float
) -> tuple[np.ndarray, np.ndarray]:
    """What a lamp of 3 texels adds to a wall, and the lamp itself, above the wall."""
    wall = np.full((*SIZE, 3), 0.1, np.float32)
    sharp = wall.copy()
    sharp[LAMP] = light
    depth = depth_of(wall_at, CAMERA, SIZE)
    depth[LAMP] = depth_of(lamp_at, CAMERA)
    inputs = {"source": sharp, "depth": depth, "camera": CAMERA}
    settings = dof.DepthOfFieldSettings(focus=focus, **LENS)
    bench = make_effect(dof, settings, inputs, (RESULT,), "post_hdr")
    bench.frames()
    first = bench.texels(RESULT)
    bench.frames()
    assert np.array_equal(bench.texels(RESULT), first), "a still picture stays the same"
    return (first[..., 0] - wall[..., 0]).astype(float), (sharp - wall)[..., 0].astype(float)


PLACES = {
    "behind the focus": (60.0, np.inf, 2.0),
    "before a farther wall": (60.0, 200.0, 2.0),
    "before a wall in focus": (1.5, 20.0, 20.0),
    "before a wall before the focus": (1.5, 1.6, 20.0),
}


@pytest.mark.parametrize("light", [40.0, 4000.0])
@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_a_small_lamp_becomes_an_even_disk(make_effect, places: tuple[float, ...], light: float) -> None:
    added, lamp = blurred_lamp(make_effect, light, *places)
    inside = added[distances() < 0.85 * RADIUS]
    assert inside.mean() == pytest.approx(lamp.sum() / (np.pi * RADIUS**2), rel=0.15)
    assert inside.std() < EVEN * inside.mean()
    assert added.sum() == pytest.approx(lamp.sum(), rel=0.05)
    around = added[distances() > 1.3 * RADIUS]
    assert np.abs(around).max() < 0.01 * inside.mean()

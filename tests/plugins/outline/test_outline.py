"""Outlines are where surfaces end or turn, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from effect_scenes import depth_of, rays, view

import plugins.outline as outline

pytestmark = pytest.mark.vulkan

SIZE = (32, 40)
CAMERA = view(SIZE)


def lines(run_effect, surface: np.ndarray, normal: np.ndarray | None = None, **settings) -> np.ndarray:
    """Where lines are drawn, from 0 to 1."""
    chosen = outline.OutlineSettings(**{"color": (0.0, 0.0, 0.0), "opacity": 1.0, **settings})
    inputs = {} if normal is None else {"normal": normal.astype(np.float32)}
    picture = np.ones((*SIZE, 3), np.float32)
    return 1.0 - run_effect(outline, chosen, "draw", source=picture, depth=surface, **inputs)[..., 0]


def plane(normal: tuple[float, float, float], away: float) -> np.ndarray:
    """Depth of a plane at so many metres from the camera, which looks along -Z."""
    ray = rays(CAMERA, SIZE)
    length = away / (ray @ np.array(normal))
    return depth_of(np.where(length > 0, length * -ray[..., 2], np.inf), CAMERA)


def test_a_step_into_depth_is_drawn_on_the_near_side(run_effect) -> None:
    depth = depth_of(np.where(np.arange(SIZE[1]) < 20, 5.0, 6.0)[None, :].repeat(SIZE[0], axis=0), CAMERA)
    drawn = lines(run_effect, depth)
    assert np.all(drawn[1:-1, 19] == 1.0)
    drawn[:, 19] = 0.0
    assert np.all(drawn == 0.0)
    thick = lines(run_effect, depth, thickness=3)
    assert np.all(thick[3:-3, 17:20] == 1.0)
    assert np.all(thick[:, 20:] == 0.0)


@pytest.mark.parametrize("normal", [(0.0, 0.0, -1.0), (0.6, 0.0, -0.8), (0.0, -0.98, -0.2), (0.0, -0.9995, -0.03)])
def test_a_plane_has_no_lines_however_tilted(run_effect, normal) -> None:
    normal = tuple(np.array(normal) / np.linalg.norm(normal))
    depth = plane(normal, 2.0)
    assert (depth > 0).mean() > 0.45
    horizon = np.zeros(SIZE, bool)
    horizon[1:-1] = (depth[1:-1] > 0) & ((depth[:-2] == 0) | (depth[2:] == 0))
    assert np.all(lines(run_effect, depth)[~horizon & (depth > 0)] == 0.0)


def test_what_stands_before_the_sky_has_a_line_and_the_sky_has_none(run_effect) -> None:
    depth = np.zeros(SIZE, np.float32)
    depth[10:20, 10:20] = 0.02
    drawn = lines(run_effect, depth)
    border = np.zeros(SIZE, bool)
    border[10:20, 10:20] = True
    border[11:19, 11:19] = False
    assert np.array_equal(drawn == 1.0, border)
    assert np.all(drawn[~border] == 0.0)


def test_a_small_step_has_no_line(run_effect) -> None:
    depth = depth_of(np.where(np.arange(SIZE[1]) < 20, 5.0, 5.02)[None, :].repeat(SIZE[0], axis=0), CAMERA)
    assert np.all(lines(run_effect, depth) == 0.0)
    assert np.all(lines(run_effect, depth, depth=0.002)[1:-1, 19] == 1.0)


def test_a_crease_is_found_by_its_normals_alone(run_effect) -> None:
    depth = depth_of(5.0, CAMERA, SIZE)
    normal = np.zeros((*SIZE, 4))
    normal[:, :20, 2] = 1.0
    normal[:, 20:, :3] = (0.0, np.sin(1.2), np.cos(1.2))
    drawn = lines(run_effect, depth, normal)
    assert np.all(drawn[1:-1, 19:21] == 1.0)
    assert np.all(drawn[:, :19] == 0.0)
    assert np.all(drawn[:, 21:] == 0.0)
    assert np.all(lines(run_effect, depth) == 0.0), "without normals there is only depth to go by"
    assert np.all(lines(run_effect, depth, normal, angle=1.5) == 0.0)


def test_colour_and_opacity(run_effect) -> None:
    depth = np.zeros(SIZE, np.float32)
    depth[10:20, 10:20] = 0.02
    settings = outline.OutlineSettings(color=(0.5, 0.25, 2.0), opacity=0.5)
    picture = np.full((*SIZE, 3), 3.0, np.float32)
    result = run_effect(outline, settings, "draw", source=picture, depth=depth)
    assert np.allclose(result[10, 12], (1.75, 1.625, 2.5), atol=2e-3)
    assert np.array_equal(result[0, 0], picture[0, 0])


def test_normals_draw_nothing_on_what_lies_behind(run_effect) -> None:
    left = np.arange(SIZE[1]) < 20
    depth = depth_of(np.where(left, 5.0, 6.0)[None, :].repeat(SIZE[0], axis=0), CAMERA)
    normal = np.where(left[None, :, None], (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)).repeat(SIZE[0], axis=0)
    drawn = lines(run_effect, depth, normal)
    assert np.all(drawn[1:-1, 19] == 1.0)
    assert np.all(drawn[:, 20:] == 0.0)

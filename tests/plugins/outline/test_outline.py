"""Outlines are where surfaces end or turn, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from effect_scenes import depth_of, rays, view

import renderwright.plugins.outline as outline

pytestmark = pytest.mark.vulkan

SIZE = (32, 40)
CAMERA = view(SIZE)


def lines(run_effect, surface: np.ndarray, normal: np.ndarray | None = None, **settings) -> np.ndarray:
    """Where lines are drawn, from 0 to 1."""
    chosen = outline.OutlineSettings(**{"color": (0.0, 0.0, 0.0), "opacity": 1.0, **settings})
    inputs = {} if normal is None else {"normal": normal.astype(np.float32)}
    picture = np.ones((*SIZE, 3), np.float32)
    return 1.0 - run_effect(outline, chosen, "draw", source=picture, depth=surface, camera=CAMERA, **inputs)[..., 0]


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


@pytest.mark.parametrize("thickness", [1, 2, 3, 4])
def test_a_line_is_as_wide_along_a_diagonal(run_effect, thickness: int) -> None:
    places = np.add.outer(np.arange(SIZE[0]), np.arange(SIZE[1]))
    drawn = lines(run_effect, depth_of(np.where(places < 36, 5.0, 6.0), CAMERA), thickness=thickness)
    assert np.all(drawn[places >= 36] == 0.0)
    across = drawn[8:24].sum(axis=1) / np.sqrt(2.0)
    assert np.all(np.abs(across - thickness) < 0.3)


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
    result = run_effect(outline, settings, "draw", source=picture, depth=depth, camera=CAMERA)
    assert np.allclose(result[10, 12], (1.75, 1.625, 2.5), atol=2e-3)
    assert np.array_equal(result[0, 0], picture[0, 0])


def test_normals_draw_nothing_on_what_lies_behind(run_effect) -> None:
    left = np.arange(SIZE[1]) < 20
    depth = depth_of(np.where(left, 5.0, 6.0)[None, :].repeat(SIZE[0], axis=0), CAMERA)
    normal = np.where(left[None, :, None], (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)).repeat(SIZE[0], axis=0)
    drawn = lines(run_effect, depth, normal)
    assert np.all(drawn[1:-1, 19] == 1.0)
    assert np.all(drawn[:, 20:] == 0.0)


def ball(radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Depth and normals (zero in the sky) of a ball in the middle, so many texels in radius, seen from far away."""
    y, x = np.mgrid[0 : SIZE[0], 0 : SIZE[1]]
    right, up = (x - SIZE[1] / 2 + 0.5) / radius, (SIZE[0] / 2 - 0.5 - y) / radius
    towards = np.sqrt(np.maximum(1.0 - right**2 - up**2, 0.0))
    normal = np.stack([right, up, towards, np.zeros_like(towards)], axis=-1) * (towards > 0)[..., None]
    return depth_of(np.where(towards > 0, 30.0 - towards, np.inf), CAMERA), normal


def test_a_rounded_edge_has_a_line(run_effect) -> None:
    """A quarter turn over three texels."""
    depth = depth_of(5.0, CAMERA, SIZE)
    angle = np.clip((np.arange(SIZE[1]) - 18.0) / 3.0, 0.0, 1.0) * np.pi / 2
    normal = np.zeros((*SIZE, 4))
    normal[..., 0], normal[..., 2] = np.sin(angle), np.cos(angle)
    drawn = lines(run_effect, depth, normal)
    assert np.all(drawn[2:-2, 18:22] == 1.0)
    assert np.all(drawn[:, :17] == 0.0)
    assert np.all(drawn[:, 23:] == 0.0)


@pytest.mark.parametrize("thickness", [1, 2])
def test_a_ball_has_a_line_around_it_and_none_within(run_effect, thickness: int) -> None:
    """Its surface turns by more and more towards its edge, but nowhere all at once."""
    depth, normal = ball(15.0)
    drawn = lines(run_effect, depth, normal, thickness=thickness)[SIZE[0] // 2]
    row = np.flatnonzero(depth[SIZE[0] // 2])
    assert np.all(drawn[row[:thickness]] == 1.0)
    assert np.all(drawn[row[thickness + 1 : -thickness - 1]] == 0.0)


@pytest.mark.parametrize("thickness", [1, 2, 4])
def test_a_wall_on_the_ground_has_a_line_on_both_sides_of_the_fold(run_effect, thickness: int) -> None:
    """However coarse the picture is: where the two meet neither lies before the other."""
    floor, wall = plane((0.0, -1.0, 0.0), 1.0), depth_of(5.0, CAMERA, SIZE)
    on_floor = floor > wall
    assert 6 < on_floor.mean() * SIZE[0] < 26
    normal = np.where(on_floor[..., None], (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))
    drawn = lines(run_effect, np.maximum(floor, wall), normal, thickness=thickness)
    fold = int(np.argmax(on_floor[:, 20]))
    assert np.all(drawn[fold - thickness : fold + thickness, 4:-4] == 1.0)
    assert np.all(drawn[: fold - thickness, 4:-4] == 0.0)
    assert np.all(drawn[fold + thickness :, 4:-4] == 0.0)

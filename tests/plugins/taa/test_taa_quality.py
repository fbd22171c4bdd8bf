"""What TAA is for: pictures near those of many samples a texel, that hold still and leave no ghosts."""

from __future__ import annotations

import numpy as np
import pytest
from taa_scenes import jitter_camera, pictures, reference, start

from benchmarks.quality.effects.steadiness import flicker, trail
from benchmarks.quality.flip import flip_of_shown as flip
from benchmarks.quality.scenes import OrbitEnd, OrbitingCamera, StillScene
from renderwright.engine.game import Game
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan


def played(game: type[Game], backend: VulkanBackend, frames: int, keep: int = 1, *, taa: bool = True) -> list:
    session = start(game, backend, *(["taa"] if taa else []))
    try:
        return pictures(session, frames, keep)
    finally:
        session.close()


def test_still_frames_come_near_64_samples(backend: VulkanBackend) -> None:
    right = reference(StillScene, backend)
    smooth, rough = played(StillScene, backend, 32)[0], played(StillScene, backend, 2, taa=False)[0]
    assert flip(right, smooth) <= 0.02
    assert np.abs(smooth - right).mean() < 0.5 * np.abs(rough - right).mean()


def test_still_pictures_hold_still(backend: VulkanBackend) -> None:
    session = start(StillScene, backend)
    try:
        jitter_camera(session, 16)
        bare = flicker(pictures(session, 16, 16))
    finally:
        session.close()
    steady = flicker(played(StillScene, backend, 40, 16))
    assert bare > 0.01
    assert steady * 20 < bare


def test_a_flying_camera_does_not_smear(backend: VulkanBackend) -> None:
    """In flight, edges are nearer to those of many samples than with one sample, and the picture is nearly as sharp."""
    right = reference(OrbitEnd, backend)
    moving = played(OrbitingCamera, backend, OrbitingCamera.frames)[0]
    rough = played(OrbitEnd, backend, 2, taa=False)[0]

    def worst(picture: np.ndarray) -> float:
        return float(np.quantile(np.abs(picture - right), 0.99))

    def contrast(picture: np.ndarray) -> float:
        return float(np.abs(np.diff(picture, axis=0)).mean() + np.abs(np.diff(picture, axis=1)).mean())

    assert worst(moving) < 0.7 * worst(rough)
    assert 0.85 < contrast(moving) / contrast(right) < 1.1 < contrast(rough) / contrast(right)


def test_what_has_passed_leaves_no_ghost(backend: VulkanBackend) -> None:
    """One frame after a ball has left them, texels are as if it had never been there, by 2 steps of 8 bits; by 5 on the
    edges of what comes to light, which are smoothed anew."""
    left = trail(backend)
    assert left.ball > 0.3, "the ball itself is seen"
    assert min(left.texels) > 100
    assert left.flat <= 2.5 / 255
    assert left.edges <= 5.5 / 255

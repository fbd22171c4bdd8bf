"""What TAA is for: pictures near those of many samples a texel, that hold still and leave no ghosts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import flip_evaluator
import numpy as np
import pytest
from taa_scenes import (
    NoBall,
    OrbitEnd,
    OrbitingCamera,
    PassingBall,
    StillScene,
    jitter_camera,
    pictures,
    reference,
    start,
)

from engine.game import Game
from render.backend.vulkan.backend import VulkanBackend

NOTHING = 0.5 / 255
"""Less than a step of 8 bits."""

pytestmark = pytest.mark.vulkan


@pytest.fixture(scope="module")
def backend() -> Iterator[VulkanBackend]:
    backend = VulkanBackend(validate=True)
    yield backend
    backend.close()
    assert [message.text for message in backend.validation_messages] == []


def flip(right: np.ndarray, shown: np.ndarray) -> float:
    result: Any = flip_evaluator.evaluate(right, shown, "LDR")
    return float(result[1])


def played(game: type[Game], backend: VulkanBackend, frames: int, keep: int = 1, *, taa: bool = True) -> list:
    session = start(game, backend, *(["taa"] if taa else []))
    try:
        return pictures(session, frames, keep)
    finally:
        session.close()


def flicker(frames: list) -> float:
    """Mean difference from frame to frame."""
    return float(np.mean([np.abs(one - other).mean() for one, other in pairwise(frames)]))


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
    frames, kept = 24, 10
    with_ball, without = (played(game, backend, frames, kept) for game in (PassingBall, NoBall))
    empty = played(NoBall, backend, frames, kept, taa=False)
    plain = [
        np.abs(a - b).max(axis=2)
        for a, b in zip(played(PassingBall, backend, frames, kept, taa=False), empty, strict=True)
    ]
    edges = grown(np.abs(np.diff(empty[-1], axis=0, append=0.0)).max(axis=2) > 0.05, 1)
    seen = [difference > 0.02 for difference in plain]
    passed = np.logical_or.reduce(seen[:-1]) & ~grown(plain[-1] > NOTHING, 2)  # nor in the edge of its shadow
    assert passed.sum() > 100
    difference = np.abs(with_ball[-1] - without[-1]).max(axis=2)
    assert difference[seen[-1]].max() > 0.3, "the ball itself is seen"
    assert (passed & ~edges).sum() > 100
    assert difference[passed & ~edges].max() <= 2.5 / 255
    assert difference[passed].max() <= 5.5 / 255


def grown(mask: np.ndarray, texels: int) -> np.ndarray:
    """The mask and all within so many texels of it."""
    result = mask.copy()
    for y in range(-texels, texels + 1):
        for x in range(-texels, texels + 1):
            result |= np.roll(mask, (y, x), axis=(0, 1))
    return result

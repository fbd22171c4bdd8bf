"""What upscaling is for: pictures near those of TAA at full size, from fewer texels, without ghosts."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from pyglm import glm

from benchmarks.quality.effects.steadiness import flicker, trail
from benchmarks.quality.effects.upscaling import EXTENT, anti_aliased, difference, last_frame, still_picture, upscaled
from benchmarks.quality.lamps import Lamps, kept, right_light
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.scenes import Beams, OrbitEnd, OrbitingCamera, StillScene
from renderwright.engine.game import Game
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

STILL = 32
SCALES = (0.77, 0.5)


@pytest.fixture(scope="module")
def right(backend: VulkanBackend):
    """The picture of a still game with 64 samples a texel."""
    return functools.cache(lambda game: still_picture(game, backend))


@pytest.fixture(scope="module")
def native(backend: VulkanBackend):
    """The last of some frames of a game with TAA at full size."""
    return functools.cache(lambda game, frames: last_frame(game, backend, frames, anti_aliased()))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("game", [StillScene, Beams])
def test_a_still_picture_comes_near_many_samples(
    backend: VulkanBackend, right, native, game: type[Game], scale: float
) -> None:
    with played(game, backend, EXTENT, upscaled(scale)) as play:
        play.frames(1)
        first = play.shown()
        play.frames(STILL - 1)
        shown = play.shown()
    assert difference(right(game), shown) <= difference(right(game), native(game, STILL)) + 0.006
    assert difference(native(game, STILL), shown) <= 0.02
    assert np.abs(shown - right(game)).mean() < 0.5 * np.abs(first - right(game)).mean()


def test_at_full_size_it_is_near_taa(backend: VulkanBackend, native) -> None:
    shown = last_frame(StillScene, backend, STILL, upscaled(1.0))
    assert difference(native(StillScene, STILL), shown) <= 0.01


@pytest.mark.parametrize("scale", SCALES)
def test_a_flying_camera_does_not_smear(backend: VulkanBackend, right, native, scale: float) -> None:
    frames, still = OrbitingCamera.frames, right(OrbitEnd)
    shown = last_frame(OrbitingCamera, backend, frames, upscaled(scale))
    assert difference(still, shown) <= difference(still, native(OrbitingCamera, frames)) + 0.02
    assert 0.7 < contrast(shown) / contrast(still) < 1.1


def contrast(picture: Floats) -> float:
    """Mean difference between neighbouring texels."""
    return float(np.abs(np.diff(picture, axis=0)).mean() + np.abs(np.diff(picture, axis=1)).mean())


@pytest.mark.parametrize("scale", SCALES)
def test_what_has_passed_leaves_no_ghost(backend: VulkanBackend, scale: float) -> None:
    left = trail(backend, upscaled(scale), texel=1.0 / scale)
    assert left.ball > 0.3, "the ball itself is seen"
    assert min(left.texels) > 100
    assert left.flat <= 2.5 / 255
    assert left.edges <= 5.5 / 255


def test_a_still_picture_holds_still(backend: VulkanBackend) -> None:
    shown = []
    with played(StillScene, backend, EXTENT, upscaled(0.5)) as play:
        play.frames(STILL)
        for _ in range(16):
            play.frames()
            shown.append(play.shown())
    assert flicker(shown) < 0.003


class FewLamps(Lamps):
    """Lamps that samples miss in most frames, and lamps that they nearly always hit."""

    widths = (1.0, 2.2)
    strengths = (2.0, 400.0)
    rings = 12  # whose light is compared with that of the same spheres


class PannedLamps(FewLamps):
    """The same lamps in a slow pan."""

    speed = 0.055
    start = -2.0


def test_small_lamps_keep_most_of_their_light(backend: VulkanBackend) -> None:
    half = chosen(["upscaling"], upscaling={"scale": "0.5"})
    light = right_light(FewLamps, backend, side=5)  # odd: no place of the lattice has the samples of another
    for game in (FewLamps, PannedLamps):
        seen = kept(game, backend, light, half, frames=48)
        assert np.all(np.abs(seen.mean - 1.0) < 0.35), game


class Cut(StillScene):
    """The camera jumps to another place."""

    step = 1 / 60
    jump = 12

    def setup(self, context) -> None:
        super().setup(context)
        self.steps = 0

    def update(self, dt: float) -> None:
        self.steps += 1
        if self.steps >= self.jump:
            self.context.scene.camera.position = glm.vec3(-3.0, 1.1, 2.6)
            self.context.scene.snap_cameras()


class AfterCut(Cut):
    """The same from the other place only."""

    jump = 1


@pytest.mark.parametrize("scale", SCALES)
def test_a_cut_begins_a_new_picture(backend: VulkanBackend, scale: float) -> None:
    """Soon after a jump the picture is as near to the right one as a run that began there."""
    frames = 4
    begun = last_frame(AfterCut, backend, frames, upscaled(scale))
    with played(Cut, backend, EXTENT, upscaled(scale)) as play:
        play.frames(Cut.jump - 1)
        before = play.shown()
        play.frames(frames + 1)
        cut = play.shown()
    plain = last_frame(AfterCut, backend, 2, chosen(tonemap={"dither": "false"}))
    assert difference(plain, before) > 0.1, "another picture"
    assert difference(plain, cut) < difference(plain, begun) + 0.015

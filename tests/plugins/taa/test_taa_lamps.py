"""Small lamps under TAA: they keep their light, do not blink, and go out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest

from benchmarks.quality.lamps import Kept, Lamps, kept, right_light
from benchmarks.quality.play import chosen, played
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan


class FewLamps(Lamps):
    """Lamps that samples sometimes miss, and lamps that they always hit."""

    widths: ClassVar[tuple[float, ...]] = (1.0, 2.2)
    strengths: ClassVar[tuple[float, ...]] = (2.0, 400.0)
    rings = 12  # whose light is compared with that of the same spheres


class PannedLamps(FewLamps):
    """The same lamps in a slow pan."""

    speed = 0.055
    start = -2.0


class LampsGoOut(FewLamps):
    """All lamps are dark from a step on."""

    last_step = 20

    def setup(self, context):
        super().setup(context)
        self.steps = 0

    def update(self, dt: float) -> None:
        self.steps += 1
        for entity in self.context.scene:
            entity.visible = self.steps < self.last_step


Measured = Callable[..., Kept]


@pytest.fixture(scope="module")
def measured(backend: VulkanBackend) -> Measured:
    """What frames of a game keep of the light of its lamps, with these plugins."""
    right = right_light(FewLamps, backend, side=9)  # samples at other places for each of the 16 of lamps
    return functools.cache(lambda game, *enable: kept(game, backend, right, chosen(enable), frames=32))


@pytest.mark.parametrize("game", [FewLamps, PannedLamps])
def test_lamps_keep_their_light(game: type[Lamps], measured: Measured) -> None:
    assert measured(game, "taa").mean == pytest.approx(np.ones((2, 2)), abs=0.05)


def test_lamps_in_a_slow_pan_do_not_blink(measured: Measured) -> None:
    assert np.all(measured(PannedLamps, "taa").change < 0.5 * measured(PannedLamps).change)


def test_a_lamp_that_goes_out_is_gone_in_a_few_frames(backend: VulkanBackend) -> None:
    """Three frames without a sample may be chance; after them, the picture is that of the sky."""
    with played(LampsGoOut, backend, LampsGoOut.extent(), chosen(["taa"])) as play:
        play.frames(LampsGoOut.last_step)
        assert play.light().max() > 100.0
        play.frames(6)
        assert play.light().max() < 0.021

"""The reference pictures with full-screen nodes as compute shaders: each effect looks as it does when it is drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from playing import flip
from reference_shots import MOMENTS, Moment
from reference_studio import take

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.sync.queues import ALL_QUEUES
from renderwright.render.types.fullscreen import Fullscreen

MOST_VALUES_APART = 0.001
"""The share of values that may be one step apart: ``uv`` is interpolated in one way and computed in the other."""


STEPS_APART = {"taa": 2, "taa_in_motion": 5}
"""More than one step where a picture accumulates over frames: 2 on lavapipe, 5 on an NVIDIA H100."""

WAYS = (Fullscreen.FRAGMENT, Fullscreen.COMPUTE)
COMPARED = [
    *[moment for moment in MOMENTS if moment.players == 1],
    *[
        replace(moment, shots=tuple(shot for shot in moment.shots if shot.name == "split_screen_2_vr"))
        for moment in MOMENTS
        if moment.players == 2
    ],
]


def pictures(backend: VulkanBackend, moment: Moment, how: Fullscreen) -> dict[str, NDArray[np.int64]]:
    options = CompileOptions(packing=PackPolicy.BALANCED, queues=ALL_QUEUES, fullscreen=how)
    return {shot.name: np.int64(picture) for shot, picture in take(backend, moment, moment.shots, options)}


@pytest.mark.vulkan
@pytest.mark.parametrize("moment", COMPARED, ids=lambda moment: moment.name)
def test_both_ways_draw_the_same_pictures(
    backend: VulkanBackend, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored to sRGB textures is drawn: lavapipe encodes it for attachments by an approximation."""
    able = backend.capabilities
    monkeypatch.setattr(
        backend, "capabilities", replace(able, storage_formats=able.storage_formats - {"rgba8_srgb", "bgra8_srgb"})
    )
    drawn, computed = (pictures(backend, moment, how) for how in WAYS)
    for name, picture in drawn.items():
        apart = np.abs(picture - computed[name])
        assert apart.max() <= STEPS_APART.get(name, 1), name
        assert np.count_nonzero(apart) <= MOST_VALUES_APART * apart.size, name


@pytest.mark.vulkan
def test_encoded_pictures_look_the_same(backend: VulkanBackend) -> None:
    """Antialiasing of the encoded picture decides by thresholds, which a step may pass."""
    names = ("marbles", "fxaa", "tonemap_aces", "ssaa", "vr")
    moment = next(moment for moment in MOMENTS if moment.name == "game")
    chosen = replace(moment, shots=tuple(shot for shot in moment.shots if shot.name in names))
    drawn, computed = (pictures(backend, chosen, how) for how in WAYS)
    assert set(drawn) == set(names)
    for name, picture in drawn.items():
        apart = np.abs(picture - computed[name])
        assert np.count_nonzero(apart > 1) <= 0.003 * apart.size, name
        assert flip(np.uint8(picture), np.uint8(computed[name])) < 0.02, name

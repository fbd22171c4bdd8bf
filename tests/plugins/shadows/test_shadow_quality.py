"""Soft shadows are near those of many lights; ``renderwright bench quality`` has the figures at full size."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.quality.flip import flip
from benchmarks.quality.soft_shadows import CASES, reference, shaded
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (112, 63)


@pytest.mark.parametrize("light", CASES)
def test_edges_are_those_of_a_light_of_that_size(backend: VulkanBackend, light: str) -> None:
    """Without shadows most of what is wrong is missing shadows; PCSS is nearer than edges that are all alike."""
    case = CASES[light]
    right = reference(case, backend, EXTENT, 16)
    bare, even, soft = (
        shaded(case, backend, EXTENT, settings) for settings in (None, {"edges": "pcf"}, {"edges": "pcss"})
    )
    assert flip(right, soft) < 0.008
    assert flip(right, even) < 0.015
    errors = [float(np.abs(one - right).mean()) for one in (bare, even, soft)]
    assert errors[2] < 0.7 * errors[1] < 0.2 * errors[0]

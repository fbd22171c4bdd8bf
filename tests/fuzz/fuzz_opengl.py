"""Cases of OpenGL: random games there and on Vulkan have the same pictures, but for rounding."""

from __future__ import annotations

import random
from contextlib import closing

import numpy as np
from game_walks import pictures, random_walk, walk_show

from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

NEAR = 0.25
"""The mean difference that two pictures may have, in steps of 255. An effect that decides by a threshold may decide
otherwise at single texels."""

FRAMES = 5


def opengl_case(seed: int) -> str:
    """A random walk. Ends with ``equal`` if no value differs by more than a step, else ``near``; the driver's debug
    output is silent."""
    walk = random_walk(random.Random(seed), frames=FRAMES)
    opened: list[OpenGLBackend] = []

    def backend() -> Backend:
        opened.append(OpenGLBackend(validate=True))
        return opened[-1]

    with closing(walk_show(walk, backend)) as show:
        drawn = pictures(walk, show)
    assert [message.text for one in opened for message in one.validation_messages] == []
    with closing(walk_show(walk, VulkanBackend)) as show:
        expected = pictures(walk, show)
    largest = 0
    for frame, (one, other) in enumerate(zip(drawn, expected, strict=True)):
        steps = np.abs(one.picture.astype(int) - other.picture.astype(int))
        assert steps.mean() < NEAR, f"frame {frame} of {walk} differs by {steps.mean():.2f} steps on average"
        largest = max(largest, int(steps.max()))
    return "equal" if largest <= 1 else "near"

"""Cases of long games: whatever comes and goes, the process holds as much memory after the second round as after the
third one. The software drivers hold a device's memory there as well."""

from __future__ import annotations

import ctypes
import gc
import random
from contextlib import closing
from dataclasses import replace

import psutil
from game_walks import REPLAYS, pictures, random_walk, walk_show

from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

FRAMES = 240
MOST_GROWTH = 8 * 2**20
"""Bytes in a round, for what an allocator does not give back."""


def soak_case(seed: int, frames: int = FRAMES) -> str:
    """Three rounds of the same random walk, ``frames`` in all, of which each one leaves the plugins as it found them.

    Successive seeds have successive games, on OpenGL and then on Vulkan. The backend's validation is silent. Ends with
    the names of both.
    """
    game, on_vulkan = list(REPLAYS)[seed % len(REPLAYS)], seed // len(REPLAYS) % 2 == 1
    walk = random_walk(random.Random(seed), frames=max(frames // 6, 1), game=game)
    walk = replace(walk, steps=walk.steps * 2)
    opened: list[OpenGLBackend | VulkanBackend] = []

    def backend() -> Backend:
        opened.append(VulkanBackend(validate=True) if on_vulkan else OpenGLBackend(validate=True))
        return opened[-1]

    held = []
    with closing(walk_show(walk, backend)) as show:
        for _ in range(3):
            pictures(walk, show)
            gc.collect()
            _give_back()
            held.append(psutil.Process().memory_info().rss)
    assert [message.text for one in opened for message in one.validation_messages] == []
    assert held[2] - held[1] < MOST_GROWTH, f"{[size // 2**10 for size in held]} KiB after each round of {walk}"
    return f"{game} on {'Vulkan' if on_vulkan else 'OpenGL'}"


def _give_back() -> None:
    """Give free memory back to the system, where the C library can: its heaps grow and shrink by 50 MiB otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

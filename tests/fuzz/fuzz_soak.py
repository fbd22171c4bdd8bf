"""Cases of long games: whatever comes and goes, the process soon holds as much memory after a round as after the one
before. The software drivers hold a device's memory there as well."""

from __future__ import annotations

import ctypes
import gc
import random
from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import psutil
from game_walks import REPLAYS, pictures, random_walk, walk_show

from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

FRAMES = 240
MOST_GROWTH = 8 * 2**20
"""Bytes in a round, for what an allocator does not give back."""

ROUNDS, MOST_ROUNDS = 3, 6
"""How many are played, and how many at most if memory has grown: what leaks does so in each round. llvmpipe frees a
deleted texture only when it records into the scene again that has read it, and has several of these in turn: it may
hold the maps of all lamps for long, once."""


def soak_case(seed: int, frames: int = FRAMES) -> str:
    """Rounds of the same random walk, of which each one leaves the plugins as it found them; three have ``frames``.

    Successive seeds have successive games, on OpenGL and then on Vulkan. The backend's validation is silent. Ends with
    the names of both.
    """
    game, on_vulkan = list(REPLAYS)[seed % len(REPLAYS)], seed // len(REPLAYS) % 2 == 1
    walk = random_walk(random.Random(seed), frames=max(frames // (2 * ROUNDS), 1), game=game)
    walk = replace(walk, steps=walk.steps * 2)
    opened: list[OpenGLBackend | VulkanBackend] = []

    def backend() -> Backend:
        opened.append(VulkanBackend(validate=True) if on_vulkan else OpenGLBackend(validate=True))
        return opened[-1]

    held: list[int] = []
    with closing(walk_show(walk, backend)) as show:
        while len(held) < ROUNDS or (not is_flat(held) and len(held) < MOST_ROUNDS):
            pictures(walk, show)
            gc.collect()
            _give_back()
            held.append(psutil.Process().memory_info().rss)
    assert [message.text for one in opened for message in one.validation_messages] == []
    assert is_flat(held), f"{[size // 2**10 for size in held]} KiB after each round of {walk}"
    return f"{game} on {'Vulkan' if on_vulkan else 'OpenGL'}"


def is_flat(held: list[int]) -> bool:
    """Whether memory has stayed since the second round, or behind a step for two rounds, given the bytes after each.

    The first round fills caches.
    """
    grown = [after - before >= MOST_GROWTH for before, after in pairwise(held[1:])]
    return not any(grown[-2:])


def _give_back() -> None:
    """Give free memory back to the system, where the C library can: its heaps grow and shrink by 50 MiB otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

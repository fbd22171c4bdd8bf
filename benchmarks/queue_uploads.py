"""The cost of textures that appear while frames run: waited for, or streamed in the background."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.queue_frame import Load, queue_frame, running
from renderwright.render.backend.streamed import Streamed
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.usages import Usage

EVERY = 8
"""A texture appears in every n-th frame."""


@dataclass(frozen=True)
class Uploads:
    """Seconds of a frame by the host's clock: median and longest. ``right`` says that all textures arrived
    unchanged."""

    median: float
    longest: float
    right: bool


def measure_uploads(
    backend: VulkanBackend, options: CompileOptions, load: Load, frames: int, side: int
) -> dict[str, Uploads]:
    """Play the frame without textures, with textures of ``side`` x ``side`` texels that are waited for, and with
    streamed ones."""
    info = TextureInfo("rgba8_unorm", (side, side), side.bit_length(), 1, 1, frozenset({Usage.SAMPLED}))
    pixels = np.random.default_rng(1).integers(0, 256, (side, side, 4), np.uint8)

    def waited() -> Streamed[PhysicalTexture]:
        return Streamed.resident_now(backend.create_texture(info, "texture", pixels))

    def streamed() -> Streamed[PhysicalTexture]:
        return backend.stream_texture(info, "texture", pixels)

    found = {}
    for way, appear in (("no textures", None), ("waited for", waited), ("streamed", streamed)):
        with running(queue_frame(load), backend, options) as runtime:
            times, made = _play(runtime, frames, appear)
            backend.wait_idle()
            textures = [each.wait() for each in made]
            right = all(
                np.array_equal(backend.read_texture(each, Layout.SHADER_READ_ONLY), pixels) for each in textures
            )
            for texture in textures:
                backend.destroy(texture)
        found[way] = Uploads(statistics.median(times), max(times), right)
    return found


def _play(
    runtime: Runtime, frames: int, appear: Callable[[], Streamed[PhysicalTexture]] | None
) -> tuple[list[float], list[Streamed[PhysicalTexture]]]:
    """Seconds of each frame, and the textures that appeared."""
    for _ in range(2 * EVERY):
        runtime.render(None)
    runtime.backend.wait_idle()
    times, made = [], []
    for frame in range(frames):
        start = time.perf_counter()
        if frame % EVERY == 0 and appear is not None:
            made.append(appear())
        runtime.render(None)
        times.append(time.perf_counter() - start)
    return times, made

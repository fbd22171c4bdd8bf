"""The prefiltered environment of a scene on the GPU."""

from __future__ import annotations

from functools import partial

import numpy as np

from renderwright.engine.renderer.environment.prefilter import (
    FORMAT,
    IMAGE,
    RESULTS,
    face_size,
    prefilter_graph,
    results,
)
from renderwright.engine.renderer.probes.probe_set import ProbeSet
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.render.backend.protocol import Backend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.on_demand import run_once
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.usages import Usage

NODE = "environment"
_BRIGHTEST = 65000.0
"""Clamp of radiance, slightly below the largest 16-bit float."""


def request_panorama(reg: Registry) -> None:
    """Request the environment textures of ``lighting.glsl``, if the scene has an environment."""
    __tracebackhide__ = True
    for name in RESULTS:
        reg.read(name).sampled().optional()


def request_environment(reg: Registry) -> None:
    """Request what lights surfaces from all sides in ``lighting.glsl``: the environment, and probes, if there are."""
    __tracebackhide__ = True
    request_panorama(reg)
    reg.read("probes", ProbeSet).optional()
    reg.read("probe_reflections").sampled(stage="fragment").optional()


def declare_environment(graph: FrameGraph, environment: Environment) -> None:
    """Add the node that declares the environment's textures as external resources of the frame."""
    descs = results(_face_size(environment.panorama))

    def declare(reg: Registry) -> None:
        for name, desc in descs.items():
            reg.external(name, desc).sampled()

    graph.add_node(NODE, declare)


class EnvironmentTextures:
    """Holds the textures of a scene's current environment, and their node in the frame's graph.

    Without an environment there is no such node, and lighting nodes use the sky.
    """

    def __init__(self) -> None:
        self._shown: tuple[Panorama, float] | None = None
        self._textures: dict[str, PhysicalTexture] = {}

    def follow(self, environment: Environment | None, runtime: Runtime) -> None:
        """Update textures and graph between frames. A new panorama is prefiltered."""
        wanted = (environment.panorama, environment.turn) if environment is not None else None
        if wanted == self._shown:
            return
        textures = _filtered(*wanted, runtime) if wanted is not None else {}
        before, self._textures = self._textures, textures
        self._shown = wanted
        for name, texture in textures.items():
            runtime.graph.set_external(name, partial(_given, texture))
        if environment is not None:
            declare_environment(runtime.graph, environment)
        elif NODE in runtime.graph.node_names:
            runtime.graph.remove_node(NODE)
        runtime.when_shown(lambda: _destroy(before, runtime.backend))

    def release(self, backend: Backend) -> None:
        """Release the textures."""
        _destroy(self._textures, backend)
        self.forget()

    def forget(self) -> None:
        """Discard all state after a device loss. The next frame recreates it."""
        self._shown, self._textures = None, {}


def _destroy(textures: dict[str, PhysicalTexture], backend: Backend) -> None:
    for texture in textures.values():
        backend.destroy(texture)


def _face_size(panorama: Panorama) -> int:
    return face_size(panorama.pixels.shape[0])


def _filtered(panorama: Panorama, turn: float, runtime: Runtime) -> dict[str, PhysicalTexture]:
    image = _uploaded(panorama, runtime.backend)
    try:
        graph = prefilter_graph(_face_size(panorama), turn)
        graph.set_external(IMAGE, lambda context: image)
        return dict(run_once(runtime, graph, keep=RESULTS).textures)
    finally:
        runtime.backend.destroy(image)


def _uploaded(panorama: Panorama, backend: Backend) -> PhysicalTexture:
    height, width = panorama.pixels.shape[:2]
    texels = np.ones((height, width, 4), np.float16)
    texels[..., :3] = np.clip(panorama.pixels, 0.0, _BRIGHTEST)
    info = TextureInfo(FORMAT, (width, height), 1, 1, 1, frozenset({Usage.SAMPLED}))
    return backend.create_texture(info, panorama.name, texels)


def _given(texture: PhysicalTexture, context: object) -> PhysicalTexture:
    return texture

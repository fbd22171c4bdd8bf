"""Runs all nodes of one plugin on inputs made for a test, for one or several frames, under validation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from pydantic import BaseModel

from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.nodes import GLSL
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import Chain
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

FORMATS = {(np.float32, 1): "r32_sfloat", (np.float32, 4): "rgba32_sfloat", (np.float16, 2): "rg16_sfloat"}
FORMATS |= {(np.uint8, 4): "rgba8_srgb"}


class EffectBench:
    """A frame of a plugin's nodes. ``blobs`` may be changed between frames; ``wanted`` names what will be read."""

    def __init__(
        self,
        backend: VulkanBackend,
        plugin: ModuleType,
        settings: BaseModel,
        inputs: Mapping[str, Any],
        wanted: tuple[str, ...],
        chain: str,
    ) -> None:
        self.backend = backend
        self.blobs = {name: value for name, value in inputs.items() if not isinstance(value, np.ndarray)}
        self._textures = []
        self.graph = FrameGraph()
        self.graph.add_chain(Chain(chain, "source", "finished"))
        for name, value in inputs.items():
            if isinstance(value, np.ndarray):
                self._give_texture(name, value)
            else:
                self._give_blob(name)
        height, width = inputs["source"].shape[:2]
        for resolution in ("main_view", "picture", "output"):
            self.graph.set_resolution(resolution, (width, height))
        for name in wanted:
            self.graph.add_sink(name)
        name = plugin.__name__.rpartition(".")[2]
        nodes = PluginGraph(name, Path(plugin.__file__ or "").parent / "glsl")
        plugin.renderwright_nodes(nodes, settings)
        for node in nodes.close():
            self.graph.add_node(node.name, node.declare, plugin=name, shader_paths=(nodes.shader_path,))
        self.target = backend.create_target((8, 8))
        drawn = CompileOptions(fullscreen=Fullscreen.FRAGMENT)  # texels() finds textures as they were drawn
        self.runtime = Runtime(self.graph, backend, ShaderLibrary([GLSL]), options=drawn, on_failure=self._fail)

    def _fail(self, failure: Any) -> None:
        raise failure.error

    def _give_texture(self, name: str, value: np.ndarray) -> None:
        channels = value.shape[2] if value.ndim == 3 else 1
        if channels == 3:
            one = 255 if value.dtype == np.uint8 else 1
            value = np.concatenate([value, np.full((*value.shape[:2], 1), one, value.dtype)], axis=2)
        format_ = FORMATS[value.dtype.type, 4 if channels == 3 else channels]
        height, width = value.shape[:2]
        info = TextureInfo(format_, (width, height), 1, 1, 1, frozenset({Usage.SAMPLED}))
        texture = self.backend.create_texture(info, name, np.ascontiguousarray(value.reshape(height, width, -1)))
        self._textures.append(texture)
        desc = Texture(format_, (width, height))
        self.graph.add_node(f"given_{name}", lambda reg: reg.external(name, desc).sampled() and None)
        self.graph.set_external(name, lambda context: texture)

    def _give_blob(self, name: str) -> None:
        def declare(reg):
            blob = reg.create(name, type(self.blobs[name]))

            def execute(cmd) -> None:
                blob.value = self.blobs[name]

            return execute

        self.graph.add_node(f"given_{name}", declare)

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.runtime.render(self.target)

    def texels(self, name: str) -> np.ndarray:
        return np.asarray(self.backend.read_texture(self.runtime.resource(name), Layout.COLOR_ATTACHMENT))

    def buffer(self, name: str) -> np.ndarray:
        return np.frombuffer(self.backend.read_buffer(self.runtime.resource(name)), np.uint8)

    def close(self) -> None:
        self.backend.wait_idle()
        self.runtime.close()
        self.target.close()
        for texture in self._textures:
            self.backend.destroy(texture)

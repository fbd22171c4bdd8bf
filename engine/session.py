"""A game on a backend: steps the game, hands its scene to the graph, renders frames."""

from __future__ import annotations

import logging

import numpy as np
from numpy.typing import NDArray

from engine.clock import FixedStepClock
from engine.frame import build_frame
from engine.game import Game, GameContext, GameRunner
from engine.hud import Hud
from engine.input.source import InputSource
from engine.options import PluginChoice
from engine.renderer.blobs import LightSet
from engine.renderer.frame_input import FrameInput
from engine.renderer.geometry import DrawSet
from engine.renderer.gpu_scene import GpuScene
from engine.renderer.nodes import GLSL
from render.backend.protocol import Backend, PhysicalTexture, Target
from render.errors import FramewrightError, MissingToolError
from render.graph.resources import Extent
from render.memory.physical import TextureInfo
from render.runtime.failures import NodeFailure
from render.runtime.runtime import FrameReport, Runtime
from render.shaders.library import ShaderLibrary
from render.sync.flags import Layout
from render.sync.usages import Usage

log = logging.getLogger("framewright.session")


class Session:
    """One game running on one backend.

    ``step`` plays a frame and ``render`` shows it. Plugins can be switched through ``plugins`` at any time. ``close``
    gives everything back that the session made; the backend stays the caller's.
    """

    def __init__(
        self,
        game: type[Game],
        backend: Backend,
        extent: Extent,
        *,
        choice: PluginChoice | None = None,
        strict: bool = False,
        seed: int = 0,
        clock: FixedStepClock | None = None,
        source: InputSource | None = None,
    ) -> None:
        self.backend = backend
        self.extent = extent
        self.strict = strict
        self.hud = Hud(*extent)
        self.context = GameContext(hud=self.hud, seed=seed)
        self.runner = GameRunner(game(), self.context, clock=clock, source=source)
        self._scene = GpuScene(backend)
        self._input = FrameInput.of(self.context.scene, self._scene)
        self._atlas = self._upload_atlas()
        try:
            built = build_frame(
                game,
                choice or PluginChoice(),
                extent,
                self._input,
                backend=backend.capabilities.backend,
                strict=strict,
            )
            self.graph, self.plugins = built.graph, built.plugins
            self._provide_externals()
            library = ShaderLibrary([GLSL])
            self.runtime = Runtime(self.graph, backend, library, on_failure=self._on_failure)
            self.runner.start()
        except BaseException:
            self._release()
            raise

    def _upload_atlas(self) -> PhysicalTexture:
        coverage = self.hud.atlas.coverage[:, :, np.newaxis]
        height, width = coverage.shape[:2]
        info = TextureInfo("r8_unorm", (width, height), 1, 1, 1, frozenset({Usage.SAMPLED}))
        return self.backend.create_texture(info, "hud atlas", coverage)

    def _provide_externals(self) -> None:
        graph, scene = self.graph, self._scene
        graph.set_external("image", lambda context: self._target_texture())
        graph.set_external("scene_vertices", lambda context: scene.vertices)
        graph.set_external("scene_indices", lambda context: scene.indices)
        graph.set_external("scene_instances", lambda context: scene.instances)
        graph.set_external("scene_materials", lambda context: scene.materials)
        graph.set_external("hud_vertices", lambda context: scene.hud_vertices)
        graph.set_external("hud_atlas", lambda context: self._atlas)

    def _target_texture(self) -> PhysicalTexture:
        texture = self.runtime.target_texture
        assert texture is not None
        return texture

    def _on_failure(self, failure: NodeFailure) -> None:
        if isinstance(failure.error, MissingToolError):
            raise failure.error
        if failure.plugin:
            self.plugins.quarantine(failure.plugin, failure.error)
        elif isinstance(failure.error, FramewrightError):
            # A node of the engine's own has no plugin to blame, and no frame without it makes sense.
            raise failure.error
        else:
            raise RuntimeError(str(failure)) from failure.error

    # frames ---------------------------------------------------------------------------------------------------------

    def resize(self, extent: Extent) -> None:
        """Follow a new size of the output."""
        if extent != self.extent and min(extent) > 0:
            self.extent = extent
            self.graph.set_resolution("output", extent)
            self.hud.resize(*extent)

    def step(self, dt: float = 0.0) -> None:
        """Play the game for a frame of ``dt`` seconds, without rendering it."""
        self.hud.clear()
        alpha = self.runner.frame(dt)
        scene = self.context.scene
        self._input.camera = scene.drawn_camera(alpha)
        self._input.lights = LightSet.of(scene)
        self._input.time = self.runner.clock.time
        self._draws = scene.draw_list(alpha)

    def render(self, target: Target) -> FrameReport | None:
        """Render the game as it stands; None if nothing can be shown now."""
        self.graph.set_external_format("image", target.format)
        self.resize(target.extent)
        return self.runtime.render(target, self._upload)

    def _upload(self, slot: int) -> None:
        vertices = self.hud.vertices()
        self._scene.update(self._draws, vertices, slot)
        self._input.draws = DrawSet(self._scene.draws, self._scene)
        self._input.hud_vertex_count = len(vertices)

    def picture(self) -> NDArray[np.uint8]:
        """The texels of the last frame, which was for an offscreen target: uint8 (height, width, 4), sRGB-encoded."""
        texels = self.backend.read_texture(self._target_texture(), Layout.TRANSFER_SRC)
        return np.asarray(texels, np.uint8)

    # plugins --------------------------------------------------------------------------------------------------------

    def toggle(self, plugin: str) -> bool:
        """Switch a plugin on or off; whether it is on now."""
        if self.plugins.is_enabled(plugin):
            self.plugins.disable(plugin)
            return False
        self.plugins.enable(plugin)
        return self.plugins.is_enabled(plugin)

    def close(self) -> None:
        """End the game and give back everything on the device."""
        self.runner.close()
        self._release()

    def _release(self) -> None:
        self.backend.wait_idle()
        if hasattr(self, "runtime"):
            self.runtime.close()
        self._scene.close()
        self.backend.destroy(self._atlas)

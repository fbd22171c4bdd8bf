"""Per-frame input of the engine's nodes from the application."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.renderer.blobs import LightSet
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.hud import HudVertices
from renderwright.engine.scene.scene import Scene
from renderwright.engine.views import ViewSet


@dataclass
class FrameInput:
    """The scene of the current frame. Mutable: the application replaces the values before each frame."""

    views: ViewSet
    lights: LightSet
    draws: DrawSet
    hud: HudVertices

    @classmethod
    def of(cls, scene: Scene, gpu_scene: GpuScene) -> FrameInput:
        """The initial input, before the output is known."""
        views = ViewSet.of((scene.camera,), (1, 1))
        return cls(views, LightSet.of(scene), DrawSet.of(gpu_scene), HudVertices.of(()))

    def draw(self, scene: GpuScene) -> None:
        """Draw what is in the scene now."""
        draws = DrawSet.of(scene)
        if draws != self.draws:
            self.draws = draws

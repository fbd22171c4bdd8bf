"""What the application hands to the engine's nodes each frame."""

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
    """The scene as it is to be drawn now. Mutable: the application replaces the values before each frame."""

    views: ViewSet
    lights: LightSet
    draws: DrawSet
    hud: HudVertices

    @classmethod
    def of(cls, scene: Scene, gpu_scene: GpuScene) -> FrameInput:
        """The input of the first frame, as long as its output is not known."""
        views = ViewSet.of((scene.camera,), (1, 1))
        return cls(views, LightSet.of(scene), DrawSet((), gpu_scene), HudVertices.of(()))

"""What the application hands to the engine's nodes each frame."""

from __future__ import annotations

from dataclasses import dataclass

from engine.renderer.blobs import LightSet
from engine.renderer.geometry import DrawSet
from engine.renderer.gpu_scene import GpuScene
from engine.scene.camera import Camera
from engine.scene.scene import Scene


@dataclass
class FrameInput:
    """The scene as it is to be drawn now. Mutable: the application replaces the values before each frame."""

    camera: Camera
    lights: LightSet
    draws: DrawSet
    time: float = 0.0
    hud_vertex_count: int = 0

    @classmethod
    def of(cls, scene: Scene, gpu_scene: GpuScene) -> FrameInput:
        """The input of the first frame."""
        return cls(scene.camera, LightSet.of(scene), DrawSet((), gpu_scene))

"""Cameras, lights and depths for tests of effects."""

from __future__ import annotations

import numpy as np
from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.scene import Scene


def view(size: tuple[int, int], position: glm.vec3 | None = None, target: glm.vec3 | None = None) -> CameraView:
    """A camera for a picture of (height, width) texels; without more, at the origin and looking along -Z."""
    height, width = size
    camera = Camera(position or glm.vec3(0.0), target)
    return CameraView.of(camera, (width, height), 0.0)


def lights(sun_intensity: float = 3.0) -> LightSet:
    """The default sky and a sun that stands low before the camera."""
    scene = Scene()
    scene.sun.direction = glm.vec3(0.0, -0.3, 1.0)
    scene.sun.intensity = sun_intensity
    return LightSet.of(scene)


def depth_of(distance: np.ndarray | float, camera: CameraView, size: tuple[int, int] | None = None) -> np.ndarray:
    """Reversed depth of surfaces at a distance along the viewing axis, in metres; infinity is the sky."""
    distance = np.full(size, distance) if size is not None else np.asarray(distance)
    return (camera.near / distance).astype(np.float32)


def rays(camera: CameraView, size: tuple[int, int]) -> np.ndarray:
    """Unit vectors from a camera that looks along -Z through the middle of each texel, (height, width, 3)."""
    height, width = size
    slope = np.tan(camera.fov_y / 2.0)
    x = ((np.arange(width) + 0.5) / width * 2.0 - 1.0) * slope * width / height
    y = (1.0 - (np.arange(height) + 0.5) / height * 2.0) * slope
    grid = np.stack(np.broadcast_arrays(x[None, :], y[:, None], -1.0), axis=-1)
    return grid / np.linalg.norm(grid, axis=-1, keepdims=True)

"""Blobs of the engine: the camera of a view, and the lights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.renderer.sky_table import sky_table
from renderwright.engine.scene.algebra import inverse, moved_picture, multiply
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.frustum import Frustum
from renderwright.engine.scene.layers import ALL_LAYERS
from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, SpotLight
from renderwright.engine.scene.scene import Scene
from renderwright.engine.views import View
from renderwright.render.types.resources import Extent

MAX_LIGHTS = 16
SHADOW_CHANNELS = 4
"""Largest number of local lights with shadows: the channels of the texture ``light_visibility``."""

Vec4 = tuple[float, float, float, float]
_NO_LIGHT: Vec4 = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class CameraView:
    """A camera for shaders. Its members fill the uniform block ``camera``.

    ``extent`` is in texels, ``near`` in metres, ``time`` in seconds since the game began. ``fov_y`` is the vertical
    angle, in radians, of the smallest symmetric frustum around the picture's.
    ``jitter`` is the offset of the picture in the matrices, in clip space (x right, y up, -1 to 1 across the picture).
    ``layers`` is ``Camera.layers``.
    """

    view: glm.mat4
    projection: glm.mat4
    view_projection: glm.mat4
    inverse_view_projection: glm.mat4
    position: glm.vec3
    near: float
    extent: tuple[float, float]
    time: float
    fov_y: float
    forward: glm.vec3
    jitter: tuple[float, float] = (0.0, 0.0)
    layers: int = ALL_LAYERS

    @classmethod
    def of(cls, camera: Camera, extent: Extent, time: float, frustum: Frustum | None = None) -> CameraView:
        """``camera`` on a picture of ``extent`` texels. ``frustum`` replaces the camera's field of view."""
        width, height = extent
        view = camera.view()
        own = camera.frustum(width / height)
        frustum = frustum or own
        projection = frustum.projection(camera.near)
        view_projection = multiply(projection, view)
        return cls(
            view,
            projection,
            view_projection,
            inverse(view_projection),
            camera.position,
            camera.near,
            (float(width), float(height)),
            time,
            camera.fov_y if frustum == own else frustum.fov_y,
            camera.forward(),
            layers=camera.layers,
        )

    @classmethod
    def of_view(cls, view: View, extent: Extent, time: float) -> CameraView:
        """The camera of a view, on a picture of ``extent`` texels."""
        camera = cls.of(view.camera, extent, time, view.frustum)
        return camera if view.offset == (0.0, 0.0) else camera.jittered(-view.offset[0], -view.offset[1])

    def jittered(self, right: float, down: float) -> CameraView:
        """A copy with its picture offset by a number of texels, for subpixel sampling."""
        x, y = 2.0 * right / self.extent[0], -2.0 * down / self.extent[1]
        projection = moved_picture(self.projection, x, y)
        view_projection = multiply(projection, self.view)
        return replace(
            self,
            projection=projection,
            view_projection=view_projection,
            inverse_view_projection=inverse(view_projection),
            jitter=(self.jitter[0] + x, self.jitter[1] + y),
        )


@dataclass(frozen=True)
class LightSet:
    """Sun, sky and local lights for shaders. Its members fill the uniform block ``lights``.

    ``environment`` is the intensity of the scene's environment, 0 without one.
    ``inner_cosine.y`` is the light's channel of ``light_visibility``, -1 without shadows. ``sky`` is the
    table of ``sky_table``.
    """

    sun_direction: glm.vec3
    sun_radiance: tuple[float, float, float]
    sun_casts_shadow: bool
    zenith: tuple[float, float, float]
    horizon: tuple[float, float, float]
    ground: tuple[float, float, float]
    count: int
    position_radius: tuple[Vec4, ...]
    radiance: tuple[Vec4, ...]
    direction_cosine: tuple[Vec4, ...]
    inner_cosine: tuple[Vec4, ...]
    sky: NDArray[np.float32] = field(compare=False)
    environment: float = 0.0

    @classmethod
    def of(cls, scene: Scene) -> LightSet:
        """The lights of a scene. Only the first ``MAX_LIGHTS`` local lights are used; see ``scene_notices``."""
        sun = scene.sun or DirectionalLight(glm.vec3(0.0, -1.0, 0.0), intensity=0.0)
        local = [light for light in scene.lights if not isinstance(light, DirectionalLight)][:MAX_LIGHTS]
        sky = scene.sky
        casting = [light for light in local if light.casts_shadow][:SHADOW_CHANNELS]
        channels = {id(light): float(channel) for channel, light in enumerate(casting)}
        return cls(
            glm.normalize(sun.direction),
            _scaled(sun.color, sun.intensity),
            sun.casts_shadow and sun.intensity > 0.0,
            _scaled(sky.zenith, sky.intensity),
            _scaled(sky.horizon, sky.intensity),
            _scaled(sky.ground, sky.intensity),
            len(local),
            _column(local, lambda light: (*_xyz(light.position), light.radius)),
            _column(local, lambda light: (*_scaled(light.color, light.intensity), 0.0)),
            _column(local, _direction_cosine),
            _column(
                local,
                lambda light: (
                    math.cos(getattr(light, "inner_angle", 0.0)),
                    channels.get(id(light), -1.0),
                    0.0,
                    0.0,
                ),
            ),
            sky_table(sky),
            scene.environment.intensity if scene.environment is not None else 0.0,
        )


Local = PointLight | SpotLight


def _column(lights: Iterable[Light], of: Callable[[Local], Vec4]) -> tuple[Vec4, ...]:
    values = [of(light) for light in lights if not isinstance(light, DirectionalLight)]
    return tuple(values + [_NO_LIGHT] * (MAX_LIGHTS - len(values)))


def _direction_cosine(light: Local) -> Vec4:
    if isinstance(light, PointLight):
        return (0.0, -1.0, 0.0, -2.0)
    return (*_xyz(glm.normalize(light.direction)), math.cos(light.outer_angle))


def _xyz(vector: glm.vec3) -> tuple[float, float, float]:
    return (vector.x, vector.y, vector.z)


def _scaled(color: tuple[float, float, float], factor: float) -> tuple[float, float, float]:
    return (color[0] * factor, color[1] * factor, color[2] * factor)

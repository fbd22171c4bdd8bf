"""Blobs of the engine: the camera of a view, and the lights (``lights/light_set.py``)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pyglm import glm

from renderwright.engine.renderer.lights.light_set import SHADOW_CHANNELS, LightSet, Vec4
from renderwright.engine.scene.algebra import inverse, moved_picture, multiply
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.frustum import Frustum
from renderwright.engine.scene.layers import ALL_LAYERS
from renderwright.engine.views import View
from renderwright.render.types.resources import Extent

__all__ = ["SHADOW_CHANNELS", "CameraView", "LightSet", "Vec4"]


@dataclass(frozen=True)
class CameraView:
    """A camera for shaders. Its members fill the uniform block ``camera``.

    ``extent`` is in texels, ``near`` in metres, ``time`` in seconds since the game began. ``fov_y`` is the vertical
    angle, in radians, of the smallest symmetric frustum around the picture's, and 0 of an orthographic camera, whose
    picture is ``height`` metres high (0 of a perspective camera).
    ``jitter`` is the offset of the picture in the matrices, in clip space (x right, y up, -1 to 1 across the picture).
    ``layers`` is ``Camera.layers``. ``mip_bias`` is added to the mip levels of materials' images: the logarithm to base
    2 of the rendered size as a share of the picture's.
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
    height: float = 0.0
    mip_bias: float = 0.0

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
            camera.fov_y if frustum == own and camera.height is None else frustum.fov_y,
            camera.forward(),
            layers=camera.layers,
            height=0.0 if frustum.depth_range is None else frustum.up + frustum.down,
        )

    @classmethod
    def of_view(cls, view: View, extent: Extent, time: float, picture: Extent | None = None) -> CameraView:
        """The camera of a view, rendered with ``extent`` texels; ``picture``: its size after upscaling."""
        camera = cls.of(view.camera, extent, time, view.frustum)
        width, height = picture or extent
        if width != extent[0]:
            camera = replace(camera, mip_bias=math.log2(extent[0] / width))
        if view.offset == (0.0, 0.0):
            return camera
        return camera.jittered(-view.offset[0] * (extent[0] / width), -view.offset[1] * (extent[1] / height))

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

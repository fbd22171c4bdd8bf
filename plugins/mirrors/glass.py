"""A mirror at one moment: who sees it, and the camera behind its glass."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene import Camera
from renderwright.engine.views import Frustum, View
from renderwright.render import Extent

NEAREST = 0.02
"""Metres before the glass that an eye has to be to see something."""
_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))


@dataclass(frozen=True)
class Glass:
    """A mirror at one moment: its middle, the half of its sides, and the direction that it faces."""

    middle: glm.vec3
    right: glm.vec3
    up: glm.vec3
    out: glm.vec3
    every: int
    reach: float

    def camera(self, eye: glm.vec3, extent: Extent, time: float) -> CameraView:
        """The camera behind the glass, for an eye before it."""
        depth = glm.dot(eye - self.middle, self.out)
        image = eye - self.out * (2.0 * depth)
        camera = Camera(image, rotation=glm.quatLookAt(self.out, glm.normalize(self.up)), near=depth)
        # It looks the other way than the eye: its right is the glass's left.
        wide, high = glm.length(self.right), glm.length(self.up)
        aside = glm.dot(self.middle - image, -self.right) / wide
        above = glm.dot(self.middle - image, self.up) / high
        edges = (wide - aside, wide + aside, high - above, high + above)
        return CameraView.of(camera, extent, time, Frustum(*(edge / depth for edge in edges)))

    def seen_by(self, view: View) -> float:
        """Metres from the eye of a view; infinity if it does not see the glass, or is too far away."""
        place = view.camera.position
        way = place - self.middle
        if glm.dot(way, self.out) < NEAREST or glm.length(way) > self.reach:
            return math.inf
        turned = glm.inverse(view.camera.orientation())
        corners = [glm.vec3(turned * (self.middle + x * self.right + y * self.up - place)) for x, y in _CORNERS]
        frustum = view.frustum
        if (
            all(corner.z >= 0.0 for corner in corners)
            or all(corner.x < corner.z * frustum.left for corner in corners)
            or all(-corner.x < corner.z * frustum.right for corner in corners)
            or all(corner.y < corner.z * frustum.down for corner in corners)
            or all(-corner.y < corner.z * frustum.up for corner in corners)
        ):
            return math.inf
        return float(glm.length(way))

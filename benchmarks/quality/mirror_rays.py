"""Glowing boxes over a floor of white metal, and what the floor reflects by rays on the CPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from benchmarks.quality.play import Floats
from benchmarks.quality.ray_scene import GROUND, SKY_ID, Doubles, Point, RayScene, Shapes, cast, eye_rays
from renderwright.engine.game import GameContext
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene import Camera, Material, Sky, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.render.types.resources import Extent

SKY = 0.25
"""Light from above. White metal reflects all of it."""
BOXES: tuple[tuple[Point, Point, Point], ...] = (
    ((-0.95, 0.0, -0.25), (-0.45, 1.0, 0.25), (0.8, 0.1, 0.05)),
    ((-0.1, 0.0, 0.0), (0.5, 0.6, 0.6), (0.05, 0.5, 0.1)),
    ((0.7, 0.2, -1.0), (1.1, 0.7, -0.6), (0.1, 0.15, 0.9)),
)
"""Lowest and highest corner, and light of each; the last one hovers over the floor."""
OFF_THE_FLOOR = 1e-4

Mask = NDArray[np.bool_]


class OverMirror(RayScene):
    """The boxes over a mirror, which is ``roughness`` rough."""

    title = "Over a mirror"
    shapes = Shapes(tuple((low, high) for low, high, _ in BOXES))
    place, aim, fov = glm.vec3(0.4, 1.5, 3.6), glm.vec3(0.1, 0.2, 0.0), 0.75
    roughness: ClassVar[float] = 0.0
    floor: ClassVar[bool] = True
    mirrored: ClassVar[bool] = False

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((SKY,) * 3, (SKY,) * 3, (SKY,) * 3)
        scene.camera = Camera(glm.vec3(self.place), glm.vec3(self.aim), fov_y=self.fov)
        for low, high, light in BOXES:
            x, y, z = (0.5 * (np.array(low) + np.array(high))).tolist()
            size = tuple(np.subtract(high, low).tolist())
            for side in (1.0, -1.0)[: 2 if self.mirrored else 1]:
                scene.spawn(box(size), Material((0, 0, 0, 1), emissive=light), Transform(glm.vec3(x, side * y, z)))
        if self.floor:
            scene.spawn(plane(600, 600), Material((1, 1, 1, 1), metallic=1.0, roughness=self.roughness))


class Mirrored(OverMirror):
    """The boxes and their mirror images, without a floor."""

    floor, mirrored = False, True


def floor_points(extent: Extent) -> tuple[Mask, Doubles, Doubles]:
    """Which texels show the floor, (height, width); its points there and the directions towards the eye, (n, 3)."""
    origin, to = eye_rays(OverMirror, extent)
    flat = to.reshape(-1, 3)
    hits = cast(np.broadcast_to(origin, flat.shape), flat, OverMirror.shapes)
    shown = hits.thing == GROUND
    points = origin + flat[shown] * hits.distance[shown, None]
    points[:, 1] = OFF_THE_FLOOR
    return shown.reshape(to.shape[:2]), points, -flat[shown]


def reflected(points: Doubles, directions: Doubles) -> tuple[Doubles, Mask, Doubles, Doubles]:
    """The light of the boxes that rays find (n, 3), which rays do (n), and where, with the normals there (m, 3)."""
    hits = cast(points, directions, OverMirror.shapes)
    found = hits.thing > GROUND
    light = np.zeros_like(points)
    light[found] = np.array([light for _, _, light in BOXES])[hits.thing[found] - 1]
    at = points[found] + directions[found] * hits.distance[found, None]
    return light, found, at, hits.normal[found]


def _is_seen(at: Doubles, normal: Doubles, extent: Extent) -> Mask:
    """Whether the camera sees these points of surfaces."""
    width, height = extent
    camera = Camera(glm.vec3(OverMirror.place), glm.vec3(OverMirror.aim), fov_y=OverMirror.fov)
    view = CameraView.of(camera, (width, height), 0.0)
    clip = np.c_[at, np.ones(len(at))] @ np.array(view.view_projection.to_list(), np.float64)
    inside = (np.abs(clip[:, :2]) < clip[:, 3:]).all(axis=1)
    to_eye = np.array(camera.position.to_list()) - at
    to_eye /= np.linalg.norm(to_eye, axis=1, keepdims=True)
    free = cast(at + normal * OFF_THE_FLOOR, to_eye, OverMirror.shapes).thing == SKY_ID
    seen: Mask = inside & free & (np.sum(normal * to_eye, axis=1) > 0.0)
    return seen


@dataclass(frozen=True)
class Reflection:
    """What the floor reflects.

    ``floor`` are its texels in a picture, (height, width). Each has the ``light`` of boxes, (n, 3), and the ``share``
    of rays that find a box, (n, 1). The others find the sky.
    """

    floor: Mask
    light: Floats
    share: Floats

    def over(self, picture: Floats) -> Floats:
        """A picture of the scene with this instead of the sky's light, as far as there is a box."""
        result = picture.copy()
        result[self.floor] = self.light + (1.0 - self.share) * picture[self.floor]
        return result


def mirrored_light(extent: Extent) -> tuple[Reflection, Mask]:
    """The reflection of a mirror, and the texels of the floor, (n), that show what the picture shows elsewhere."""
    floor, points, towards_eye = floor_points(extent)
    light, found, at, normal = reflected(points, towards_eye * np.array([-1.0, 1.0, -1.0]))
    seen = found.copy()
    seen[found] = _is_seen(at, normal, extent)
    return Reflection(floor, light.astype(np.float32), found[:, None].astype(np.float32)), seen


def blurred_light(roughness: float, extent: Extent, rays: int) -> Reflection:
    """The reflection of a rough floor by ``rays`` rays a texel, which follow the facets of GGX."""
    floor, points, towards_eye = floor_points(extent)
    random = np.random.default_rng(7)
    alpha = roughness * roughness
    sums, shares, weights = np.zeros_like(points), np.zeros((len(points), 1)), np.zeros((len(points), 1))
    for ray in range(rays):
        chance = random.random((len(points), 2))
        chance[:, 0] = (chance[:, 0] + ray) / rays
        facet = _visible_facets(towards_eye, alpha, chance)
        away = 2.0 * np.sum(towards_eye * facet, axis=1, keepdims=True) * facet - towards_eye
        weight = np.where(away[:, 1:2] > 0.0, _unshadowed(away[:, 1:2], alpha), 0.0)
        light, found, _, _ = reflected(points, away)
        sums += weight * light
        shares += weight * found[:, None]
        weights += weight
    weights = np.maximum(weights, 1e-9)
    return Reflection(floor, (sums / weights).astype(np.float32), (shares / weights).astype(np.float32))


def _visible_facets(v: Doubles, alpha: float, chance: Doubles) -> Doubles:
    """Normals of the facets around +Y that v sees (Heitz 2018, "Sampling the GGX Distribution of Visible Normals")."""
    stretched = v * np.array([alpha, 1.0, alpha])
    stretched /= np.linalg.norm(stretched, axis=1, keepdims=True)
    first = np.cross([0.0, 1.0, 0.0], stretched)
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-12)
    second = np.cross(stretched, first)
    radius, turn = np.sqrt(chance[:, 1:2]), 2.0 * np.pi * chance[:, 0:1]
    x, y = radius * np.cos(turn), radius * np.sin(turn)
    share = 0.5 * (1.0 + stretched[:, 1:2])
    y = (1.0 - share) * np.sqrt(1.0 - x * x) + share * y
    facet = x * first + y * second + np.sqrt(np.maximum(1.0 - x * x - y * y, 0.0)) * stretched
    facet = np.maximum(facet, [-np.inf, 0.0, -np.inf]) * np.array([alpha, 1.0, alpha])
    result: Doubles = facet / np.linalg.norm(facet, axis=1, keepdims=True)
    return result


def _unshadowed(cosine: Doubles, alpha: float) -> Doubles:
    """Share of the light at that cosine that other facets do not keep from the visible ones (Smith)."""
    result: Doubles = 2.0 * cosine / (cosine + np.sqrt(alpha * alpha + (1.0 - alpha * alpha) * cosine**2))
    return result

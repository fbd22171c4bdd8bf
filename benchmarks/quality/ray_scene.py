"""Boxes and balls on the ground, as a game and as analytic shapes for rays in float64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene import Camera, Material, Sky, Transform
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.render.types.resources import Extent

Doubles = NDArray[np.float64]

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Shapes:
    """Things on the ground: lowest and highest corners of boxes, centres and radii of balls."""

    boxes: tuple[tuple[Point, Point], ...]
    balls: tuple[tuple[Point, float], ...] = ()


SHAPES = Shapes(
    boxes=(((-0.6, 0.0, -0.6), (0.6, 0.9, 0.6)), ((-1.6, 0.0, -1.4), (1.4, 1.5, -1.1))),
    balls=(((1.15, 0.4, 0.35), 0.4),),
)
"""A box, a ball and a slab."""
ALBEDO = 0.7
SKY = 0.8
"""Light from every direction."""

GROUND, SKY_ID, NEAREST = 0, -1, 1e-5


@dataclass(frozen=True)
class Hits:
    """Hits of rays: distance (n; inf in the sky), unit normals (n, 3), id of the shape (n; -1 for the sky).

    The ground is 0; boxes and balls follow in the order above.
    """

    distance: Doubles
    normal: Doubles
    thing: NDArray[np.int64]


def cast(origins: Doubles, directions: Doubles, shapes: Shapes = SHAPES) -> Hits:
    """The first hit of each ray, (n, 3) and (n, 3) of unit length."""
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(directions[:, 1] < 0, -origins[:, 1] / directions[:, 1], np.inf)
    distance = np.where(distance > NEAREST, distance, np.inf)
    normal = np.zeros_like(directions)
    normal[:, 1] = 1.0
    thing = np.where(np.isfinite(distance), GROUND, SKY_ID)
    for number, (low, high) in enumerate(shapes.boxes, 1):
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (np.array(low) - origins) / directions, (np.array(high) - origins) / directions
        entries, exits = np.fmin(a, b), np.fmax(a, b)
        axis, enter = entries.argmax(axis=1), entries.max(axis=1)
        rows = np.nonzero((enter < exits.min(axis=1)) & (enter > NEAREST) & (enter < distance))[0]
        distance[rows], thing[rows], normal[rows] = enter[rows], number, 0.0
        normal[rows, axis[rows]] = -np.sign(directions[rows, axis[rows]])
    for number, (centre, radius) in enumerate(shapes.balls, 1 + len(shapes.boxes)):
        away = origins - np.array(centre)
        along = -np.sum(away * directions, axis=1)
        inside = along**2 - np.sum(away**2, axis=1) + radius**2
        enter = along - np.sqrt(np.maximum(inside, 0.0))
        rows = np.nonzero((inside > 0.0) & (enter > NEAREST) & (enter < distance))[0]
        distance[rows], thing[rows] = enter[rows], number
        normal[rows] = (away[rows] + directions[rows] * enter[rows, None]) / radius
    return Hits(distance, normal, thing)


class RayScene(Game):
    """The shapes as a game, lit by a uniform sky only."""

    title = "Ray scene"
    plugins: ClassVar[tuple[str, ...]] = ()
    shapes = SHAPES
    place, aim, fov = glm.vec3(2.4, 2.1, 2.9), glm.vec3(0.2, 0.35, 0.0), 0.72

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((SKY,) * 3, (SKY,) * 3, (SKY,) * 3)
        scene.camera = Camera(glm.vec3(self.place), glm.vec3(self.aim), fov_y=self.fov)
        grey = Material((ALBEDO, ALBEDO, ALBEDO, 1.0), roughness=1.0)
        scene.spawn(plane(600, 600), grey)
        for low, high in self.shapes.boxes:
            middle = 0.5 * (np.array(low) + np.array(high))
            scene.spawn(box(tuple(np.subtract(high, low).tolist())), grey, Transform(glm.vec3(*middle)))
        for centre, radius in self.shapes.balls:
            scene.spawn(sphere(radius, segments=128, rings=64), grey, Transform(glm.vec3(*centre)))


def eye_rays(game: type[RayScene], extent: Extent, side: int = 1) -> tuple[Doubles, Doubles]:
    """The camera's position (3), and unit vectors through ``side`` x ``side`` points of each texel.

    The vectors are (height * side, width * side, 3), as a picture with ``side`` times as many texels along each axis.
    """
    width, height = extent[0] * side, extent[1] * side
    camera = CameraView.of(Camera(glm.vec3(game.place), glm.vec3(game.aim), fov_y=game.fov), (width, height), 0.0)
    x, y = np.meshgrid((np.arange(width) + 0.5) / width * 2 - 1, 1 - (np.arange(height) + 0.5) / height * 2)
    inverse = np.array(camera.inverse_view_projection.to_list(), np.float64).T
    near = np.stack([x, y, np.ones_like(x), np.ones_like(x)], axis=-1) @ inverse.T
    origin = np.array(camera.position.to_list(), np.float64)
    rays = near[..., :3] / near[..., 3:] - origin
    return origin, rays / np.linalg.norm(rays, axis=-1, keepdims=True)


def around(normal: Doubles, rays: int, random: np.random.Generator) -> Doubles:
    """Cosine-distributed unit vectors (rays, 3) around a normal, by stratified sampling."""
    side = int(np.sqrt(rays))
    row, column = np.divmod(np.arange(side * side), side)
    u, v = (row + random.random(side * side)) / side, (column + random.random(side * side)) / side * 2 * np.pi
    local = np.stack([np.sqrt(u) * np.cos(v), np.sqrt(u) * np.sin(v), np.sqrt(1 - u)], axis=-1)
    tangent = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.5 else [0.0, 0.0, 1.0])
    tangent /= np.linalg.norm(tangent)
    directions: Doubles = local @ np.stack([tangent, np.cross(normal, tangent), normal])
    return directions

"""A scene as plain objects: the rules of entities, steps and draw lists, one entity after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from pyglm import glm

from renderwright.engine.scene import Bounds, DrawBatch, Material, Mesh
from renderwright.engine.scene.bounds import bounds_of_spheres


@dataclass(eq=False)
class Place:
    """Position, rotation and scale."""

    position: glm.vec3
    rotation: glm.quat
    scale: glm.vec3

    def copy(self) -> Place:
        return Place(glm.vec3(self.position), glm.quat(self.rotation), glm.vec3(self.scale))

    def equals(self, other: Place) -> bool:
        return (self.position, self.rotation, self.scale) == (other.position, other.rotation, other.scale)

    def matrix(self) -> glm.mat4:
        return glm.scale(glm.translate(self.position) * glm.mat4_cast(self.rotation), self.scale)


@dataclass(eq=False)
class Thing:
    """An entity. Several may have one ``place``."""

    number: int
    mesh: Mesh
    material: Material
    place: Place
    previous: Place
    casts_shadow: bool = True
    visible: bool = True
    layers: int = 1
    local: glm.mat4 = field(default_factory=lambda: glm.mat4(1.0))

    def model(self, alpha: float) -> np.ndarray:
        """The matrix at ``alpha``, float64 (4, 4), column by column."""
        a, b = self.previous, self.place
        if a.equals(b):
            mixed = b
        else:
            turn = glm.normalize(glm.slerp(a.rotation, b.rotation, alpha))
            mixed = Place(glm.mix(a.position, b.position, alpha), turn, glm.mix(a.scale, b.scale, alpha))
        return np.array((mixed.matrix() * self.local).to_list(), np.float64)

    def sphere(self) -> tuple[np.ndarray, float]:
        """Centre and radius in world space at the current place."""
        model = np.array((self.place.matrix() * self.local).to_list(), np.float64)
        center = model[:3, :3].T @ np.array(self.mesh.bounds.center) + model[3, :3]
        lengths = np.linalg.norm(model[:3, :3], axis=1)
        sheared = self.local != glm.mat4(1.0)
        return center, self.mesh.bounds.radius * float(np.linalg.norm(lengths) if sheared else lengths.max())


class PlainScene:
    """Things in the order of their addition."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.added = 0

    def add(self, mesh: Mesh, material: Material, place: Place, **values: object) -> Thing:
        thing = Thing(self.added, mesh, material, place, place.copy(), **values)  # type: ignore[arg-type]
        self.added += 1
        self.things.append(thing)
        return thing

    def begin_step(self) -> None:
        for thing in self.things:
            thing.previous = thing.place.copy()

    def drawn(self) -> tuple[list[Thing], list[DrawBatch]]:
        """The visible things in drawing order, and their batches."""
        groups: dict[tuple[Mesh, Material], list[Thing]] = {}
        for thing in self.things:
            if thing.visible:
                groups.setdefault((thing.mesh, thing.material), []).append(thing)
        order: list[Thing] = []
        batches: list[DrawBatch] = []
        for (mesh, material), members in groups.items():
            kinds = sorted({(not thing.casts_shadow, thing.layers) for thing in members})
            for hidden, layers in kinds:
                chosen = [thing for thing in members if (not thing.casts_shadow, thing.layers) == (hidden, layers)]
                batches.append(DrawBatch(mesh, material, len(order), len(chosen), not hidden, layers))
                order += chosen
        return order, batches

    def bounds(self, *, shadow_casters_only: bool) -> Bounds:
        spheres = [thing.sphere() for thing in self.drawn()[0] if thing.casts_shadow or not shadow_casters_only]
        centers = np.array([center for center, _ in spheres]).reshape(-1, 3)
        return bounds_of_spheres(centers, np.array([radius for _, radius in spheres]))

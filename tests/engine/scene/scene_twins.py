"""A scene and its plain model, to which the same things happen at random."""

from __future__ import annotations

import numpy as np
from plain_scene import Place, PlainScene, Thing
from pyglm import glm

from renderwright.engine.scene import Entity, Group, Material, Mesh, Scene, Transform
from renderwright.engine.scene.primitives import box, plane, sphere

MESHES = (box(), sphere(0.5, segments=6, rings=4), plane(2.0, 1.0))
MATERIALS = tuple(Material((red / 4, 0.5, 0.5, 1.0)) for red in range(4))


class Twins:
    """Both scenes, and the pairs of their entities."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.scene, self.plain = Scene(), PlainScene()
        self.pairs: list[tuple[Entity, Thing]] = []
        self.groups: list[tuple[Group, list[Thing]]] = []
        #: Vectors that a game has kept, of both scenes.
        self.held: list[tuple[glm.vec3, glm.vec3]] = []
        self._actions = (
            self.spawn,
            self.spawn_many,
            self.spawn_sharing,
            self.remove,
            self.remove_group,
            self.assign,
            self.change_in_place,
            self.hold,
            self.change_held,
            self.replace_transform,
            self.move_group,
            self.move_part_of_group,
            self.snap,
            self.change_flags,
            self.change_flags_of_group,
            self.change_surface,
            self.step,
            self.step,
        )

    def act(self) -> None:
        """Do one thing to both."""
        self._actions[self.random.integers(len(self._actions))]()

    # -- contents

    def spawn(self) -> None:
        place, local, mesh, material = self._place(), self._local(), self._mesh(), self._material()
        transform = Transform(place.position, place.rotation, place.scale)
        entity = self.scene.add(Entity(mesh, material, transform, local=local))
        self.pairs.append((entity, self.plain.add(mesh, material, place, local=local)))

    def spawn_sharing(self) -> None:
        """An entity that moves with another."""
        if not self.pairs:
            return
        first, thing = self._pair()
        mesh, material = self._mesh(), self._material()
        entity = self.scene.spawn(mesh, material, first.transform)
        self.pairs.append((entity, self.plain.add(mesh, material, thing.place)))

    def spawn_many(self) -> None:
        count, mesh, material = int(self.random.integers(12)), self._mesh(), self._material()
        places = [self._place() for _ in range(count)]
        group = self.scene.spawn_many(
            mesh,
            material,
            np.array([place.position.to_tuple() for place in places]).reshape(-1, 3),
            rotations=np.array([place.rotation.to_tuple() for place in places]).reshape(-1, 4),
            scales=np.array([place.scale.to_tuple() for place in places]).reshape(-1, 3),
        )
        things = [self.plain.add(mesh, material, place) for place in places]
        self.groups.append((group, things))
        self.pairs += [(group[index], thing) for index, thing in enumerate(things) if self.random.random() < 0.5]

    def remove(self) -> None:
        if self.pairs:
            entity, thing = self.pairs.pop(self.random.integers(len(self.pairs)))
            self.scene.remove(entity)
            self._forget([thing])

    def remove_group(self) -> None:
        if self.groups and self.random.random() < 0.3:
            group, things = self.groups.pop(self.random.integers(len(self.groups)))
            self.scene.remove(group)
            self._forget(list(things))

    # -- moves

    def assign(self) -> None:
        if self.pairs:
            (entity, thing), place = self._pair(), self._place()
            entity.transform.position, entity.transform.rotation = place.position, place.rotation
            thing.place.position, thing.place.rotation = place.position, place.rotation

    def change_in_place(self) -> None:
        if self.pairs:
            entity, thing = self._pair()
            entity.transform.position += glm.vec3(0.5, 0.0, 0.0)
            entity.transform.position.x += 0.25
            entity.transform.scale *= 1.25
            thing.place.position += glm.vec3(0.75, 0.0, 0.0)
            thing.place.scale *= 1.25

    def hold(self) -> None:
        """Keep vectors of a transform, as a game may do."""
        if self.pairs:
            entity, thing = self._pair()
            self.held.append((entity.transform.position, thing.place.position))

    def change_held(self) -> None:
        if self.held:
            for vector in self.held[self.random.integers(len(self.held))]:
                vector.y -= 0.75

    def replace_transform(self) -> None:
        if self.pairs:
            (entity, thing), place = self._pair(), self._place()
            entity.transform = Transform(place.position, place.rotation, place.scale)
            thing.place = place

    def move_group(self) -> None:
        if self.groups:
            group, things = self._group()
            positions = self.random.normal(size=(len(things), 3)).astype(np.float32)
            group.positions = positions
            for thing, position in zip(things, positions.tolist(), strict=True):
                thing.place.position = glm.vec3(*position)
            group.scales *= 0.5
            for thing in things:
                thing.place.scale = thing.place.scale * 0.5

    def move_part_of_group(self) -> None:
        if self.groups:
            group, things = self._group()
            group.positions[::2, 1] += 2.0
            for thing in things[::2]:
                thing.place.position = thing.place.position + glm.vec3(0.0, 2.0, 0.0)

    def snap(self) -> None:
        if self.pairs:
            entity, thing = self._pair()
            entity.snap()
            thing.previous = thing.place.copy()

    def step(self) -> None:
        self.scene.begin_step()
        self.plain.begin_step()

    # -- looks

    def change_flags(self) -> None:
        if self.pairs:
            entity, thing = self._pair()
            visible, casts, layers = (int(value) for value in self.random.integers(0, 2, 3))
            entity.visible = thing.visible = bool(visible)
            entity.casts_shadow = thing.casts_shadow = bool(casts)
            entity.layers = thing.layers = 1 + layers

    def change_flags_of_group(self) -> None:
        if self.groups:
            group, things = self._group()
            group.visible = visible = self.random.random(len(things)) < 0.7
            group.casts_shadow = casts = bool(self.random.random() < 0.7)
            for thing, shown in zip(things, visible.tolist(), strict=True):
                thing.visible, thing.casts_shadow = shown, casts

    def change_surface(self) -> None:
        if self.pairs:
            entity, thing = self._pair()
            entity.mesh = thing.mesh = self._mesh()
            entity.material = thing.material = self._material()

    # -- inside

    def _pair(self) -> tuple[Entity, Thing]:
        return self.pairs[self.random.integers(len(self.pairs))]

    def _group(self) -> tuple[Group, list[Thing]]:
        return self.groups[self.random.integers(len(self.groups))]

    def _forget(self, gone: list[Thing]) -> None:
        for thing in gone:
            self.plain.things.remove(thing)
        self.pairs = [(entity, thing) for entity, thing in self.pairs if thing not in gone]
        for _, things in self.groups:
            things[:] = [thing for thing in things if thing not in gone]

    def _place(self) -> Place:
        x, y, z, *turn = self.random.normal(size=7).tolist()
        rotation = glm.normalize(glm.quat(*turn))
        return Place(glm.vec3(x, y, z), rotation, glm.vec3(*self.random.uniform(0.5, 2.0, 3).tolist()))

    def _local(self) -> glm.mat4:
        local = glm.mat4(1.0)
        if self.random.random() < 0.3:
            local = glm.translate(glm.vec3(*self.random.normal(size=3).tolist()))
            local[1][0] = float(self.random.normal())
        return local

    def _mesh(self) -> Mesh:
        return MESHES[self.random.integers(len(MESHES))]

    def _material(self) -> Material:
        return MATERIALS[self.random.integers(len(MATERIALS))]

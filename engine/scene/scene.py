"""The scene: entities, lights, sky and cameras."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pyglm import glm

from renderwright.engine.animation.characters import Characters
from renderwright.engine.caller import caller_location
from renderwright.engine.scene.arrangement import Arrangement, arrange
from renderwright.engine.scene.bounds import Bounds
from renderwright.engine.scene.camera import Camera, InterpolatedCamera, Ray
from renderwright.engine.scene.compiled_matrices import ModelWriter
from renderwright.engine.scene.draw_list import DrawList
from renderwright.engine.scene.drawing import Drawing
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.entity_table import EntityTable
from renderwright.engine.scene.entity_values import (
    flags_of,
    mask_of,
    masks_of,
    numbers_of,
    positions_of,
    rotations_of,
)
from renderwright.engine.scene.environment import Environment
from renderwright.engine.scene.fixed_attributes import FixedAttributes
from renderwright.engine.scene.group import Group
from renderwright.engine.scene.layers import ALL_LAYERS, FIRST_LAYER
from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, SpotLight
from renderwright.engine.scene.light_checks import check_lights
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.matrices import POSITION, ROTATION, SCALE
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.number_rules import check_vectors
from renderwright.engine.scene.picking import Hit, first_met
from renderwright.engine.scene.placements import Placements
from renderwright.engine.scene.probe import Probes
from renderwright.engine.scene.rows import Rows
from renderwright.engine.scene.scene_values import CHECKED, check_camera, check_entity, check_light
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.surfaces import Surface
from renderwright.engine.scene.transform import Transform
from renderwright.engine.scene.world_bounds import WorldBounds
from renderwright.engine.sprites.collection import Sprites
from renderwright.render.errors import UsageError

_LIGHT_FROM_ALL_SIDES = "write scene.sky = Sky(...), or scene.environment = Environment(panorama): it is {}"


class Scene(FixedAttributes):
    """Entities, lights, sky, sprites and cameras.

    ``sun``, ``sky``, ``environment`` and ``cameras`` are assigned; a value of another kind raises ``UsageError``. There
    is a camera for each player; ``camera`` is the first. In each fixed step the host calls ``begin_step``, then the
    game moves entities. Drawing calls ``draw_list`` and ``drawn_cameras`` to interpolate between the last two steps.
    """

    __slots__ = (
        "_arranged_at",
        "_arrangement",
        "_bounds",
        "_drawing",
        "_interpolated",
        "_posed",
        "_previous_cameras",
        "_table",
        "_writer",
        "cameras",
        "characters",
        "environment",
        "lights",
        "placed",
        "probes",
        "sky",
        "sprites",
        "sun",
    )

    elsewhere: ClassVar[Mapping[str, str]] = {
        "ambient": _LIGHT_FROM_ALL_SIDES.format("the light from all sides"),
        "background": _LIGHT_FROM_ALL_SIDES.format("the background"),
        "light": "write scene.add_light(...), or scene.sun = DirectionalLight(...)",
    }

    def __init__(self) -> None:
        self.sun: DirectionalLight | None = DirectionalLight(glm.vec3(-0.4, -1.0, -0.3))
        self.sky = Sky()
        self.environment: Environment | None = None
        self.cameras: list[Camera] = [Camera(glm.vec3(0.0, 2.0, 6.0), glm.vec3(0.0))]
        self.lights: list[Light] = []
        self.sprites = Sprites()
        self._previous_cameras: tuple[Camera, ...] = ()
        self._interpolated: list[InterpolatedCamera] = []
        #: The animated characters, which ``Model.spawn`` adds.
        self.characters = Characters()
        #: The things that plugins draw, such as emitters of particles.
        self.placed = Placements()
        #: The light in boxes of the scene, such as rooms.
        self.probes = Probes()
        self._posed: DrawList | None = None
        self._table = EntityTable()
        self._writer = ModelWriter()
        self._drawing = Drawing(self._table, self._writer)
        self._bounds = WorldBounds()
        self._arrangement: Arrangement | None = None
        self._arranged_at = -1

    def __setattr__(self, name: str, value: object) -> None:
        checked = CHECKED.get(name)
        super().__setattr__(name, value if checked is None else checked(value))

    @property
    def camera(self) -> Camera:
        """The first player's camera."""
        if not self.cameras:
            raise UsageError("scene.cameras is empty", hint="give it a Camera", where=caller_location())
        return self.cameras[0]

    @camera.setter
    def camera(self, camera: Camera) -> None:
        check_camera("scene.camera", camera, caller_location())
        self.cameras[:1] = [camera]

    @property
    def revision(self) -> int:
        """Counter that increases when entities are added, removed, or get another mesh or material."""
        return self._table.revision

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All entities in the order of their addition. Makes an object for each."""
        return tuple(self)

    def __iter__(self) -> Iterator[Entity]:
        return (Entity.of_row(self._table, row) for row in self._table.in_order().tolist())

    def __len__(self) -> int:
        return len(self._table)

    def numbers(self) -> NDArray[np.int64]:
        """``Entity.number`` of all entities in the order of their addition, (n,)."""
        return self._table.number[self._table.in_order()]

    # -- contents

    def add(self, entity: Entity) -> Entity:
        """Add an entity and return it. Raises UsageError if it is in a scene already."""
        check_entity(entity)
        if entity.table is not None:
            raise UsageError(f'entity "{entity.name}" is in a scene already', hint="remove it there first")
        entity.enter(self._table)
        return entity

    def spawn(
        self,
        mesh: Mesh,
        material: Material,
        transform: Transform | None = None,
        *,
        casts_shadow: bool = True,
        name: str = "",
    ) -> Entity:
        """Create an entity and add it. Its name is the mesh's if none is given."""
        return self.add(Entity(mesh, material, transform, casts_shadow, name=name))

    def spawn_many(
        self,
        mesh: Mesh,
        material: Material,
        positions: ArrayLike,
        *,
        rotations: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        scales: ArrayLike = (1.0, 1.0, 1.0),
        casts_shadow: ArrayLike = True,
        visible: ArrayLike = True,
        layers: ArrayLike = FIRST_LAYER,
    ) -> Group:
        """Add an entity for each of ``positions`` (n, 3) without objects for them, and return their group.

        ``rotations`` (n, 4: w, x, y, z), ``scales`` (n, 3), ``casts_shadow``, ``visible`` and ``layers`` (n,) may be
        one for all. Raises ``UsageError`` for values of another shape or type.
        """
        places = positions_of(positions)
        count, table = len(places), self._table
        turns = rotations_of(count, rotations)
        sizes = numbers_of("scales", count, 3, scales)
        surface = Surface.of(mesh, material)
        shadows, shown = flags_of("casts_shadow", count, casts_shadow), flags_of("visible", count, visible)
        masks = masks_of("layers", count, layers)
        if not count:
            return self.group(())
        rows = table.add(surface, count, casts_shadow=shadows, visible=shown, layers=masks)
        for part, values in ((POSITION, places), (ROTATION, turns), (SCALE, sizes)):
            table.current.assign(rows, part, values)
        table.snap(rows)
        return Group(table, rows)

    def group(self, entities: Entity | Iterable[Entity] | None = None) -> Group:
        """A group of entities of this scene, None for all. Raises UsageError if one is not in it."""
        return Group(self._table, self._table.in_order() if entities is None else self._rows_of(entities))

    def remove(self, entity: Entity | Group) -> None:
        """Remove an entity or a group. Raises UsageError if an entity is not in this scene."""
        rows = self._rows_of(entity)
        self._table.collect()
        for row in self._table.objects.keys() & set(rows.tolist()):
            self._table.objects[row].leave()
        if len(rows):
            self._table.remove(rows)

    def clear(self) -> None:
        """Remove all entities, placed things, probes, and all lights except the sun."""
        self.remove(self.group())
        self.placed.clear()
        self.probes.clear()
        self.lights.clear()

    def static(self, *things: Entity | Group, promise: bool = True) -> None:
        """Promise that entities do not move any more, or withdraw the promise.

        A static entity that moves all the same is reported by name, once, and is not static any more.
        """
        self._table.collect()
        for thing in things:
            self._table.static[self._rows_of(thing)] = promise

    def moved_although_static(self) -> Group:
        """The entities that have broken such a promise since the last call."""
        table = self._table
        table.collect()
        rows = table.broken_promises.take()
        return Group(table, rows[table.alive[rows]])

    def add_light(self, light: Light) -> Light:
        """Add a light besides the sun and return it. Raises ``UsageError`` for what is no light."""
        check_light("the light of scene.add_light", light, caller_location())
        self.lights.append(light)
        return light

    def remove_light(self, light: Light) -> None:
        """Remove a light. Raises UsageError if it is not in this scene."""
        if light not in self.lights:
            raise UsageError("the light is not in this scene", hint="remove a light once")
        self.lights.remove(light)

    @property
    def point_lights(self) -> tuple[PointLight, ...]:
        """The point lights in the order of their addition."""
        return tuple(light for light in self.lights if isinstance(light, PointLight))

    @property
    def spot_lights(self) -> tuple[SpotLight, ...]:
        """The spot lights in the order of their addition."""
        return tuple(light for light in self.lights if isinstance(light, SpotLight))

    def meshes(self) -> tuple[Mesh, ...]:
        """The distinct meshes in use, including those of hidden entities."""
        return tuple(dict.fromkeys(surface.mesh for surface in self._table.surfaces_in_order()))

    def materials(self) -> tuple[Material, ...]:
        """The distinct materials in use, including those of hidden entities."""
        return tuple(dict.fromkeys(surface.material for surface in self._table.surfaces_in_order()))

    def first_with(self, material: Material) -> Entity:
        """The first entity with a material that is in use."""
        table, rows = self._table, self._table.in_order()
        numbers = [number for number in table.surfaces.in_use() if table.surfaces[number].material == material]
        return Entity.of_row(table, int(rows[np.isin(table.surface[rows], numbers)][0]))

    # -- steps and drawing

    def check(self) -> None:
        """Check that there is a camera, and the numbers of entities, cameras and lights, which change in place.

        Raises ``UsageError`` with the name of the object.
        """
        self._table.collect()
        if not self.cameras:
            raise UsageError("scene.cameras is empty", hint="give it a camera for each of context.players")
        for number, camera in enumerate(self.cameras):
            check_camera(f"scene.cameras[{number}]", camera)
            check_vectors(f"scene.cameras[{number}]", camera, camera.number_rules)
        if self.sun is not None:
            check_vectors("scene.sun", self.sun, self.sun.number_rules, self.sun.made_at)
        check_lights(self.lights)

    def begin_step(self, seconds: float = 0.0) -> None:
        """Start a fixed step of so many seconds: current transforms become previous ones, and animations go on."""
        self.characters.advance(seconds)
        self.placed.begin_step(seconds)
        self._table.begin_step()
        self.sprites.begin_step()
        self.snap_cameras()

    def snap(self) -> None:
        """Reset the previous values of all entities, cameras and animations."""
        self.characters.snap()
        self._table.snap(self._table.in_order())
        self.sprites.begin_step()
        self.snap_cameras()

    def snap_cameras(self) -> None:
        """Reset the cameras' previous values, so that a cut is not interpolated."""
        before = (*self._previous_cameras, *[None] * len(self.cameras))
        self._previous_cameras = tuple(
            [last if last == camera else camera.copy() for last, camera in zip(before, self.cameras, strict=False)]
        )

    def drawn_cameras(self, alpha: float) -> tuple[Camera, ...]:
        """The cameras interpolated between the last step (alpha = 0) and now (1). A new camera does not move."""
        before = (*self._previous_cameras, *self.cameras[len(self._previous_cameras) :])
        last = (*self._interpolated, *[None] * len(self.cameras))
        found = []
        for a, b, known in zip(before, self.cameras, last, strict=False):
            if known is None or not known.holds_for(a, b, alpha):
                known = InterpolatedCamera.of(a, b, alpha)
            found.append(known)
        self._interpolated = found
        return tuple([one.camera for one in found])

    def draw_list(self, alpha: float = 1.0) -> DrawList:
        """The visible entities, interpolated between the last step (alpha = 0) and now (1).

        The order is deterministic: groups of one (mesh, material) in the order of their first entity, shadow casters
        first within a group. Returns the same object as long as nothing changes.
        """
        self._table.collect()
        draws, poses = self._drawing.draw_list(self._arranged(), alpha), self.characters.poses(alpha)
        if self._posed is None or self._posed.stamp != draws.stamp or self._posed.poses is not poses:
            self._posed = draws.with_poses(poses)
        return self._posed

    def bounds(self, *, shadow_casters_only: bool = False) -> Bounds:
        """Bounding sphere of all visible entities at their current positions. An empty scene has radius 0."""
        return self._world_bounds().bounds(shadow_casters_only=shadow_casters_only)

    def pick(self, ray: Ray, *, layers: int = ALL_LAYERS) -> Hit | None:
        """The visible entity whose triangles a ray meets first, at current positions, such as ``camera.ray(...)``.

        ``layers`` limits it to entities that have one of these layers. Back faces count where the material is
        double-sided.
        """
        mask_of("layers of a ray", layers)
        bounds = self._world_bounds()
        arrangement = self._arranged()
        place, distance = first_met(ray, arrangement, bounds, layers, lambda: self.characters.poses(1.0))
        if place is None:
            return None
        entity = Entity.of_row(self._table, int(arrangement.rows[place]))
        return Hit(entity, glm.vec3(ray.origin + ray.direction * distance), distance)

    # -- inside

    def _rows_of(self, entities: Entity | Iterable[Entity]) -> Rows:
        if isinstance(entities, Group) and entities.table is self._table:
            return entities.rows
        rows = []
        for entity in entities if isinstance(entities, Iterable) else (entities,):
            check_entity(entity)
            if entity.table is not self._table:
                raise UsageError(
                    f'entity "{entity.name}" is not in this scene', hint="it has been removed, or is in another"
                )
            rows.append(entity.row)
        return np.array(rows, np.intp)

    def _arranged(self) -> Arrangement:
        if self._arrangement is None or self._arranged_at != self._table.arrangement:
            self._arrangement, self._arranged_at = arrange(self._table), self._table.arrangement
        return self._arrangement

    def _world_bounds(self) -> WorldBounds:
        self._table.collect()
        arrangement = self._arranged()
        if not self._bounds.is_of(arrangement, self._table.moves):
            models = self._drawing.models_now(arrangement)
            sheared = self._table.has_local[arrangement.rows]
            self._bounds.update(arrangement, self._table.moves, models, sheared)
        return self._bounds

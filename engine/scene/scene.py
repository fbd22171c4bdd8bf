"""The scene: entities, lights, sky and cameras."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene.bounds import Bounds, bounds_of_spheres
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.draw_list import DrawBatch, DrawList, interpolated_models, pack_transforms
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.environment import Environment
from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, SpotLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.number_rules import check_numbers
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.transform import Transform
from renderwright.render.errors import UsageError


@dataclass(frozen=True, eq=False)
class _Arrangement:
    """Visible entities in drawing order, with derived data."""

    entities: tuple[Entity, ...]
    batches: tuple[DrawBatch, ...]
    #: float32 (n, 4, 4) in column-major memory; None if all are the identity.
    locals: NDArray[np.float32] | None
    #: float32 (n, 4): the meshes' bounding spheres, centre and radius.
    spheres: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class _Drawn:
    """The last draw list and its inputs."""

    arrangement: _Arrangement
    previous: bytes
    current: bytes
    alpha: float
    result: DrawList


class Scene:
    """Entities, lights, sky and cameras.

    ``sun``, ``sky``, ``cameras`` are plain attributes. There is a camera for each player; ``camera`` is the first. In
    each fixed step the host calls ``begin_step``, then the game moves entities. Drawing calls ``draw_list`` and
    ``drawn_cameras`` to interpolate between the last two steps.
    """

    def __init__(self) -> None:
        self.sun: DirectionalLight | None = DirectionalLight(glm.vec3(-0.4, -1.0, -0.3))
        self.sky = Sky()
        self.environment: Environment | None = None
        self.cameras: list[Camera] = [Camera(glm.vec3(0.0, 2.0, 6.0), glm.vec3(0.0))]
        self.lights: list[Light] = []
        self._entities: dict[Entity, None] = {}
        self._previous_cameras: tuple[Camera, ...] = ()
        self._revision = 0
        self._arrangement: _Arrangement | None = None
        self._drawn: _Drawn | None = None

    @property
    def camera(self) -> Camera:
        """The first player's camera."""
        return self.cameras[0]

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self.cameras[0] = camera

    @property
    def revision(self) -> int:
        """Counter that increases when entities are added, removed, or get another mesh or material."""
        return self._revision

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All entities in the order of their addition."""
        return tuple(self._entities)

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self._entities)

    # -- contents

    def add(self, entity: Entity) -> Entity:
        """Add an entity and return it. Raises UsageError if it is in a scene already."""
        if entity._changed is not None:
            raise UsageError(f'entity "{entity.name}" is in a scene already', hint="remove it there first")
        entity._changed = self._on_change
        entity.snap()
        self._entities[entity] = None
        self._on_change(True)
        return entity

    def spawn(
        self, mesh: Mesh, material: Material, transform: Transform | None = None, *, casts_shadow: bool = True
    ) -> Entity:
        """Create an entity and add it."""
        return self.add(Entity(mesh, material, transform, casts_shadow))

    def remove(self, entity: Entity) -> None:
        """Remove an entity. Raises UsageError if it is not in this scene."""
        if entity not in self._entities:
            raise UsageError(f'entity "{entity.name}" is not in this scene', hint="remove an entity once")
        del self._entities[entity]
        entity._changed = None
        self._on_change(True)

    def clear(self) -> None:
        """Remove all entities and all lights except the sun."""
        for entity in self.entities:
            self.remove(entity)
        self.lights.clear()

    def add_light(self, light: Light) -> Light:
        """Add a light besides the sun and return it."""
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
        return tuple(dict.fromkeys(entity.mesh for entity in self._entities))

    def materials(self) -> tuple[Material, ...]:
        """The distinct materials in use, including those of hidden entities."""
        return tuple(dict.fromkeys(entity.material for entity in self._entities))

    # -- steps and drawing

    def check(self) -> None:
        """Check the numbers of cameras and lights, which may have been changed in place.

        Raises ``UsageError`` with the name of the object.
        """
        for number, camera in enumerate(self.cameras):
            check_numbers(f"scene.cameras[{number}]", camera, camera.number_rules)
        if self.sun is not None:
            check_numbers("scene.sun", self.sun, self.sun.number_rules, self.sun.made_at)
        for number, light in enumerate(self.lights):
            check_numbers(f"scene.lights[{number}]", light, light.number_rules, light.made_at)

    def begin_step(self) -> None:
        """Start a fixed step: current transforms become previous transforms."""
        for entity in self._entities:
            now, before = entity.transform, entity.previous
            if before.position != now.position:
                before.position = glm.vec3(now.position)
            if before.rotation != now.rotation:
                before.rotation = glm.quat(now.rotation)
            if before.scale != now.scale:
                before.scale = glm.vec3(now.scale)
        self.snap_cameras()

    def snap_cameras(self) -> None:
        """Reset the cameras' previous values, so that a cut is not interpolated."""
        self._previous_cameras = tuple(camera.copy() for camera in self.cameras)

    def drawn_cameras(self, alpha: float) -> tuple[Camera, ...]:
        """The cameras interpolated between the last step (alpha = 0) and now (1). A new camera does not move."""
        before = (*self._previous_cameras, *self.cameras[len(self._previous_cameras) :])
        return tuple(Camera.interpolate(a, b, alpha) for a, b in zip(before, self.cameras, strict=False))

    def draw_list(self, alpha: float = 1.0) -> DrawList:
        """The visible entities, interpolated between the last step (alpha = 0) and now (1).

        The order is deterministic: groups of one (mesh, material) in the order of their first entity, shadow casters
        first within a group. Returns the same object as long as nothing changes.
        """
        arrangement = self._arranged()
        current = pack_transforms([entity.transform for entity in arrangement.entities])
        previous = pack_transforms([entity.previous for entity in arrangement.entities])
        drawn = self._drawn
        if (
            drawn is not None
            and drawn.arrangement is arrangement
            and drawn.current == current
            and drawn.previous == previous
            and (drawn.alpha == alpha or previous == current)
        ):
            return drawn.result
        models = _placed(interpolated_models(previous, current, alpha), arrangement.locals)
        models.flags.writeable = False
        result = DrawList(models, arrangement.batches, arrangement.entities)
        self._drawn = _Drawn(arrangement, previous, current, alpha, result)
        return result

    def bounds(self, *, shadow_casters_only: bool = False) -> Bounds:
        """Bounding sphere of all visible entities at their current positions. An empty scene has radius 0."""
        arrangement = self._arranged()
        current = pack_transforms([entity.transform for entity in arrangement.entities])
        models = _placed(interpolated_models(current, current, 1.0), arrangement.locals)
        spheres = arrangement.spheres
        # The longest column bounds the scaling of a matrix without shear; the Frobenius norm bounds any other.
        axes = models[:, :3, :3]
        centers = np.einsum("nc,ncr->nr", spheres[:, :3], axes) + models[:, 3, :3]
        if arrangement.locals is None:
            stretch = np.linalg.norm(axes, axis=2).max(axis=1, initial=0.0)
        else:
            stretch = np.linalg.norm(axes.reshape(-1, 9), axis=1)
        radii = spheres[:, 3] * stretch
        if shadow_casters_only:
            casting = np.array([entity.casts_shadow for entity in arrangement.entities], bool)
            centers, radii = centers[casting], radii[casting]
        return bounds_of_spheres(centers, radii)

    # -- inside

    def _on_change(self, content: bool) -> None:
        self._arrangement = None
        if content:
            self._revision += 1

    def _arranged(self) -> _Arrangement:
        if self._arrangement is None:
            self._arrangement = _arrange([entity for entity in self._entities if entity.visible])
        return self._arrangement


def _arrange(visible: Sequence[Entity]) -> _Arrangement:
    groups: dict[tuple[Mesh, Material], tuple[list[Entity], list[Entity]]] = {}
    for entity in visible:
        casting, other = groups.setdefault((entity.mesh, entity.material), ([], []))
        (casting if entity.casts_shadow else other).append(entity)
    ordered: list[Entity] = []
    batches: list[DrawBatch] = []
    for (mesh, material), (casting, other) in groups.items():
        for members, casts_shadow in ((casting, True), (other, False)):
            if members:
                batches.append(DrawBatch(mesh, material, len(ordered), len(members), casts_shadow))
                ordered += members
    identity = glm.mat4(1.0)
    matrices: NDArray[np.float32] | None = None
    if any(entity.local != identity for entity in ordered):
        packed = b"".join(entity.local.to_bytes() for entity in ordered)
        matrices = np.frombuffer(packed, np.float32).reshape(-1, 4, 4)
    spheres = [(*entity.mesh.bounds.center, entity.mesh.bounds.radius) for entity in ordered]
    return _Arrangement(tuple(ordered), tuple(batches), matrices, np.array(spheres, np.float32).reshape(-1, 4))


def _placed(models: NDArray[np.float32], matrices: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """``models * locals``. The factors are swapped because both arrays are column-major, that is, transposed."""
    return models if matrices is None else np.matmul(matrices, models)

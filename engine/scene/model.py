"""A loaded model: a tree of nodes with meshes, lights and cameras, which can be instantiated in scenes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from pyglm import glm

from renderwright.engine.animation.animation_set import AnimationSet
from renderwright.engine.scene.algebra import matrix_rotation, transform_direction, transform_point
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.character import Character
from renderwright.engine.scene.deformation import Deformation
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, RectangleLight, faded_radius
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.rest_pose import follows_rest_pose, mesh_at_rest
from renderwright.engine.scene.scene import Scene
from renderwright.engine.scene.transform import Transform
from renderwright.render.errors import AssetError
from renderwright.render.suggest import did_you_mean


@dataclass(frozen=True, eq=False)
class ModelNode:
    """A named node. ``matrix`` transforms to model space, ``parent`` is an index in ``Model.nodes``."""

    name: str
    parent: int | None
    matrix: glm.mat4


@dataclass(frozen=True, eq=False)
class ModelPart:
    """A mesh with one material at a node. ``matrix`` transforms from mesh to model space.

    A mesh that animations move has a ``deformation``, which places it in model space instead.
    """

    node: int
    mesh: Mesh
    material: Material
    matrix: glm.mat4
    deformation: Deformation | None = None


@dataclass(frozen=True, eq=False)
class ModelCamera:
    """A camera in model space."""

    name: str
    camera: Camera


@dataclass(frozen=True, eq=False)
class Model:
    """The contents of a model file. Lights are in model space too.

    ``notices`` say in a line each what the file has and is not shown as it says; loading has logged them.
    """

    name: str
    nodes: tuple[ModelNode, ...]
    parts: tuple[ModelPart, ...]
    lights: tuple[Light, ...] = ()
    cameras: tuple[ModelCamera, ...] = ()
    notices: tuple[str, ...] = ()
    animations: AnimationSet = field(default_factory=AnimationSet.empty)

    def node(self, name: str) -> ModelNode:
        """The first node with that name, such as a marker of a start position. Raises AssetError."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise AssetError(
            f'model "{self.name}" has no node "{name}"', hint=did_you_mean(name, {node.name for node in self.nodes})
        )

    def spawn(self, scene: Scene, transform: Transform | None = None, *, name: str = "") -> Character:
        """Add the model to ``scene`` as a character, which can play its animations.

        ``transform`` moves it; give each character its own. Its name is the model's if none is given.
        """
        return Character(self, scene, transform, name)

    def instantiate(
        self, scene: Scene, transform: Transform | None = None, *, lights: bool = False, light_scale: float = 1.0
    ) -> list[Entity]:
        """Add an entity for every part to ``scene``, and with ``lights`` also the lights.

        It stays in the rest pose of the file: ``spawn`` makes a character that plays animations. All entities share
        ``transform``, so changing it moves the whole model. Give each instance its own. The lights do not follow it.
        ``light_scale`` scales their intensities, which are in lux and candela in a file.
        """
        shared = transform if transform is not None else Transform()
        entities = [
            scene.add(Entity(part.mesh, part.material, shared, name=self.nodes[part.node].name, local=part.matrix))
            for part in self._parts_at_rest
        ]
        if lights:
            for light in self.lights:
                scene.add_light(placed_light(_scaled(light, light_scale), shared.matrix()))
        return entities

    @cached_property
    def _parts_at_rest(self) -> tuple[ModelPart, ...]:
        """The parts without deformations. Instances share their meshes."""
        return tuple(_at_rest(part) for part in self.parts)


def _at_rest(part: ModelPart) -> ModelPart:
    if part.deformation is None or not follows_rest_pose(part.deformation):
        return part
    return ModelPart(part.node, mesh_at_rest(part.mesh, part.deformation), part.material, glm.mat4(1.0))


def _scaled(light: Light, scale: float) -> Light:
    """A copy of another intensity. A light that gets fainter ends earlier, since its radius is what it costs."""
    intensity = light.intensity * scale
    if isinstance(light, DirectionalLight) or scale >= 1.0:
        return replace(light, intensity=intensity)
    return replace(light, intensity=intensity, radius=min(light.radius, faded_radius(intensity)))


def placed_light(light: Light, matrix: glm.mat4) -> Light:
    """A copy of ``light`` transformed by ``matrix``, with unchanged intensity and radius."""
    if isinstance(light, PointLight):
        return replace(light, position=transform_point(matrix, light.position))
    direction = transform_direction(matrix, light.direction)
    if isinstance(light, DirectionalLight):
        return replace(light, direction=direction)
    placed = replace(light, position=transform_point(matrix, light.position), direction=direction)
    if isinstance(placed, RectangleLight):
        placed.up = transform_direction(matrix, placed.up)
    return placed


def placed_camera(camera: Camera, matrix: glm.mat4) -> Camera:
    """A copy of a camera at the origin that looks along -Z, transformed by ``matrix``."""
    return replace(camera.copy(), position=transform_point(matrix, glm.vec3(0.0)), rotation=matrix_rotation(matrix))

"""A loaded model: a tree of nodes, some with meshes, lights or cameras, that can be put into scenes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyglm import glm

from renderwright.engine.scene.algebra import matrix_rotation, transform_direction, transform_point
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.light import DirectionalLight, Light, PointLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.scene import Scene
from renderwright.engine.scene.transform import Transform
from renderwright.render.errors import AssetError
from renderwright.render.suggest import did_you_mean


@dataclass(frozen=True, eq=False)
class ModelNode:
    """A named place in a model: ``matrix`` leads to model space, ``parent`` is a position in ``Model.nodes``."""

    name: str
    parent: int | None
    matrix: glm.mat4


@dataclass(frozen=True, eq=False)
class ModelPart:
    """One mesh with one material at a node; ``matrix`` leads from the mesh to model space."""

    node: int
    mesh: Mesh
    material: Material
    matrix: glm.mat4


@dataclass(frozen=True, eq=False)
class ModelCamera:
    """A camera in model space."""

    name: str
    camera: Camera


@dataclass(frozen=True, eq=False)
class Model:
    """What a model file holds. Lights are in model space too."""

    name: str
    nodes: tuple[ModelNode, ...]
    parts: tuple[ModelPart, ...]
    lights: tuple[Light, ...] = ()
    cameras: tuple[ModelCamera, ...] = ()

    def node(self, name: str) -> ModelNode:
        """The first node of that name, such as a marker for a starting place. Raises AssetError."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise AssetError(
            f'model "{self.name}" has no node "{name}"', hint=did_you_mean(name, {node.name for node in self.nodes})
        )

    def instantiate(self, scene: Scene, transform: Transform | None = None, *, lights: bool = False) -> list[Entity]:
        """Add an entity for every part (and with ``lights`` the lights) to ``scene``.

        All entities share ``transform``, so changing it moves the whole model; give each instance one of its own. The
        lights stay where they are put.
        """
        shared = transform if transform is not None else Transform()
        entities = [
            scene.add(Entity(part.mesh, part.material, shared, name=self.nodes[part.node].name, local=part.matrix))
            for part in self.parts
        ]
        if lights:
            for light in self.lights:
                scene.add_light(placed_light(light, shared.matrix()))
        return entities


def placed_light(light: Light, matrix: glm.mat4) -> Light:
    """A copy of ``light`` moved and turned by ``matrix``; intensity and radius stay."""
    if isinstance(light, PointLight):
        return replace(light, position=transform_point(matrix, light.position))
    direction = transform_direction(matrix, light.direction)
    if isinstance(light, DirectionalLight):
        return replace(light, direction=direction)
    return replace(light, position=transform_point(matrix, light.position), direction=direction)


def placed_camera(camera: Camera, matrix: glm.mat4) -> Camera:
    """A copy of a camera that stands at the origin and looks along -Z, moved and turned by ``matrix``."""
    return replace(camera.copy(), position=transform_point(matrix, glm.vec3(0.0)), rotation=matrix_rotation(matrix))

"""Loading of glTF 2.0 models (.gltf and .glb).

Supported: triangle meshes, the node tree, metallic-roughness materials with their images, cameras, the lights of
KHR_lights_punctual, skins, morph targets and animations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyglm import glm

from renderwright.engine.scene.algebra import multiply
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.decoding import quiet_decoding, shown
from renderwright.engine.scene.gltf.cameras import orthographic_camera
from renderwright.engine.scene.gltf.file import MALFORMED, GltfFile
from renderwright.engine.scene.gltf.instancing import instance_matrices
from renderwright.engine.scene.gltf.materials import GltfMaterials
from renderwright.engine.scene.gltf.meshes import read_primitive
from renderwright.engine.scene.gltf.rigs import GltfRig, Place
from renderwright.engine.scene.gltf.skins import Primitive
from renderwright.engine.scene.light import DirectionalLight, Light, PointLight, SpotLight, faded_radius
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.model import Model, ModelCamera, ModelNode, ModelPart, placed_camera, placed_light
from renderwright.engine.scene.model_limits import ModelLimits
from renderwright.engine.scene.transform import Transform
from renderwright.render.errors import AssetError, SourceLocation, UsageError

_LIGHTS = "KHR_lights_punctual"


def load_gltf(
    path: str | Path,
    *,
    folder: str | Path | None = None,
    limits: ModelLimits | None = None,
    progress: Callable[[float], None] | None = None,
) -> Model:
    """Load a .gltf or .glb file: its default scene, or all root nodes if the file has no scenes.

    The files that it names must lie in ``folder`` (None: its own), links resolved. ``limits`` bound what it may ask
    for. ``progress`` is called with the part that is read, from 0 to 1. What the file has and is not shown as it says
    is logged, a line each, and listed in ``Model.notices``. Raises AssetError with the file and the invalid element.
    """
    try:
        with quiet_decoding():
            file = GltfFile(Path(path), Path(folder) if folder is not None else None, limits)
            return _Loader(file, progress or (lambda part: None)).model()
    except UsageError as error:  # a camera or a light with an invalid number
        raise AssetError(error.message, hint=error.hint, where=SourceLocation(str(path))) from error
    except MALFORMED as error:
        raise AssetError(
            f"not valid glTF 2.0: {shown(str(error))}",
            hint="export the model again",
            where=SourceLocation(str(path)),
        ) from error


@dataclass(frozen=True)
class _Place:
    """A node of the file with its parent and its matrix in model space."""

    source: int
    parent: int | None
    matrix: glm.mat4
    local: glm.mat4


class _Loader:
    def __init__(self, file: GltfFile, progress: Callable[[float], None]) -> None:
        self._file = file
        self._progress = progress
        self._materials = GltfMaterials(file)
        self._primitives: dict[int, list[tuple[Mesh, Material]]] = {}
        self._mirrored: dict[Mesh, Mesh] = {}
        self._sources: dict[Mesh, Primitive] = {}

    def model(self) -> Model:
        nodes: list[ModelNode] = []
        parts: list[ModelPart] = []
        lights: list[Light] = []
        cameras: list[ModelCamera] = []
        places: list[Place] = []
        for number, place in enumerate(self._places()):
            self._progress(number / len(self._file.document.nodes))
            source = self._file.document.nodes[place.source]
            label = self._file.label("nodes", place.source)
            name = str(source.name or f"node {place.source}")
            with self._file.reading(label):
                if source.mesh is not None:
                    for matrix in instance_matrices(self._file, source, label) or (glm.mat4(1.0),):
                        parts += self._parts(source.mesh, len(nodes), multiply(place.matrix, matrix), label)
                if source.camera is not None:
                    cameras += self._cameras(source.camera, name, place.matrix, label)
                extension = (source.extensions or {}).get(_LIGHTS)
                if extension is not None:
                    lights.append(placed_light(self._light(extension.get("light"), label), place.matrix))
            nodes.append(ModelNode(name, place.parent, place.matrix))
            places.append(Place(place.source, place.parent, place.local, name))
        parts, animations = GltfRig(self._file, places, self._sources).apply(parts)
        if not (parts or lights or cameras):
            self._file.notices.add("the file", "its scene has no meshes, lights or cameras")
        self._progress(1.0)
        self._file.notices.log()
        notices = self._file.notices.lines()
        stem = self._file.path.stem
        return Model(stem, tuple(nodes), tuple(parts), tuple(lights), tuple(cameras), notices, animations)

    # -- nodes

    def _places(self) -> Iterator[_Place]:
        """The nodes of the scene, parents first. ``parent`` is an index in this order."""
        waiting: list[tuple[int, int | None, glm.mat4, str]] = [
            (root, None, glm.mat4(1.0), "the scene") for root in reversed(self._roots())
        ]
        seen: set[int] = set()
        while waiting:
            index, parent, above, user = waiting.pop()
            source = self._file.element("nodes", index, user)
            label = self._file.label("nodes", index)
            if index in seen:
                raise self._file.problem(label, "has two parents, or is its own ancestor")
            with self._file.reading(label):
                local = self._local(source, label)
                children = list(reversed(source.children or ()))
            matrix = multiply(above, local)
            if not all(math.isfinite(value) for column in matrix for value in column):
                raise self._file.problem(label, "its place is beyond all numbers", hint="use metres")
            position = len(seen)
            seen.add(index)
            for child in children:
                waiting.append((child, position, matrix, label))
            yield _Place(index, parent, matrix, local)

    def _roots(self) -> list[int]:
        document = self._file.document
        if document.scenes:
            return list(self._file.element("scenes", document.scene or 0, "scene").nodes or ())
        children: set[int] = set()
        for number, node in enumerate(document.nodes):
            with self._file.reading(self._file.label("nodes", number)):
                children.update(node.children or ())
        return [index for index in range(len(document.nodes)) if index not in children]

    def _local(self, source: Any, label: str) -> glm.mat4:
        if source.matrix:
            return glm.mat4(*self._numbers(source.matrix, 16, label, "matrix"))
        transform = Transform()
        if source.translation:
            transform.position = glm.vec3(*self._numbers(source.translation, 3, label, "translation"))
        if source.rotation:
            x, y, z, w = self._numbers(source.rotation, 4, label, "rotation")
            if x == y == z == w == 0.0:
                raise self._file.problem(label, "a rotation of length 0")
            transform.rotation = glm.normalize(glm.quat(w, x, y, z))
        if source.scale:
            transform.scale = glm.vec3(*self._numbers(source.scale, 3, label, "scale"))
        return transform.matrix()

    def _numbers(self, values: Any, count: int, label: str, what: str) -> list[float]:
        if len(values) != count or not all(isinstance(v, (int, float)) and math.isfinite(v) for v in values):
            raise self._file.problem(label, f"{what} is not {count} finite numbers")
        return [float(value) for value in values]

    # -- meshes

    def _parts(self, index: int, node: int, matrix: glm.mat4, label: str) -> Iterator[ModelPart]:
        mirrors = glm.determinant(glm.mat3(matrix)) < 0.0
        for mesh, material in self._read_mesh(index, label):
            if mirrors and mesh not in self._mirrored:
                self._mirrored[mesh] = mesh.mirrored()
                self._sources[self._mirrored[mesh]] = self._sources[mesh]
            yield ModelPart(node, self._mirrored[mesh] if mirrors else mesh, material, matrix)

    def _read_mesh(self, index: int, user: str) -> list[tuple[Mesh, Material]]:
        source = self._file.element("meshes", index, user)
        if index not in self._primitives:
            label = self._file.label("meshes", index)
            base = f"{self._file.path.stem}/{source.name or f'mesh {index}'}"
            found = self._primitives[index] = []
            with self._file.reading(label):
                count = len(source.primitives)
            for number in range(count):
                primitive_label = f"{label} primitive {number}"
                name = base if count == 1 else f"{base}/{number}"
                with self._file.reading(primitive_label):
                    primitive = source.primitives[number]
                    material, uvs = self._materials.material(primitive.material, primitive_label)
                    mesh = read_primitive(self._file, primitive, name, primitive_label, uvs)
                if mesh is not None:
                    self._sources[mesh] = Primitive(primitive, primitive_label, mesh)
                    found.append((mesh, material))
        return self._primitives[index]

    # -- cameras and lights

    def _cameras(self, index: int, name: str, matrix: glm.mat4, user: str) -> Iterator[ModelCamera]:
        source = self._file.element("cameras", index, user)
        if source.perspective is not None:
            camera = Camera(fov_y=float(source.perspective.yfov), near=float(source.perspective.znear))
        elif source.orthographic is not None:
            camera = orthographic_camera(source.orthographic)
        else:
            self._file.notices.add(user, "skipped, it is neither perspective nor orthographic")
            return
        yield ModelCamera(name, placed_camera(camera, matrix))

    def _light(self, index: Any, user: str) -> Light:
        sources = (self._file.document.extensions or {}).get(_LIGHTS, {}).get("lights", [])
        if not isinstance(index, int) or not 0 <= index < len(sources):
            raise self._file.problem(user, f"refers to light {shown(str(index))}, and there are {len(sources)}")
        source = sources[index]
        red, green, blue = source.get("color", (1.0, 1.0, 1.0))
        color, intensity = (float(red), float(green), float(blue)), float(source.get("intensity", 1.0))
        ahead, here = glm.vec3(0.0, 0.0, -1.0), glm.vec3(0.0)
        radius = float(source.get("range", faded_radius(intensity)))
        match source.get("type"):
            case "directional":
                return DirectionalLight(ahead, color, intensity)
            case "point":
                return PointLight(here, color, intensity, radius)
            case "spot":
                spot = source.get("spot", {})
                inner = float(spot.get("innerConeAngle", 0.0))
                outer = float(spot.get("outerConeAngle", math.pi / 4.0))
                return SpotLight(here, ahead, color, intensity, radius, inner, outer)
            case kind:
                raise self._file.problem(
                    user, f'a light of type "{shown(str(kind))}"', hint="use directional, point or spot"
                )

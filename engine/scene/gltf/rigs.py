"""The rig of a glTF model: the nodes that animations move and meshes follow, with the deformations of meshes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.animation.animation_set import AnimationSet
from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Path
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.reach import Reach
from renderwright.engine.animation.rig import Rig, depths_of
from renderwright.engine.animation.track import unit
from renderwright.engine.scene.deformation import Deformation
from renderwright.engine.scene.gltf.accessors import read_floats
from renderwright.engine.scene.gltf.animations import Channel, GltfAnimations
from renderwright.engine.scene.gltf.file import GltfFile
from renderwright.engine.scene.gltf.skins import Primitive, member, read_influences, read_morphs
from renderwright.engine.scene.mesh import MAX_REACH, Mesh
from renderwright.engine.scene.model import ModelPart

_MOST_JOINTS = 0xFFFF


@dataclass(frozen=True, eq=False)
class Place:
    """A node of the file in the model: its number in the file, its parent's place, its local matrix, its name."""

    source: int
    parent: int | None
    local: glm.mat4
    name: str


class GltfRig:
    """Finds what moves in a model. ``places`` are its nodes, parents first, ``primitives`` are those of its meshes."""

    def __init__(self, file: GltfFile, places: Sequence[Place], primitives: Mapping[Mesh, Primitive]) -> None:
        self._file = file
        self._places = places
        self._primitives = primitives
        self._place_of = {place.source: number for number, place in enumerate(places)}
        self._morphs = {number: self._morph_count(number) for number in range(len(places))}
        self._channels = GltfAnimations(file, self._place_of, self._morphs).read()
        self._moving = {
            channel.place
            for channels in self._channels.values()
            for channel in channels
            if channel.path is not Path.WEIGHT
        }
        self._carried: list[bool] = []
        for number, place in enumerate(places):
            above = place.parent is not None and self._carried[place.parent]
            self._carried.append(above or number in self._moving)

    def apply(self, parts: Sequence[ModelPart]) -> tuple[list[ModelPart], AnimationSet]:
        """The parts with their deformations, and what animates them. Raises AssetError."""
        joints = _Joints()
        first = {number: self._first_joint(part, joints) for number, part in enumerate(parts)}
        nodes = self._nodes(joints)
        if not nodes:
            return list(parts), AnimationSet.empty()
        weights, names, starts = self._weights()
        rig = self._rig(nodes, joints, weights)
        clips = [self._clip(name, channels, nodes, rig, starts) for name, channels in self._channels.items()]
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that are too large are refused below
            reach = Reach.of(rig, clips)
            if not reach.finite:
                raise self._file.problem("animations", "they move a node beyond all numbers", hint="use metres")
            deformed = [
                self._deformed(part, rig, reach, joint, starts) if joint is not None else part
                for part, joint in zip(parts, first.values(), strict=True)
            ]
        return deformed, AnimationSet(rig, tuple(clips), tuple(names))

    # -- joints

    def _first_joint(self, part: ModelPart, joints: _Joints) -> int | None:
        """The first joint that a part follows, None if it does not move."""
        primitive, skin = self._primitives[part.mesh], self._source(part.node).skin
        if skin is not None and primitive.has_joints:
            return joints.of_skin(skin, lambda: self._skin(skin, part.node))
        if self._carried[part.node] or primitive.morph_count:
            return joints.of_node(part.node)
        return None

    def _skin(self, index: int, node: int) -> tuple[list[int], NDArray[np.float32]]:
        """The places of a skin's joints, and their inverse bind matrices (n, 3, 4)."""
        label = self._file.label("skins", index) if self._is_skin(index) else ""
        skin = self._file.element("skins", index, self._label(node))
        sources = list(skin.joints or ())
        if not 0 < len(sources) <= _MOST_JOINTS:
            raise self._file.problem(label, f"{len(sources)} joints")
        lost = [source for source in sources if source not in self._place_of]
        if lost:
            raise self._file.problem(label, f"its joint nodes[{lost[0]}] is not in the scene")
        matrices = np.tile(np.eye(4, dtype=np.float32)[:3], (len(sources), 1, 1))
        if skin.inverseBindMatrices is not None:
            stored = read_floats(self._file, skin.inverseBindMatrices, 16, f"{label} inverseBindMatrices")
            if len(stored) < len(sources):
                raise self._file.problem(label, f"{len(stored)} inverse bind matrices for {len(sources)} joints")
            if not np.isfinite(stored).all():
                raise self._file.problem(label, "an inverse bind matrix is not finite")
            matrices = stored[: len(sources)].reshape(-1, 4, 4).transpose(0, 2, 1)[:, :3]
        return [self._place_of[source] for source in sources], matrices

    def _is_skin(self, index: Any) -> bool:
        return isinstance(index, int) and 0 <= index < len(self._file.document.skins)

    # -- the rig

    def _nodes(self, joints: _Joints) -> list[int]:
        """The places of the rig's nodes by depth: all that move or are followed, and their ancestors."""
        wanted = set()
        for number in {*self._moving, *joints.places}:
            above: int | None = number
            while above is not None and above not in wanted:
                wanted.add(above)
                above = self._places[above].parent
        depths = depths_of([-1 if place.parent is None else place.parent for place in self._places])
        return sorted(wanted, key=lambda number: (int(depths[number]), number))

    def _rig(self, nodes: Sequence[int], joints: _Joints, weights: Sequence[float]) -> Rig:
        number_of = {place: number for number, place in enumerate(nodes)}
        parents = [self._places[place].parent for place in nodes]
        fixed = np.array([_rows(self._places[place].local) for place in nodes], np.float32)
        animated = [number for number, place in enumerate(nodes) if place in self._moving]
        sources = [self._source(nodes[number]) for number in animated]
        rest = {
            Path.TRANSLATION: _values(sources, "translation", (0.0, 0.0, 0.0)),
            Path.ROTATION: unit(_values(sources, "rotation", (0.0, 0.0, 0.0, 1.0))),
            Path.SCALE: _values(sources, "scale", (1.0, 1.0, 1.0)),
            Path.WEIGHT: np.array(weights, np.float32).reshape(1, -1, 1),
        }
        return Rig(
            tuple(self._places[place].name for place in nodes),
            np.array([-1 if parent is None else number_of[parent] for parent in parents], np.intp),
            fixed,
            np.array(animated, np.intp),
            Pose(rest),
            np.array([number_of[place] for place in joints.places], np.intp),
            np.concatenate([np.zeros((0, 3, 4), np.float32), *joints.matrices]),
        )

    def _clip(
        self, name: str, channels: Sequence[Channel], nodes: Sequence[int], rig: Rig, starts: Mapping[int, int]
    ) -> Clip:
        target_of = {nodes[node]: number for number, node in enumerate(rig.animated.tolist())}
        curves: list[Curve] = []
        for channel in channels:
            if channel.path is not Path.WEIGHT:
                curves.append(_curve(channel, target_of[channel.place], slice(None)))
                continue
            for number in range(self._morphs[channel.place]):
                curves.append(_curve(channel, starts[channel.place] + number, slice(number, number + 1)))
        return Clip.of(name, curves)

    # -- parts

    def _deformed(self, part: ModelPart, rig: Rig, reach: Reach, joint: int, starts: Mapping[int, int]) -> ModelPart:
        primitive, skin = self._primitives[part.mesh], self._source(part.node).skin
        influences, mesh = None, part.mesh
        if skin is not None and primitive.has_joints:
            joints = len(self._file.element("skins", skin, primitive.label).joints)
            influences = read_influences(self._file, primitive, joints)
            mirrors = np.linalg.det(rig.palettes(rig.matrices(rig.rest, 1))[0, joint, :, :3]) < 0.0
            mesh = primitive.mesh.mirrored() if mirrors else primitive.mesh  # the place of its node does not matter
        morphs = read_morphs(self._file, primitive)
        if morphs is not None and mesh is not primitive.mesh:  # a mirrored one has its normals inside
            morphs[:, :, 3:6] *= -1.0
        deformation = Deformation.of(mesh, rig, reach, joint, influences, morphs, starts.get(part.node, 0))
        if not deformation.bounds.radius < MAX_REACH:
            raise self._file.problem(primitive.label, "animations move it beyond all numbers", hint="use metres")
        return replace(part, mesh=mesh, deformation=deformation)

    def _weights(self) -> tuple[list[float], list[str], dict[int, int]]:
        """The morph weights of all nodes at rest, their names, and the first one of each node."""
        weights: list[float] = []
        names: list[str] = []
        starts: dict[int, int] = {}
        for number, count in self._morphs.items():
            if count:
                node = self._source(number)
                mesh = self._file.document.meshes[node.mesh]
                starts[number] = len(weights)
                given = list(member(node, "weights") or mesh.weights or ())[:count]
                weights += [*map(float, given), *[0.0] * (count - len(given))]
                labels = (mesh.extras or {}).get("targetNames", ()) if isinstance(mesh.extras, dict) else ()
                names += [str(name) for name in labels[:count]]
                names += [f"target {target}" for target in range(len(labels[:count]), count)]
        return weights, names, starts

    def _morph_count(self, number: int) -> int:
        node = self._source(number)
        if node.mesh is None:
            return 0
        mesh = self._file.element("meshes", node.mesh, self._label(number))
        return max((len(primitive.targets or ()) for primitive in mesh.primitives), default=0)

    def _source(self, number: int) -> Any:
        return self._file.document.nodes[self._places[number].source]

    def _label(self, number: int) -> str:
        return self._file.label("nodes", self._places[number].source)


class _Joints:
    """The palette of a rig as it grows."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.matrices: list[NDArray[np.float32]] = []
        self._first: dict[tuple[str, int], int] = {}

    def of_skin(self, index: int, read: Any) -> int:
        """The first joint of a skin, which ``read`` reads when it is new."""
        if ("skin", index) not in self._first:
            places, matrices = read()
            self._add(("skin", index), places, matrices)
        return self._first["skin", index]

    def of_node(self, place: int) -> int:
        """The joint that is a node itself."""
        if ("node", place) not in self._first:
            self._add(("node", place), [place], np.eye(4, dtype=np.float32)[None, :3])
        return self._first["node", place]

    def _add(self, key: tuple[str, int], places: list[int], matrices: NDArray[np.float32]) -> None:
        self._first[key] = len(self.places)
        self.places += places
        self.matrices.append(matrices)


def _curve(channel: Channel, target: int, columns: slice) -> Curve:
    values = (channel.values, channel.arriving, channel.leaving)
    chosen = [part[:, columns] if part is not None else None for part in values]
    assert chosen[0] is not None
    return Curve(target, channel.path, channel.interpolation, channel.times, chosen[0], chosen[1], chosen[2])


def _rows(matrix: glm.mat4) -> list[list[float]]:
    return [[matrix[column][row] for column in range(4)] for row in range(3)]


def _values(sources: Sequence[Any], name: str, default: tuple[float, ...]) -> NDArray[np.float32]:
    found = [member(source, name) or default for source in sources]
    return np.array(found, np.float32).reshape(1, len(sources), len(default))

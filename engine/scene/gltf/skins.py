"""Joints, weights and morph targets of glTF primitives, for each vertex of the mesh that was read from them.

Source: glTF 2.0 specification, sections 3.7.2.2 and 3.7.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.deformation import MORPH_FLOATS, Influences
from renderwright.engine.scene.gltf.accessors import read_floats, read_indices
from renderwright.engine.scene.gltf.file import GltfFile
from renderwright.engine.scene.gltf.meshes import triangle_corners
from renderwright.engine.scene.mesh import Mesh

_SLOTS = 4
"""Joints that move a vertex."""

_MORPHED = (("POSITION", 0), ("NORMAL", 3), ("TANGENT", 6))
"""Attributes of a morph target, and where their numbers begin."""


@dataclass(frozen=True, eq=False)
class Primitive:
    """A primitive of the file with its label, and the mesh that was read from it."""

    source: Any
    label: str
    mesh: Mesh

    @property
    def morph_count(self) -> int:
        """The number of morph targets."""
        return len(self.source.targets or ())

    @property
    def has_joints(self) -> bool:
        """Whether joints may move it."""
        return member(self.source.attributes, "JOINTS_0") is not None

    def stored_vertices(self, file: GltfFile) -> NDArray[np.intp] | None:
        """The stored vertex of each of the mesh; None if these are the same. Those without normals were not shared."""
        if member(self.source.attributes, "NORMAL") is not None:
            return None
        if self.source.indices is None:
            count = file.element("accessors", self.source.attributes.POSITION, self.label).count
            indices = np.arange(count, dtype=np.uint32)
        else:
            indices = read_indices(file, self.source.indices, self.label)
        return triangle_corners(indices, 4 if self.source.mode is None else self.source.mode).astype(np.intp)


def member(element: Any, name: str) -> Any:
    """A member of an object of the file, None if it has none."""
    return element.get(name) if isinstance(element, dict) else getattr(element, name, None)


def read_influences(file: GltfFile, primitive: Primitive, joints: int) -> Influences:
    """The four strongest joints of each vertex, of a skin with so many joints. Raises AssetError."""
    attributes, label = primitive.source.attributes, primitive.label
    if member(attributes, "JOINTS_1") is not None:
        file.notices.add(label, "more than 4 joints a vertex, the strongest 4 move it")
    numbers, weights = [], []
    for index in range(2):
        accessors = [member(attributes, f"{semantic}_{index}") for semantic in ("JOINTS", "WEIGHTS")]
        if None in accessors:
            if index == 0:
                raise file.problem(label, "it has JOINTS_0 and no WEIGHTS_0")
            break
        numbers.append(_for_mesh(file, primitive, accessors[0], _SLOTS, f"JOINTS_{index}"))
        weights.append(_for_mesh(file, primitive, accessors[1], _SLOTS, f"WEIGHTS_{index}"))
    every_joint, every_weight = np.concatenate(numbers, axis=1), np.concatenate(weights, axis=1)
    every_weight = np.maximum(every_weight, 0.0)
    if every_joint.shape[1] > _SLOTS:
        strongest = np.argsort(-every_weight, axis=1, kind="stable")[:, :_SLOTS]
        every_joint = np.take_along_axis(every_joint, strongest, axis=1)
        every_weight = np.take_along_axis(every_weight, strongest, axis=1)
    if not np.isfinite(every_weight).all():
        raise file.problem(label, "a weight is not finite")
    if every_joint.max(initial=0.0, where=every_weight > 0.0) >= joints:
        raise file.problem(label, f"joint {every_joint.max():g} of a skin with {joints} joints")
    total = every_weight.sum(axis=1, keepdims=True)
    every_weight[:, 0] = np.where(total[:, 0] > 0.0, every_weight[:, 0], 1.0)  # no weights: the first joint
    every_joint = np.where(every_weight > 0.0, every_joint, 0.0)
    shares = every_weight / np.where(total > 0.0, total, 1.0)
    return Influences(every_joint.astype(np.uint16), shares.astype(np.float32))


def read_morphs(file: GltfFile, primitive: Primitive) -> NDArray[np.float32] | None:
    """What each morph target adds to the vertices, float32 (targets, n, 9); None without any. Raises AssetError."""
    targets = primitive.source.targets or ()
    if not targets:
        return None
    count = len(primitive.mesh.vertices)
    file.spend("vertices", len(targets) * count, primitive.label)
    deltas = np.zeros((len(targets), count, MORPH_FLOATS), np.float32)
    for number, target in enumerate(targets):
        for semantic, first in _MORPHED:
            accessor = member(target, semantic)
            if accessor is not None:
                values = _for_mesh(file, primitive, accessor, 3, f"target {number} {semantic}")
                deltas[number, :, first : first + 3] = values
    if not np.isfinite(deltas).all():
        raise file.problem(primitive.label, "a morph target is not finite")
    return deltas


def _for_mesh(file: GltfFile, primitive: Primitive, accessor: int, width: int, what: str) -> NDArray[np.float32]:
    """The values of an accessor for each vertex of the mesh."""
    user = f"{primitive.label} {what}"
    values = read_floats(file, accessor, width, user)
    stored = file.element("accessors", primitive.source.attributes.POSITION, primitive.label).count
    if len(values) != stored:
        raise file.problem(primitive.label, f"{len(values)} of {what} for {stored} positions")
    order = primitive.stored_vertices(file)
    return values if order is None else values[order]

"""Meshes that a glTF node shows several times (EXT_mesh_gpu_instancing)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene.gltf.accessors import read_floats
from renderwright.engine.scene.gltf.file import GltfFile
from renderwright.engine.scene.transform import Transform

INSTANCING = "EXT_mesh_gpu_instancing"

_PARTS = (("TRANSLATION", 3), ("ROTATION", 4), ("SCALE", 3))


def instance_matrices(file: GltfFile, node: Any, label: str) -> list[glm.mat4] | None:
    """The matrices of a node's instances, from instance to node space; None for a node without. Raises AssetError."""
    extension = (node.extensions or {}).get(INSTANCING)
    attributes = (extension or {}).get("attributes", {})
    values = {
        name: read_floats(file, attributes[name], width, f"{label} {name}")
        for name, width in _PARTS
        if name in attributes
    }
    if not values:
        return None
    counts = {len(each) for each in values.values()}
    if len(counts) > 1:
        raise file.problem(label, f"attributes of {', '.join(map(str, sorted(counts)))} instances")
    (count,) = counts
    if not all(np.isfinite(each).all() for each in values.values()):
        raise file.problem(label, "the place of an instance is not finite")
    file.spend("vertices", count, label)
    return [_matrix({name: each[number] for name, each in values.items()}) for number in range(count)]


def _matrix(parts: dict[str, NDArray[np.float32]]) -> glm.mat4:
    transform = Transform()
    if "TRANSLATION" in parts:
        transform.position = glm.vec3(*parts["TRANSLATION"].tolist())
    if "ROTATION" in parts and parts["ROTATION"].any():
        x, y, z, w = parts["ROTATION"].tolist()
        transform.rotation = glm.normalize(glm.quat(w, x, y, z))
    if "SCALE" in parts:
        transform.scale = glm.vec3(*parts["SCALE"].tolist())
    return transform.matrix()

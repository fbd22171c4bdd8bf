"""Primitives that are compressed by Draco (KHR_draco_mesh_compression), through DracoPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.extensions import INSTALL
from renderwright.engine.scene.gltf.file import GltfFile

DRACO = "KHR_draco_mesh_compression"


def decode_primitive(file: GltfFile, primitive: Any, label: str) -> bool:
    """Decode a compressed primitive: its accessors have the values from now on. Returns whether it was one.

    Without DracoPy the values are those beside the compressed ones, if the file has any. Raises AssetError.
    """
    extension = (primitive.extensions or {}).get(DRACO)
    if extension is None:
        return False
    try:
        import DracoPy
    except ImportError:
        if file.element("accessors", primitive.attributes.POSITION, label).bufferView is not None:
            return False
        raise file.problem(label, f"it is compressed by {DRACO}, which needs DracoPy", hint=INSTALL) from None
    data = file.view(extension.get("bufferView"), label)
    file.spend("bytes", len(data), label)
    try:
        mesh = DracoPy.decode(bytes(data))
        faces = np.asarray(mesh.faces, np.uint32).reshape(-1, 1)
        by_id = {attribute["unique_id"]: np.asarray(attribute["data"]) for attribute in mesh.attributes}
    except Exception as error:  # the decoder raises several kinds for damaged data
        raise file.problem(label, f"its Draco data cannot be decoded: {shown(str(error))}") from error
    for semantic, number in extension.get("attributes", {}).items():
        if number not in by_id:
            raise file.problem(label, f"its Draco data have no attribute {shown(str(number))} for {shown(semantic)}")
        values = by_id[number]
        file.decoded[getattr(primitive.attributes, semantic)] = values.reshape(len(values), -1)
    if primitive.indices is not None:
        file.decoded[primitive.indices] = faces
    return True

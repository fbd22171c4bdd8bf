"""Malformed models: the error names the element, whatever is wrong with it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import GltfBuilder

from renderwright.engine.scene.gltf import load_gltf
from renderwright.render.errors import AssetError

Document = dict[str, Any]


def primitive_of(document: Document) -> dict[str, Any]:
    primitive: dict[str, Any] = document["meshes"][0]["primitives"][0]
    return primitive


def without_attributes(document: Document) -> None:
    del primitive_of(document)["attributes"]


def of_unknown_mode(document: Document) -> None:
    primitive_of(document)["mode"] = 666


def without_primitives(document: Document) -> None:
    del document["meshes"][0]["primitives"]


def with_children_that_are_no_list(document: Document) -> None:
    document["nodes"][0]["children"] = 3


def with_a_translation_that_is_no_list(document: Document) -> None:
    document["nodes"][0]["translation"] = 3


def with_a_material_of_lists(document: Document) -> None:
    document["materials"] = [{"name": "Paint", "pbrMetallicRoughness": []}]
    primitive_of(document)["material"] = 0


def with_no_sparse_elements(document: Document) -> None:
    where = {"bufferView": 0, "componentType": 5121}
    document["accessors"][0]["sparse"] = {"count": 0, "indices": where, "values": {"bufferView": 0}}


def with_sparse_elements_nowhere(document: Document) -> None:
    document["accessors"][0]["sparse"] = {"count": 1}


def with_a_camera_that_sees_nothing(document: Document) -> None:
    document["nodes"][0]["camera"] = 0
    document["cameras"] = [{"type": "perspective", "perspective": {"yfov": -1, "znear": 0.1}}]


@pytest.mark.parametrize(
    ("change", "element"),
    [
        (without_attributes, r'meshes\[0\] "Thing" primitive 0: no positions'),
        (of_unknown_mode, r'meshes\[0\] "Thing" primitive 0: there is no mode 666'),
        (without_primitives, r'meshes\[0\] "Thing": not valid'),
        (with_children_that_are_no_list, r'nodes\[0\] "root": not valid'),
        (with_a_translation_that_is_no_list, r'nodes\[0\] "root": not valid'),
        (with_a_material_of_lists, r'materials\[0\] "Paint": not valid'),
        (with_no_sparse_elements, r"accessors\[0\]: 0 sparse elements"),
        (with_sparse_elements_nowhere, r"accessors\[0\]: not valid"),
        (with_a_camera_that_sees_nothing, r'nodes\[0\] "root": .*fov_y'),
    ],
)
def test_the_error_names_the_element(tmp_path: Path, change: Callable[[Document], None], element: str) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    change(builder.document)
    with pytest.raises(AssetError, match=element) as refused:
        load_gltf(builder.save(tmp_path))
    assert refused.value.where is not None
    assert refused.value.where.file.endswith("model.gltf")


def test_a_model_of_gltf_1_is_named_as_one(tmp_path: Path) -> None:
    path = tmp_path / "model.gltf"
    path.write_text('{"asset": {"version": "1.0"}, "accessors": {"one": {}}}')
    with pytest.raises(AssetError, match=r'asset: version "1\.0"'):
        load_gltf(path)
    path = tmp_path / "model.glb"
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 1, 20, 40000, 0))
    with pytest.raises(AssetError, match="binary glTF of version 1"):
        load_gltf(path)


def test_a_required_extension_that_only_refines_is_left_out(tmp_path: Path) -> None:
    builder = GltfBuilder()
    builder.texture(np.zeros((2, 2, 4), np.uint8))
    builder.document["materials"] = [{"extensions": {"KHR_materials_iridescence": {"iridescenceFactor": 0.5}}}]
    builder.mesh(builder.quad(material=0))
    builder.document["extensionsRequired"] = ["KHR_materials_iridescence"]
    model = load_gltf(builder.save(tmp_path))
    assert model.notices == ("materials[0]: extension KHR_materials_iridescence is not supported and left out",)

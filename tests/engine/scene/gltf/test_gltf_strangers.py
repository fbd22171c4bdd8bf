"""Models from strangers: they read no files but their own, and take no more than the limits."""

from __future__ import annotations

import json
import os
import struct
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import QUAD_POSITIONS, GltfBuilder
from gltf_walker import Walker

from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.model_limits import ModelLimits
from renderwright.render.errors import AssetError

SECRET = bytes(range(256)) * 64


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a model, below one with a file that is none of its business."""
    (tmp_path / "secret.bin").write_bytes(SECRET)
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


def quad_with_buffer(folder: Path, uri: str) -> Path:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    path = builder.save(folder)
    document = json.loads(path.read_text())
    document["buffers"][0]["uri"] = uri
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("uri", ["{secret}", "../secret.bin", "%2e%2e/secret.bin", "x/../../secret.bin", "link.bin"])
def test_a_buffer_outside_the_folder_is_not_read(folder: Path, uri: str) -> None:
    (folder / "x").mkdir()
    (folder / "link.bin").symlink_to("../secret.bin")
    path = quad_with_buffer(folder, uri.format(secret=folder.parent / "secret.bin"))
    with pytest.raises(AssetError, match=r"buffers\[0\]: .* lies outside the folder of the model") as refused:
        load_gltf(path)
    assert "give load_gltf a folder that holds both" in refused.value.hint


def test_an_image_outside_the_folder_is_not_read(folder: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad(material=0))
    builder.document["materials"].append({"normalTexture": {"index": builder.texture(np.zeros((2, 2, 4), np.uint8))}})
    builder.document["images"][0] = {"uri": "../secret.bin"}
    with pytest.raises(AssetError, match=r"images\[0\]: .* lies outside the folder"):
        load_gltf(builder.save(folder))


def test_a_folder_around_both_may_be_given(folder: Path) -> None:
    path = quad_with_buffer(folder, "../secret.bin")
    GltfBuilder().save(folder.parent)
    (folder.parent / "secret.bin").write_bytes(bytes(2000))
    with pytest.raises(AssetError, match="outside"):
        load_gltf(path)
    assert len(load_gltf(path, folder=folder.parent).parts) == 1


def test_a_model_behind_links_finds_its_files(folder: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    builder.save(folder, external="data.bin")
    (folder.parent / "linked").symlink_to("models")
    assert len(load_gltf(folder.parent / "linked" / "model.gltf").parts) == 1


@pytest.mark.parametrize("name", ["fifo.bin", "zero.bin", "folder.bin"])
def test_only_plain_files_are_read(folder: Path, name: str) -> None:
    os.mkfifo(folder / "fifo.bin")
    (folder / "folder.bin").mkdir()
    (folder / "zero.bin").symlink_to("/dev/zero")
    with pytest.raises(AssetError, match=r"buffers\[0\]: .*(not a plain file|is a folder|outside the folder)"):
        load_gltf(quad_with_buffer(folder, name), folder="/" if name == "zero.bin" else None)
    os.mkfifo(folder / "model.glb")
    with pytest.raises(AssetError, match="not a plain file"):
        load_gltf(folder / "model.glb")


def test_a_file_is_read_no_further_than_declared(folder: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    path = builder.save(folder, external="data.bin")
    with (folder / "data.bin").open("r+b") as file:
        file.truncate(1 << 40)
    limits = ModelLimits(bytes=len(builder.data) + path.stat().st_size)
    assert len(load_gltf(path, limits=limits).parts) == 1
    with pytest.raises(AssetError, match=r"buffers\[0\]: \d+ bytes here are more than"):
        load_gltf(path, limits=replace(limits, bytes=limits.bytes - 1))


def quads(count: int) -> GltfBuilder:
    builder = GltfBuilder()
    quad = builder.quad()
    quad["attributes"]["NORMAL"] = builder.accessor(np.float32([[0, 0, 1]] * 4))
    builder.mesh(*(quad for _ in range(count)))
    return builder


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"vertices": 39}, r"accessors\[0\]: 4 vertices here are more than the 39 that a model may have"),
        ({"vertices": 3}, r"accessors\[0\]: 4 vertices"),
        ({"indices": 59}, r"accessors\[2\]: 6 indices here are more than the 59"),
        ({"indices": 5}, r"accessors\[2\]: 6 indices"),
        ({"values": 50}, r"\d+ values in its JSON; at most 50 are read"),
        ({"objects": 20}, r"\d+ objects in its JSON; at most 20"),
        ({"nesting": 3}, r"nested more than 3 levels deep"),
        ({"bytes": 100}, r"the file: .*it is larger than 100 bytes"),
    ],
)
def test_a_model_that_asks_for_too_much_is_refused(folder: Path, limits: dict[str, int], message: str) -> None:
    path = quads(10).save(folder)
    fits = ModelLimits(vertices=40, indices=60)
    assert len(load_gltf(path, limits=fits).parts) == 10
    with pytest.raises(AssetError, match=message):
        load_gltf(path, limits=replace(fits, **limits))


def test_an_accessor_without_data_takes_nothing_beyond_the_limit(folder: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    builder.document["accessors"][0] |= {"count": 1 << 40}
    del builder.document["accessors"][0]["bufferView"]
    with pytest.raises(AssetError, match=rf"accessors\[0\]: {1 << 40} vertices here are more than"):
        load_gltf(builder.save(folder))


def test_strips_and_unshared_vertices_count_as_they_are_drawn(folder: Path) -> None:
    builder = GltfBuilder()
    positions = builder.accessor(np.random.default_rng(0).random((5, 3), np.float32))
    builder.mesh(
        {"attributes": {"POSITION": positions}, "indices": builder.accessor(np.uint16([0, 1, 2, 3, 4])), "mode": 5}
    )
    path = builder.save(folder)
    assert len(load_gltf(path, limits=ModelLimits(vertices=9, indices=15)).parts[0].mesh.vertices) == 9
    with pytest.raises(AssetError, match="9 vertices"):
        load_gltf(path, limits=ModelLimits(vertices=8))
    with pytest.raises(AssetError, match="15 indices"):
        load_gltf(path, limits=ModelLimits(indices=14))


def test_images_count_together(folder: Path) -> None:
    builder = GltfBuilder()
    texture = {"index": builder.texture(np.zeros((4, 6, 4), np.uint8))}
    builder.document["materials"].append({"normalTexture": texture, "emissiveTexture": texture})
    builder.mesh(builder.quad(material=0))
    path = builder.save(folder)
    assert load_gltf(path, limits=ModelLimits(texels=48)).parts
    with pytest.raises(AssetError, match=r'images\[0\] "paint": 24 texels here are more than the 47'):
        load_gltf(path, limits=ModelLimits(texels=47))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested more than 64 levels deep"),
        ('{"extras": ' + "[" * 70 + "]" * 70 + "}", "nested more than 64 levels deep"),
        ('{"extras": NaN}', "NaN is not a number of JSON"),
        ('{"extras": 1e999}', "a number that is not finite"),
        ('{"extras": "\\ud800"}', "a text that is not valid Unicode"),
        ('{"\\udfff": 1}', "a text that is not valid Unicode"),
        ("[]", "its JSON is no object"),
        ("[" + ",".join(["{}"] * (1 << 21)) + "]", "values in its JSON; at most"),
    ],
)
def test_json_is_checked_before_it_is_used(folder: Path, text: str, message: str) -> None:
    (folder / "model.gltf").write_text(text)
    with pytest.raises(AssetError, match=message):
        load_gltf(folder / "model.gltf")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"glTF\2\0\0\0", "ends within its header"),
        (struct.pack("<4sII", b"glTF", 2, 12), "without its JSON part"),
        (struct.pack("<4sIII4s", b"glTF", 2, 1 << 31, 1 << 30, b"JSON"), "a part of 1073741824 bytes, 0 are left"),
        (struct.pack("<4sIII4s", b"glTF", 2, 22, 2, b"JSON") + b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_broken_binary_files(folder: Path, data: bytes, message: str) -> None:
    (folder / "model.glb").write_bytes(data)
    with pytest.raises(AssetError, match=message):
        load_gltf(folder / "model.glb")


def test_messages_show_a_short_line_of_what_the_file_says(folder: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad(), name="\x1b[2J\n" + "x" * 1_000_000)
    builder.document["meshes"][0]["primitives"][0]["material"] = 7
    with pytest.raises(AssetError) as refused:
        load_gltf(builder.save(folder))
    assert "\x1b" not in str(refused.value)
    assert len(str(refused.value).splitlines()) == 2
    assert len(refused.value.message) < 300


def test_a_refused_mesh_is_named_in_a_line_without_control_characters(folder: Path) -> None:
    builder = GltfBuilder()
    quad = builder.quad()
    quad["attributes"]["POSITION"] = builder.accessor(np.float32([[1e29, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]))
    builder.mesh(quad, quad, name="\n\x1b[2J")
    with pytest.raises(AssetError, match="m away") as refused:
        load_gltf(builder.save(folder))
    assert "\x1b" not in str(refused.value)
    assert len(str(refused.value).splitlines()) == 2


def test_a_value_in_a_message_has_no_control_characters(folder: Path) -> None:
    builder = Walker()
    builder.document["animations"][0]["channels"][0]["sampler"] = "\n\x1b[2J" + "x" * 100_000
    with pytest.raises(AssetError, match="refers to sampler") as refused:
        load_gltf(builder.save(folder))
    assert "\x1b" not in str(refused.value)
    assert len(str(refused.value).splitlines()) == 2
    assert len(refused.value.message) < 600


@pytest.mark.parametrize("scale", [1e25, 3e38])
@pytest.mark.parametrize("whole", [False, True])
def test_numbers_beyond_all_places_are_one_error_and_no_warning(folder: Path, scale: float, whole: bool) -> None:
    builder = GltfBuilder()
    quad = builder.quad()
    if whole:
        quad["attributes"]["NORMAL"] = builder.accessor(np.float32([[0, 0, 1]] * 4))
        quad["attributes"]["TANGENT"] = builder.accessor(np.float32([[1, 0, 0, 1]] * 4))
    quad["attributes"]["POSITION"] = builder.accessor(QUAD_POSITIONS / np.float32(2.0) * np.float32(scale))
    builder.mesh(quad)
    path = builder.save(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(AssetError, match=r'meshes\[0\] "Thing" primitive 0: mesh'):
            load_gltf(path)


def test_a_node_beyond_all_places_is_an_error(folder: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    builder.document["nodes"] = [{"scale": [1e30] * 3, "children": [1]}, {"mesh": 0, "translation": [1e30] * 3}]
    with pytest.raises(AssetError, match=r"nodes\[1\]: its place is beyond all numbers"):
        load_gltf(builder.save(folder))


def test_names_are_texts_whatever_the_file_has(folder: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad(), name=7)  # type: ignore[arg-type]
    builder.document["nodes"][0]["name"] = 1.5
    model = load_gltf(builder.save(folder))
    assert model.nodes[0].name == "1.5"
    assert model.parts[0].mesh.name == "model/7"

"""Compressed geometry and images: decoded with the extra ``gltf``, refused with the way to it without."""

from __future__ import annotations

import base64
import struct
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import QUAD_INDICES, QUAD_POSITIONS, QUAD_UVS, GltfBuilder

from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.gltf.basisu import MAGIC
from renderwright.engine.scene.gltf.meshopt import MeshoptError, decode_meshopt
from renderwright.engine.scene.primitives import sphere
from renderwright.render.errors import AssetError

# Made by meshoptimizer from the arrays in the tests.
ATTRIBUTES = (
    "oCoGZmZmZmZmZmZmZmZmZmZmZmZmZgAAAAAAHwBKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpK//8AAEpKSkpKSkpKBACAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAkAAA=="
)
SPHERE = (
    "4f7+/v7+/v8PHw8fDx8PHw8fD/8PHw8fDx8PHw8fD/////////8OAh8CHwIfAh8CHwL/Cw4CDRANEA0QDRANEA3/Ag4CDRANEA0QDRANEA38Ag78Cw78"
    "Cw78Cw78Cw78Cw4AdodWZ3iphmWJaJgBaQAA"
)
FAR = "4PD+TxD/Cu4KkAMAdodWZ3iphmWJaJgBaQAA"


def bytes_of(text: str) -> bytes:
    return base64.b64decode(text)


def turned(indices: np.ndarray) -> list[tuple[int, ...]]:
    """Triangles beginning with their smallest corner: the format may turn them."""
    return [tuple(np.roll(corners, -int(np.argmin(corners))).tolist()) for corners in indices.reshape(-1, 3)]


def test_meshopt_attributes() -> None:
    steps = np.arange(40)
    expected = np.stack([steps * 3 % 256, np.full(40, 9), steps * 37 % 256, steps // 20], axis=1)
    decoded = decode_meshopt(bytes_of(ATTRIBUTES), 40, 4, "ATTRIBUTES")
    assert np.array_equal(decoded.reshape(40, 4), expected)


@pytest.mark.parametrize(
    ("data", "expected"),
    [(SPHERE, sphere(segments=6, rings=4).indices), (FAR, np.uint32([0, 1, 2, 700, 3, 5, 2, 1, 900, 900, 1, 4]))],
)
@pytest.mark.parametrize("width", [2, 4])
def test_meshopt_triangles(data: str, expected: np.ndarray, width: int) -> None:
    decoded = decode_meshopt(bytes_of(data), len(expected), width, "TRIANGLES").view(f"<u{width}")
    assert turned(decoded) == turned(expected)


def test_meshopt_sequences() -> None:
    # Numbers of 7 bits a byte: twice the zigzag of the step, plus which of two bases it is from.
    steps = [(5, 0), (2, 0), (-3, 0), (1000, 1), (-1, 1), (1, 0)]
    data = bytearray(b"\xd1")
    for step, base in steps:
        number = (step << 1 if step >= 0 else -step * 2 - 1) << 1 | base
        while number > 127:
            data.append(number & 127 | 128)
            number >>= 7
        data.append(number)
    decoded = decode_meshopt(bytes(data) + bytes(4), 6, 4, "INDICES").view("<u4")
    assert decoded.tolist() == [5, 7, 4, 1000, 999, 5]


def encoded(values: np.ndarray) -> bytes:
    """Elements as attributes of groups of 16 plain bytes, as the format allows."""
    rows = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)
    assert len(rows) <= 16
    stride = rows.shape[1]
    data = bytearray([0xA0])
    for byte in range(stride):
        deltas = np.diff(rows[:, byte].astype(int), prepend=int(rows[0, byte]))
        signed = (deltas + 128) % 256 - 128
        zigzag = np.where(signed < 0, -2 * signed - 1, 2 * signed).astype(np.uint8)
        data += b"\x03" + zigzag.tobytes() + bytes(16 - len(rows))
    return bytes(data) + bytes(max(0, 32 - stride)) + rows[0].tobytes()


def test_meshopt_filters() -> None:
    octahedral = np.int8([[0, 0, 127, 5], [127, 73, 127, 6], [-28, 37, 127, 7]])
    decoded = decode_meshopt(encoded(octahedral), 3, 4, "ATTRIBUTES", "OCTAHEDRAL").view(np.int8).reshape(-1, 4)
    expected = np.float32([[0, 0, 1], [0.6, 0, -0.8], [-0.36, 0.48, 0.8]])
    assert np.abs(decoded[0, :3] / 127.0 - expected[0]).max() < 0.02
    assert np.abs(decoded[2, :3] / 127.0 - expected[2]).max() < 0.02
    assert decoded[:, 3].tolist() == [5, 6, 7]
    floats = np.int32([(3 << 24) + 5, (-2 << 24) + (-3 & 0xFFFFFF)])
    assert decode_meshopt(encoded(floats), 2, 4, "ATTRIBUTES", "EXPONENTIAL").view("<f4").tolist() == [40.0, -0.75]
    # The largest component is left out: here the second, 0.8, of (0.6, 0.8, 0, 0).
    part = round(0.6 * np.sqrt(2.0) * 32764)
    quaternion = np.int16([[0, 0, part, 32764 | 1]])
    turned_back = decode_meshopt(encoded(quaternion), 1, 8, "ATTRIBUTES", "QUATERNION").view("<i2") / 32767.0
    assert np.allclose(turned_back, (0.6, 0.8, 0.0, 0.0), atol=1e-3)


@pytest.mark.parametrize("mode", ["ATTRIBUTES", "TRIANGLES", "INDICES", "OTHER"])
def test_damaged_meshopt_data_are_refused(mode: str) -> None:
    chance = np.random.default_rng(3)
    whole = {"ATTRIBUTES": ATTRIBUTES, "TRIANGLES": SPHERE}.get(mode, FAR)
    for cut in range(0, 100, 3):
        data = bytearray(bytes_of(whole))[:cut]
        with pytest.raises(MeshoptError):
            decode_meshopt(bytes(data), 108, 4, mode)
    for _ in range(200):
        data = bytearray(bytes_of(whole))
        for place in chance.integers(0, len(data), 3):
            data[place] = chance.integers(0, 256)
        try:
            decoded = decode_meshopt(bytes(data), 108, 4, mode)
        except MeshoptError:
            continue
        assert len(decoded) == 4 * 108


def meshopt_quad() -> GltfBuilder:
    """A quad whose positions are compressed, with a buffer for others that has no data."""
    builder = GltfBuilder()
    quad = builder.quad()
    builder.mesh(quad)
    view = builder.view(encoded(QUAD_POSITIONS))
    source = builder.document["bufferViews"].pop(view)
    compressed = {**source, "byteStride": 12, "count": 4, "mode": "ATTRIBUTES"}
    builder.document["bufferViews"][0] = {
        "buffer": 0,
        "byteLength": 48,
        "extensions": {"EXT_meshopt_compression": compressed},
    }
    builder.document["extensionsRequired"] = ["EXT_meshopt_compression"]
    return builder


def test_views_are_decompressed(tmp_path: Path) -> None:
    model = load_gltf(meshopt_quad().save(tmp_path))
    assert model.notices == ()
    assert sorted(map(tuple, model.parts[0].mesh.positions)) == sorted(
        map(tuple, QUAD_POSITIONS[QUAD_INDICES.astype(int)])
    )


def test_damaged_views_are_named(tmp_path: Path) -> None:
    builder = meshopt_quad()
    builder.document["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["mode"] = "TRIANGLES"
    with pytest.raises(AssetError, match=r"bufferViews\[0\]: its meshopt data cannot be decoded"):
        load_gltf(builder.save(tmp_path))


def draco_quad(*, fallback: bool = False) -> GltfBuilder:
    """A quad that DracoPy has compressed."""
    import DracoPy

    data = DracoPy.encode(
        QUAD_POSITIONS,
        QUAD_INDICES.reshape(-1, 3).astype(np.uint32),
        quantization_bits=20,
        preserve_order=True,
        tex_coord=QUAD_UVS.astype(np.float64),
    )
    ids = {attribute["attribute_type"]: attribute["unique_id"] for attribute in DracoPy.decode(data).attributes}
    builder = GltfBuilder()
    quad = builder.quad()
    if not fallback:
        for accessor in builder.document["accessors"]:
            accessor.pop("bufferView")
    quad["extensions"] = {
        "KHR_draco_mesh_compression": {
            "bufferView": builder.view(data),
            "attributes": {"POSITION": ids[0], "TEXCOORD_0": ids[3]},
        }
    }
    builder.mesh(quad)
    return builder


def test_draco(tmp_path: Path) -> None:
    model = load_gltf(draco_quad().save(tmp_path))
    [part] = model.parts
    assert model.notices == ()
    corners = QUAD_INDICES.astype(int)
    assert np.allclose(part.mesh.positions, QUAD_POSITIONS[corners], atol=1e-4)
    assert np.allclose(part.mesh.uvs, QUAD_UVS[corners], atol=1e-3)


def test_damaged_draco_data_are_named(tmp_path: Path) -> None:
    builder = draco_quad()
    view = builder.document["bufferViews"][-1]
    builder.data[view["byteOffset"] : view["byteOffset"] + 4] = b"none"
    with pytest.raises(AssetError, match=r"primitive 0: its Draco data cannot be decoded"):
        load_gltf(builder.save(tmp_path))


def test_without_the_decoder_draco_is_refused_with_the_way_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = draco_quad().save(tmp_path), tmp_path / "fallback"
    other.mkdir()
    with_fallback = draco_quad(fallback=True).save(other)
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(AssetError, match=r"primitive 0: it is compressed by KHR_draco_mesh") as refused:
        load_gltf(path)
    assert 'pip install "renderwright[gltf]"' in refused.value.hint
    assert len(load_gltf(with_fallback).parts) == 1


def basisu_quad(extent: tuple[int, int] = (4, 2)) -> GltfBuilder:
    """A quad with an image that begins like KTX 2, and a PNG image in its place."""
    builder = GltfBuilder()
    builder.texture(np.full((1, 1, 4), 90, np.uint8))
    header = MAGIC + struct.pack("<4I", 0, 1, *extent) + bytes(60)
    builder.document["images"].append({"bufferView": builder.view(header), "mimeType": "image/ktx2"})
    builder.document["textures"][0]["extensions"] = {"KHR_texture_basisu": {"source": 1}}
    builder.document["materials"] = [{"normalTexture": {"index": 0}}]
    builder.mesh(builder.quad(material=0))
    return builder


def test_basisu_images_are_those_of_the_transcoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.arange(32, dtype=np.uint8).reshape(2, 4, 4)

    class Texture:
        def transcode(self, target: str) -> Any:
            assert target == "rgba8"
            return types.SimpleNamespace(data=pixels)

    decoder = types.SimpleNamespace(open=lambda data: Texture())
    monkeypatch.setitem(sys.modules, "opengl_basisu", decoder)  # type: ignore[arg-type]
    model = load_gltf(basisu_quad().save(tmp_path))
    image = model.parts[0].material.normal_image
    assert model.notices == ()
    assert image is not None
    assert np.array_equal(image.pixels, pixels)


def test_basisu_images_that_cannot_be_decoded_cost_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for decoder, message in ((types.SimpleNamespace(), "cannot be decoded"), (None, "needs opengl_basisu")):
        monkeypatch.setitem(sys.modules, "opengl_basisu", decoder)  # type: ignore[arg-type]
        model = load_gltf(basisu_quad().save(tmp_path))
        assert model.parts[0].material.normal_image is None
        assert message in model.notices[0]
    assert 'pip install "renderwright[gltf]"' in model.notices[0]
    [notice] = load_gltf(basisu_quad((1 << 15, 1)).save(tmp_path)).notices
    assert "32768 x 1 texels" in notice

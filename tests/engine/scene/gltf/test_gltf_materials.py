from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder

from renderwright.engine.scene import Image, Material, decode_image, load_image
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.gltf.materials import DEFAULT_MATERIAL, scaled_normals
from renderwright.render.errors import AssetError


def _noise(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (4, 6, 4), np.uint8)


def _materials(builder: GltfBuilder, tmp_path: Path) -> list[Material]:
    count = len(builder.document["materials"])
    builder.mesh(*(builder.quad(material=index) for index in range(count)))
    return [part.material for part in load_gltf(builder.save_glb(tmp_path)).parts]


def test_all_factors_and_images(tmp_path: Path) -> None:
    builder = GltfBuilder()
    paint, rough = builder.texture(_noise(1)), builder.texture(_noise(2), data_uri=True)
    builder.document["materials"].append(
        {
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.5, 0.25, 1, 1],
                "metallicFactor": 0,
                "roughnessFactor": 0.75,
                "baseColorTexture": {"index": paint},
                "metallicRoughnessTexture": {"index": rough},
            },
            "emissiveFactor": [1, 0.5, 0],
            "emissiveTexture": {"index": paint},
            "normalTexture": {"index": rough},
            "occlusionTexture": {"index": rough},
            "doubleSided": True,
            "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
        }
    )
    (material,) = _materials(builder, tmp_path)
    assert (material.base_color, material.metallic, material.roughness) == ((0.5, 0.25, 1, 1), 0.0, 0.75)
    assert (material.emissive, material.double_sided) == ((4.0, 2.0, 0.0), True)
    base, data = material.base_color_image, material.metallic_roughness_image
    assert base is material.emissive_image
    assert data is material.normal_image
    assert data is material.occlusion_image
    assert (base.srgb, data.srgb, base.extent) == (True, False, (6, 4))
    assert np.array_equal(base.pixels, _noise(1))
    assert np.array_equal(data.pixels, _noise(2))
    assert material.images() == (base, data)


def test_one_image_as_colour_and_as_data_is_two(tmp_path: Path) -> None:
    builder = GltfBuilder()
    texture = {"index": builder.texture(_noise(1))}
    builder.document["materials"] += [
        {"pbrMetallicRoughness": {"baseColorTexture": texture}},
        {"pbrMetallicRoughness": {"baseColorTexture": texture, "metallicRoughnessTexture": texture}},
    ]
    first, second = _materials(builder, tmp_path)
    assert first.base_color_image is second.base_color_image
    assert second.metallic_roughness_image is not second.base_color_image
    assert (first.metallic, first.roughness) == (1.0, 1.0)


def test_primitive_without_material_is_the_default(tmp_path: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    assert load_gltf(builder.save(tmp_path)).parts[0].material == DEFAULT_MATERIAL


def test_normal_scale_and_occlusion_strength_are_baked(tmp_path: Path) -> None:
    builder = GltfBuilder()
    pixels = np.full((2, 2, 4), 128, np.uint8)
    pixels[..., :3] = (191, 128, 237)
    texture = builder.texture(pixels)
    builder.document["materials"].append(
        {
            "normalTexture": {"index": texture, "scale": 2.0},
            "occlusionTexture": {"index": texture, "strength": 0.5},
        }
    )
    (material,) = _materials(builder, tmp_path)
    normal = material.normal_image.pixels[0, 0, :3] / 127.5 - 1.0
    assert normal[0] / normal[2] == pytest.approx(2 * (191 / 127.5 - 1) / (237 / 127.5 - 1), rel=0.03)
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=0.01)
    assert material.occlusion_image.pixels[0, 0].tolist() == [223, 128, 237, 128]
    assert np.array_equal(scaled_normals(pixels, 0.0)[0, 0], [128, 128, 255, 128])


def test_alpha_modes_are_those_of_the_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    builder = GltfBuilder()
    half = {"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 0.5]}}
    builder.document["materials"] += [
        {"name": "Wall", **half},
        {"name": "Glass", "alphaMode": "BLEND", **half},
        {"name": "Leaf", "alphaMode": "MASK", "alphaCutoff": 0.25, **half},
        {"name": "Fence", "alphaMode": "MASK"},
        {"name": "Mist", "alphaMode": "FADE", **half},
    ]
    materials = _materials(builder, tmp_path)
    assert [each.alpha_mode for each in materials] == ["opaque", "blend", "mask", "mask", "opaque"]
    assert [each.base_color[3] for each in materials] == [1.0, 0.5, 0.5, 1.0, 1.0]
    assert [materials[number].alpha_cutoff for number in (2, 3)] == [0.25, 0.5]
    assert 'materials[4] "Mist": drawn opaque, there is no alpha mode FADE' in caplog.text


def test_images_check_their_pixels_and_equal_only_themselves() -> None:
    pixels = _noise(3)
    image = Image("a", pixels)
    assert image != Image("a", pixels)
    assert Material(base_color_image=image) == Material(base_color_image=image)
    assert hash(Material(base_color_image=image)) == hash(Material(base_color_image=image))
    with pytest.raises(ValueError, match="read-only"):
        image.pixels[0] = 0
    for wrong in (pixels[..., :3], pixels.astype(np.float32), pixels[:0]):
        with pytest.raises(AssetError, match='image "b"'):
            Image("b", wrong)


def test_image_files(tmp_path: Path) -> None:
    import PIL.Image

    path = tmp_path / "grey.png"
    PIL.Image.fromarray(np.uint8([[0, 255]])).save(path)
    assert load_image(path).pixels.tolist() == [[[0, 0, 0, 255], [255, 255, 255, 255]]]
    with pytest.raises(AssetError, match=r"none\.png"):
        load_image(tmp_path / "none.png")
    with pytest.raises(AssetError, match='image "x" cannot be decoded'):
        decode_image("x", path.read_bytes()[:40])


def test_samplers_are_those_of_the_images(tmp_path: Path) -> None:
    builder = GltfBuilder()
    texture = builder.texture(np.zeros((2, 2, 4), np.uint8))
    builder.document["samplers"] = [{"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}, {"magFilter": 9729}]
    builder.document["textures"].append({"source": 0, "sampler": 1})
    builder.document["textures"][texture]["sampler"] = 0
    builder.document["materials"] = [{"normalTexture": {"index": 0}, "occlusionTexture": {"index": 1}}]
    builder.mesh(builder.quad(material=0))
    material = load_gltf(builder.save(tmp_path)).parts[0].material
    assert material.normal_image is not None
    assert material.occlusion_image is not None
    assert material.normal_image.wrap == ("clamp", "mirror")
    assert material.normal_image.filter == "nearest"
    assert material.occlusion_image.wrap == ("repeat", "repeat")
    assert material.occlusion_image.filter == "linear"


def test_an_image_that_a_wheel_lacks_hints_at_package_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssetError) as caught:
        load_image(tmp_path / "icon.png")
    assert caught.value.hint == "check the path"
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(AssetError) as caught:
        load_image(tmp_path / "icon.png")
    assert caught.value.hint == "check the path; a wheel has the files that package-data of its pyproject.toml names"

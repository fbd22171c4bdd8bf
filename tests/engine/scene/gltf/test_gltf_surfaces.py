"""What glTF's extensions of materials and further vertex attributes become."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_builder import QUAD_UVS, GltfBuilder

from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.surface_layers import Coat, Sheen, Specular, Volume

ONE, TWO = np.full((2, 2, 4), 200, np.uint8), np.full((4, 4, 4), 100, np.uint8)


def loaded(folder: Path, material: dict[str, Any], attributes: dict[str, np.ndarray] | None = None) -> Model:
    """A quad of that material. Texture 0 has the pixels ``ONE``, texture 1 ``TWO``."""
    builder = GltfBuilder()
    for pixels in (ONE, TWO):
        builder.texture(pixels)
    builder.document["materials"] = [material]
    quad = builder.quad(material=0)
    for name, values in (attributes or {}).items():
        quad["attributes"][name] = builder.accessor(values, normalized=values.dtype.kind == "u" or None)
    builder.mesh(quad)
    return load_gltf(builder.save(folder))


def material_of(folder: Path, **extensions: Any) -> Material:
    model = loaded(folder, {"extensions": extensions})
    assert model.notices == ()
    return model.parts[0].material


def mesh_of(folder: Path, material: dict[str, Any], **attributes: np.ndarray) -> Mesh:
    model = loaded(folder, material, attributes)
    assert model.notices == ()
    return model.parts[0].mesh


def by_corner(mesh: Mesh, values: np.ndarray) -> list[list[float]]:
    """The values in the order of the quad's corners."""
    corners = [(0, 0), (2, 0), (2, 1), (0, 1)]
    rows = {tuple(position[:2].astype(int)): value for position, value in zip(mesh.positions, values, strict=True)}
    return [rows[corner].tolist() for corner in corners]


def test_unlit(tmp_path: Path) -> None:
    assert material_of(tmp_path, KHR_materials_unlit={}).unlit


def test_specular_and_ior(tmp_path: Path) -> None:
    specular = material_of(
        tmp_path,
        KHR_materials_ior={"ior": 1.33},
        KHR_materials_specular={"specularFactor": 0.5, "specularColorFactor": [1, 0.5, 0.25]},
    ).specular
    assert specular == Specular(1.33, 0.5, (1.0, 0.5, 0.25))
    assert material_of(tmp_path, KHR_materials_ior={"ior": 1.5}).specular is None


def test_a_coat_has_red_and_green_of_its_images(tmp_path: Path) -> None:
    coat = material_of(
        tmp_path,
        KHR_materials_clearcoat={
            "clearcoatFactor": 0.75,
            "clearcoatRoughnessFactor": 0.25,
            "clearcoatTexture": {"index": 0},
            "clearcoatRoughnessTexture": {"index": 1},
            "clearcoatNormalTexture": {"index": 1, "scale": 0.5},
        },
    ).coat
    assert coat is not None
    assert (coat.strength, coat.roughness) == (0.75, 0.25)
    assert coat.image is not None
    assert coat.image.pixels.shape == (4, 4, 4)
    assert coat.image.pixels[1, 2].tolist() == [200, 100, 255, 255]
    assert coat.normal_image is not None
    assert not np.array_equal(coat.normal_image.pixels, TWO)
    assert material_of(tmp_path, KHR_materials_clearcoat={}).coat is None


def test_transmission_and_thickness_share_an_image(tmp_path: Path) -> None:
    glass = {"transmissionFactor": 0.5, "transmissionTexture": {"index": 0}}
    body = {"thicknessFactor": 2.0, "thicknessTexture": {"index": 1}}
    material = material_of(tmp_path, KHR_materials_transmission=glass, KHR_materials_volume=body)
    assert (material.transmission, material.volume) == (0.5, Volume(2.0))
    assert material.transmission_image is not None
    assert material.transmission_image.pixels[0, 0, :2].tolist() == [200, 100]
    assert material.transmission_image.extent == (4, 4)
    assert material.layered


def test_either_image_of_glass_leaves_the_other_factor_as_it_is(tmp_path: Path) -> None:
    glass = {"transmissionFactor": 1.0}
    body = {"thicknessFactor": 2.0, "thicknessTexture": {"index": 1}}
    thick = material_of(tmp_path, KHR_materials_transmission=glass, KHR_materials_volume=body).transmission_image
    assert thick is not None
    assert thick.pixels[0, 0, :2].tolist() == [255, 100]
    textured = {**glass, "transmissionTexture": {"index": 0}}
    for more in ({}, {"KHR_materials_volume": {"thicknessTexture": {"index": 1}}}):
        clear = material_of(tmp_path, KHR_materials_transmission=textured, **more).transmission_image
        assert clear is not None
        assert clear.pixels[0, 0, :2].tolist() == [200, 255]
        assert not clear.srgb


def test_what_lets_nothing_through_has_no_image_of_it(tmp_path: Path) -> None:
    glass = {"transmissionFactor": 0.0, "transmissionTexture": {"index": 0}}
    material = material_of(tmp_path, KHR_materials_transmission=glass)
    assert (material.transmission_image, material.layered, material.drawn_as) == (None, False, "opaque")


def test_sheen_has_colour_and_alpha_of_its_images(tmp_path: Path) -> None:
    colors = {"sheenColorFactor": [1, 0.5, 0], "sheenRoughnessFactor": 0.5, "sheenColorTexture": {"index": 0}}
    sheen = material_of(tmp_path, KHR_materials_sheen=colors).sheen
    assert sheen is not None
    assert (sheen.color, sheen.roughness) == ((1.0, 0.5, 0.0), 0.5)
    assert sheen.image is not None
    assert sheen.image.srgb
    assert sheen.image.pixels[0, 0].tolist() == [200, 200, 200, 255]
    one = material_of(tmp_path, KHR_materials_sheen={**colors, "sheenRoughnessTexture": {"index": 0}}).sheen
    assert one is not None
    assert one.image is not None
    assert np.array_equal(one.image.pixels, ONE)


def test_specular_and_glossiness(tmp_path: Path) -> None:
    source = {
        "diffuseFactor": [0.5, 0.25, 0.125, 0.5],
        "specularFactor": [0.04, 0.08, 1.0],
        "glossinessFactor": 0.5,
        "specularGlossinessTexture": {"index": 0},
        "diffuseTexture": {"index": 1},
    }
    material = material_of(tmp_path, KHR_materials_pbrSpecularGlossiness=source)
    assert material.base_color == (0.5, 0.25, 0.125, 1.0)
    assert (material.metallic, material.roughness) == (0.0, 1.0)
    assert material.specular is not None
    assert np.allclose(material.specular.color, (1.0, 2.0, 25.0))
    assert material.specular.image is not None
    assert material.specular.image.pixels[0, 0].tolist() == [200, 200, 200, 255]
    assert material.metallic_roughness_image is not None
    assert material.metallic_roughness_image.pixels[0, 0, 1] == 155  # 1 - 0.5 * 200 / 255
    assert material.base_color_image is not None


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.uint16])
@pytest.mark.parametrize("width", [3, 4])
def test_vertex_colours(tmp_path: Path, dtype: type, width: int) -> None:
    part = np.array([[0, 1, 0.2, 0.4], [1, 1, 1, 1], [0.6, 0.8, 0.2, 0], [0, 0, 0, 1]])[:, :width]
    most = 1.0 if dtype is np.float32 else np.iinfo(dtype).max
    mesh = mesh_of(tmp_path, {}, COLOR_0=(part * most).astype(dtype))
    assert mesh.colors is not None
    expected = np.concatenate([part, np.ones((4, 1))], axis=1)[:, :4]
    assert np.allclose(by_corner(mesh, mesh.colors), expected, atol=1e-6)


def test_white_vertex_colours_cost_nothing(tmp_path: Path) -> None:
    assert mesh_of(tmp_path, {}, COLOR_0=np.ones((4, 3), np.float32)).colors is None


def transformed(**transform: Any) -> dict[str, Any]:
    return {"index": 0, "extensions": {"KHR_texture_transform": transform}}


def test_a_texture_transform_is_in_the_coordinates_of_the_mesh(tmp_path: Path) -> None:
    textures = {"baseColorTexture": transformed(offset=[0.5, 0.25], rotation=math.pi / 2, scale=[2, 3])}
    mesh = mesh_of(tmp_path, {"pbrMetallicRoughness": textures})
    # Scaled to (2 u, 3 v), then turned so that v becomes u and u becomes -v, then moved.
    expected = [[3 * v + 0.5, -2 * u + 0.25] for u, v in QUAD_UVS.tolist()]
    assert np.allclose(by_corner(mesh, mesh.uvs), expected, atol=1e-6)
    assert mesh.second_uvs is None


def test_the_set_of_a_transform_replaces_that_of_the_texture(tmp_path: Path) -> None:
    other = (QUAD_UVS * 0.25).astype(np.float32)
    mesh = mesh_of(tmp_path, {"normalTexture": transformed(texCoord=1)}, TEXCOORD_1=other)
    assert np.allclose(by_corner(mesh, mesh.uvs), other)


def test_images_with_other_coordinates_have_the_second_ones(tmp_path: Path) -> None:
    other = (QUAD_UVS * 0.25).astype(np.float32)
    material = {
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "occlusionTexture": {"index": 1, "texCoord": 1},
        "normalTexture": {"index": 1, "texCoord": 1},
    }
    model = loaded(tmp_path, material, {"TEXCOORD_1": other})
    [part] = model.parts
    assert model.notices == ()
    assert part.material.second_uv == {"occlusion_image", "normal_image"}
    assert part.mesh.second_uvs is not None
    assert np.allclose(by_corner(part.mesh, part.mesh.uvs), QUAD_UVS)
    assert np.allclose(by_corner(part.mesh, part.mesh.second_uvs), other)


def test_a_third_mapping_is_said(tmp_path: Path) -> None:
    material = {
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "occlusionTexture": transformed(scale=[2, 2]),
        "emissiveTexture": transformed(scale=[3, 3]),
        "emissiveFactor": [1, 1, 1],
    }
    [notice] = loaded(tmp_path, material).notices
    assert notice.startswith("materials[0]: more than two mappings of images: ")


def test_materials_refuse_wrong_layers() -> None:
    for make in (lambda: Coat(2.0), lambda: Sheen((0.0, 2.0, 0.0)), lambda: Specular(0.5)):
        with pytest.raises(Exception, match=r"(Coat|Sheen|Specular)\."):
            make()
    with pytest.raises(Exception, match="second_uv has no image") as refused:
        Material(second_uv=frozenset({"normal_imag"}))
    assert "normal_image" in str(refused.value)

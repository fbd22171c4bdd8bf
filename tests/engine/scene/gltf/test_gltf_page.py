"""Every row of the table of docs/gltf.md is so: a small file of each is loaded."""

from __future__ import annotations

import io
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from gltf_builder import QUAD_POSITIONS, QUAD_UVS, GltfBuilder
from gltf_walker import Walker
from pyglm import glm
from test_gltf_compression import basisu_quad, draco_quad, meshopt_quad

from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.surface_layers import Coat, Sheen, Specular, Volume
from renderwright.render.errors import AssetError

PAGE = Path(__file__).parents[4] / "docs" / "gltf.md"
PIXELS = np.full((2, 2, 4), 128, np.uint8)


def rows() -> dict[str, str]:
    """The features of the page's table with their outcomes."""
    lines = (
        PAGE.read_text(encoding="utf-8").split("| feature | outcome | remark |")[1].split("\n\n")[0].splitlines()[2:]
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {feature: outcome for feature, outcome, _ in cells}


@dataclass(frozen=True)
class Row:
    """A file with the feature, and what is to be true of the model, or in its notice or error."""

    make: Callable[[GltfBuilder], object]
    holds: Callable[[Model], bool] = lambda model: True
    says: str = ""


def material(**fields: Any) -> Callable[[GltfBuilder], object]:
    """A quad with a material of these fields, and textures 0 and 1."""

    def make(builder: GltfBuilder) -> None:
        builder.texture(PIXELS)
        builder.texture(PIXELS, data_uri=True)
        builder.document["materials"] = [fields]
        builder.mesh(builder.quad(material=0))

    return make


def extension(name: str, **fields: Any) -> Callable[[GltfBuilder], object]:
    return material(extensions={name: fields})


def quad(**more: Any) -> Callable[[GltfBuilder], object]:
    return lambda builder: builder.mesh(builder.quad(**more))


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[GltfBuilder], object]:
    """A quad in a document that is changed."""

    def make(builder: GltfBuilder) -> None:
        builder.mesh(builder.quad())
        change(builder.document)

    return make


def first(model: Model) -> Any:
    return model.parts[0].material


def taken(other: GltfBuilder) -> Callable[[GltfBuilder], object]:
    """The contents of another builder."""

    def make(builder: GltfBuilder) -> None:
        builder.data, builder.document = other.data, other.document

    return make


def with_attribute(name: str, values: np.ndarray, **fields: Any) -> Callable[[GltfBuilder], object]:
    def make(builder: GltfBuilder) -> None:
        builder.texture(PIXELS)
        builder.document["materials"] = [fields]
        shape = builder.quad(material=0)
        shape["attributes"][name] = builder.accessor(values)
        builder.mesh(shape)

    return make


def quantized(builder: GltfBuilder) -> None:
    shape = builder.quad()
    shape["attributes"]["POSITION"] = builder.accessor((QUAD_POSITIONS * 100).astype(np.int16))
    shape["attributes"]["NORMAL"] = builder.accessor(np.int8([[0, 0, 127]] * 4), normalized=True)
    builder.document["nodes"][0]["scale"] = [0.01, 0.01, 0.01]
    builder.document["extensionsRequired"] = ["KHR_mesh_quantization"]
    builder.mesh(shape)


def sparse(builder: GltfBuilder) -> None:
    shape = builder.quad()
    where, values = np.uint8([2]), np.float32([[9, 9, 9]])
    builder.document["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": builder.view(where.tobytes()), "componentType": 5121},
        "values": {"bufferView": builder.view(values.tobytes())},
    }
    builder.mesh(shape)


def webp(builder: GltfBuilder) -> None:
    material(normalTexture={"index": 0})(builder)
    data = io.BytesIO()
    PIL.Image.fromarray(PIXELS).save(data, "WEBP")
    builder.document["images"].append({"bufferView": builder.view(data.getvalue())})
    builder.document["textures"][0] = {"extensions": {"EXT_texture_webp": {"source": 2}}}


def sampler(**fields: Any) -> Callable[[GltfBuilder], object]:
    def make(builder: GltfBuilder) -> None:
        material(normalTexture={"index": 0})(builder)
        builder.document["samplers"] = [fields]
        builder.document["textures"][0]["sampler"] = 0

    return make


def moved(number: float) -> dict[str, Any]:
    return {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [number, 0]}}}


def camera(**fields: Any) -> Callable[[GltfBuilder], object]:
    return changed(lambda d: d.update(cameras=[fields]) or d["nodes"][0].update(camera=0))


def light(builder: GltfBuilder) -> None:
    lights = {"lights": [{"type": "point", "intensity": 3}]}
    changed(lambda d: d.update(extensions={"KHR_lights_punctual": lights}))(builder)
    builder.document["nodes"][0]["extensions"] = {"KHR_lights_punctual": {"light": 0}}


def instanced(builder: GltfBuilder) -> None:
    quad()(builder)
    places = builder.accessor(np.float32([[1, 2, 3], [4, 5, 6]]))
    instancing = {"attributes": {"TRANSLATION": places}}
    builder.document["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": instancing}


def left_out(name: str) -> Row:
    return Row(extension(name), says=f"materials[0]: extension {name} is not supported")


ROWS: Mapping[str, Row] = {
    "files: .gltf, .glb, data URIs, other files": Row(material(normalTexture={"index": 1})),
    "nodes: translation, rotation, scale, matrix": Row(
        changed(lambda d: d["nodes"][0].update(translation=[1, 2, 3], scale=[2, 2, 2])),
        lambda model: model.parts[0].matrix[3].xyz == (1, 2, 3),
    ),
    "triangles, strips, fans": Row(quad(mode=5), lambda model: model.parts[0].mesh.triangle_count == 4),
    "points, lines": Row(quad(mode=1), says='meshes[0] "Thing" primitive 0: points and lines are not drawn'),
    "accessors: interleaved, normalized, sparse": Row(sparse, lambda model: model.parts[0].mesh.positions.max() == 9),
    "missing normals and tangents": Row(quad(), lambda model: bool((model.parts[0].mesh.normals == (0, 0, 1)).all())),
    "vertex colours": Row(
        with_attribute("COLOR_0", np.full((4, 3), 0.5, np.float32)),
        lambda model: model.parts[0].mesh.colors.max() == 1.0 and model.parts[0].mesh.colors.min() == 0.5,
    ),
    "texture coordinates: two mappings a material": Row(
        with_attribute(
            "TEXCOORD_1", QUAD_UVS * 3, normalTexture={"index": 0}, occlusionTexture={"index": 0, "texCoord": 1}
        ),
        lambda model: first(model).second_uv == {"occlusion_image"} and model.parts[0].mesh.second_uvs.max() == 3,
    ),
    "texture coordinates: further mappings": Row(
        material(normalTexture=moved(1), occlusionTexture=moved(2), emissiveTexture=moved(3)),
        says="materials[0]: more than two mappings of images",
    ),
    "metal and roughness, normal, occlusion, emission": Row(
        material(
            pbrMetallicRoughness={"metallicFactor": 0.25, "metallicRoughnessTexture": {"index": 0}},
            emissiveFactor=[1, 0.5, 0],
            occlusionTexture={"index": 0},
            normalTexture={"index": 0},
        ),
        lambda model: (
            first(model).metallic == 0.25 and first(model).emissive == (1, 0.5, 0) and first(model).normal_image
        ),
    ),
    "alpha modes": Row(material(alphaMode="MASK", alphaCutoff=0.25), lambda model: first(model).alpha_cutoff == 0.25),
    "double-sided materials": Row(material(doubleSided=True), lambda model: first(model).double_sided),
    "samplers: wrap": Row(
        sampler(wrapS=33071, wrapT=33648), lambda model: first(model).normal_image.wrap == ("clamp", "mirror")
    ),
    "samplers: filters": Row(
        sampler(magFilter=9728, minFilter=9987), lambda model: first(model).normal_image.filter == "nearest"
    ),
    "images: PNG, JPEG": Row(material(normalTexture={"index": 0}), lambda model: first(model).normal_image is not None),
    "images: missing or damaged": Row(
        lambda builder: (
            material(normalTexture={"index": 0})(builder),
            builder.document["images"][0].update(uri="gone.png"),
        ),
        says='images[0] "paint": "gone.png" cannot be read',
    ),
    "cameras: perspective": Row(
        camera(perspective={"yfov": 0.5, "znear": 0.1}), lambda model: abs(model.cameras[0].camera.fov_y - 0.5) < 1e-6
    ),
    "cameras: orthographic": Row(
        camera(orthographic={"xmag": 1, "ymag": 1, "zfar": 9, "znear": 0}), lambda model: len(model.cameras) == 1
    ),
    "skins": Row(taken(Walker()), lambda model: any(part.deformation for part in model.parts)),
    "animations": Row(taken(Walker()), lambda model: len(model.animations.clips) > 0),
    "morph targets": Row(taken(Walker()), lambda model: any(part.deformation for part in model.parts)),
    "KHR_lights_punctual": Row(light, lambda model: model.lights[0].intensity == 3),
    "KHR_materials_unlit": Row(extension("KHR_materials_unlit"), lambda model: first(model).unlit),
    "KHR_materials_emissive_strength": Row(
        material(emissiveFactor=[1, 1, 1], extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 5}}),
        lambda model: first(model).emissive == (5, 5, 5),
    ),
    "KHR_materials_ior": Row(
        extension("KHR_materials_ior", ior=2.0), lambda model: first(model).specular == Specular(ior=2.0)
    ),
    "KHR_materials_specular": Row(
        extension("KHR_materials_specular", specularFactor=0.5),
        lambda model: first(model).specular == Specular(strength=0.5),
    ),
    "KHR_materials_clearcoat": Row(
        extension("KHR_materials_clearcoat", clearcoatFactor=0.5), lambda model: first(model).coat == Coat(0.5)
    ),
    "KHR_materials_sheen": Row(
        extension("KHR_materials_sheen", sheenColorFactor=[1, 0, 0], sheenRoughnessFactor=0.5),
        lambda model: first(model).sheen == Sheen((1.0, 0.0, 0.0), 0.5),
    ),
    "KHR_materials_transmission": Row(
        extension("KHR_materials_transmission", transmissionFactor=0.5), lambda model: first(model).transmission == 0.5
    ),
    "KHR_materials_volume": Row(
        extension("KHR_materials_volume", thicknessFactor=0.5, attenuationColor=[1, 0.5, 0], attenuationDistance=2),
        lambda model: first(model).volume == Volume(0.5, (1.0, 0.5, 0.0), 2.0),
    ),
    **{
        name: left_out(name)
        for name in (
            "KHR_materials_iridescence",
            "KHR_materials_anisotropy",
            "KHR_materials_dispersion",
        )
    },
    "KHR_materials_pbrSpecularGlossiness": Row(
        extension("KHR_materials_pbrSpecularGlossiness", glossinessFactor=0.75),
        lambda model: first(model).roughness == 0.25 and first(model).specular.color == (25, 25, 25),
    ),
    "KHR_materials_variants": Row(
        quad(extensions={"KHR_materials_variants": {"mappings": []}}), says="extension KHR_materials_variants is not"
    ),
    "KHR_texture_transform": Row(
        material(normalTexture=moved(4)), lambda model: model.parts[0].mesh.uvs.min(axis=0).tolist() == [4, 0]
    ),
    "KHR_texture_basisu": Row(taken(basisu_quad()), lambda model: first(model).normal_image.extent == (4, 2)),
    "EXT_texture_webp": Row(webp, lambda model: "images[2]" in first(model).normal_image.name),
    "KHR_mesh_quantization": Row(quantized, lambda model: model.parts[0].mesh.positions.max() == 200),
    "KHR_draco_mesh_compression": Row(
        lambda builder: taken(draco_quad())(builder), lambda model: abs(model.parts[0].mesh.positions.max() - 2) < 1e-3
    ),
    "EXT_meshopt_compression": Row(taken(meshopt_quad()), lambda model: model.parts[0].mesh.positions.max() == 2),
    "EXT_mesh_gpu_instancing": Row(
        instanced,
        lambda model: [part.matrix[3].xyz for part in model.parts] == [(1, 2, 3), (4, 5, 6)],
    ),
    "KHR_animation_pointer": Row(
        changed(
            lambda d: d.update(
                animations=[{"channels": [{"target": {"extensions": {"KHR_animation_pointer": {}}}}], "samplers": []}]
            )
        ),
        says="animations[0]: extension KHR_animation_pointer is not supported",
    ),
    "KHR_xmp_json_ld": Row(changed(lambda d: d["asset"].update(extensions={"KHR_xmp_json_ld": {"packet": 0}}))),
    "required extensions that are not in this table": Row(
        changed(lambda d: d.update(extensionsRequired=["EXT_other"])),
        says="extensionsRequired: EXT_other is not supported",
    ),
    "geometry in an unknown extension alone": Row(
        lambda builder: (
            quad(extensions={"EXT_other": {}})(builder),
            builder.document["accessors"][0].pop("bufferView"),
        ),
        says="primitive 0: its positions are in EXT_other alone",
    ),
    "indices, counts and sizes beyond the data": Row(
        changed(lambda d: d["accessors"][0].update(count=99)), says="accessors[0]: 99 elements end at byte"
    ),
}


@pytest.fixture(autouse=True)
def transcoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands for opengl_basisu: files of its format cannot be made here."""
    texture = types.SimpleNamespace(transcode=lambda target: types.SimpleNamespace(data=np.zeros((2, 4, 4), np.uint8)))
    decoder = types.SimpleNamespace(open=lambda data: texture)
    monkeypatch.setitem(sys.modules, "opengl_basisu", decoder)  # type: ignore[arg-type]


def test_the_page_has_these_rows() -> None:
    assert set(rows()) == set(ROWS)


@pytest.mark.parametrize("feature", ROWS)
@pytest.mark.parametrize("binary", [False, True])
def test_each_row_is_so(tmp_path: Path, feature: str, binary: bool) -> None:
    builder, row, outcome = GltfBuilder(), ROWS[feature], rows()[feature]
    row.make(builder)
    path = builder.save_glb(tmp_path) if binary else builder.save(tmp_path)
    if outcome == "refused":
        with pytest.raises(AssetError) as refused:
            load_gltf(path)
        assert str(path) in str(refused.value)
        assert row.says in str(refused.value)
        return
    model = load_gltf(path)
    assert row.holds(model)
    if row.says:
        assert outcome in ("left out", "approximated")
        assert any(row.says in line for line in model.notices), model.notices
    else:
        assert outcome in ("supported", "approximated")
        assert model.notices == ()


def test_its_first_example_places_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = GltfBuilder()
    quad()(builder)
    builder.document["nodes"][0]["name"] = "spawn point"
    builder.save_glb(tmp_path).rename(tmp_path / "castle.glb")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(text.split("```python\n")[1].partition("```")[0], "docs/gltf.md", "exec"), names)
    (entity,) = names["scene"].entities
    assert entity.transform is names["place"]
    placed = np.array(entity.transform.matrix() * glm.vec4(1, 0, 0, 1))
    assert np.allclose(placed, (0, 0, -22, 1), atol=1e-5), "turned by 90 degrees, twice as large"
    assert "`model.spawn(scene, Transform(glm.vec3(2, 0, 0)))`" in text
    names["model"].spawn(names["scene"], names["Transform"](glm.vec3(2, 0, 0)))
    assert len(names["scene"].entities) == 2

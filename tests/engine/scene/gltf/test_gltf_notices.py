"""What a file has and is not shown is said once, and costs nothing but itself."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from gltf_builder import GltfBuilder

from renderwright.engine.scene.gltf import load_gltf
from renderwright.render.errors import AssetError

PIXELS = np.full((2, 2, 4), (255, 0, 0, 255), np.uint8)


def painted(count: int = 1, **more: object) -> GltfBuilder:
    """Quads with a material each, all of the same image."""
    builder = GltfBuilder()
    texture = builder.texture(PIXELS)
    pbr = {"baseColorTexture": {"index": texture}, "baseColorFactor": [0.5, 0.25, 1.0, 1.0]}
    builder.document["materials"] = [
        {"name": f"Paint {number}", "pbrMetallicRoughness": pbr, **more} for number in range(count)
    ]
    builder.mesh(*(builder.quad(material=number) for number in range(count)))
    return builder


@pytest.mark.parametrize(
    ("image", "problem"),
    [
        ({"bufferView": 0}, "cannot be decoded"),
        ({"uri": "gone.png", "bufferView": None}, '"gone.png" cannot be read'),
        ({"uri": "data:,@", "bufferView": None}, "cannot be decoded"),
    ],
)
def test_an_image_that_cannot_be_decoded_costs_that_image(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, image: dict[str, object], problem: str
) -> None:
    builder = painted()
    builder.document["images"][0].update(image)
    if "bufferView" in image and image["bufferView"] == 0:
        builder.document["bufferViews"][0]["byteLength"] = 9
    model = load_gltf(builder.save(tmp_path))
    assert model.parts[0].material.base_color_image is None
    assert model.parts[0].material.base_color == (0.5, 0.25, 1.0, 1.0)
    [line] = model.notices
    assert line.startswith('images[0] "paint": ')
    assert problem in line
    assert [record.getMessage() for record in caplog.records] == [f"{tmp_path / 'model.gltf'}: {line}"]


def test_the_other_images_of_a_material_stay(tmp_path: Path) -> None:
    builder = painted()
    good = builder.texture(PIXELS)
    builder.document["materials"][0].update(normalTexture={"index": good}, emissiveTexture={"index": 0})
    builder.document["materials"][0]["emissiveFactor"] = [1, 1, 1]
    builder.document["images"][0].update(uri="data:,@", bufferView=None)
    [part] = load_gltf(builder.save(tmp_path)).parts
    assert part.material.normal_image is not None
    assert part.material.emissive == (0.0, 0.0, 0.0)  # the whole surface would shine without its image


def test_a_texture_without_a_known_image_is_left_out(tmp_path: Path) -> None:
    builder = painted()
    builder.document["textures"][0].pop("source")
    model = load_gltf(builder.save(tmp_path))
    assert model.notices == ('materials[0] "Paint 0": a texture without an image in a known format is left out',)
    assert model.parts[0].material.base_color_image is None


def test_an_unknown_extension_is_one_line_for_all_its_elements(tmp_path: Path) -> None:
    model = load_gltf(painted(5, extensions={"EXT_glitter": {}}).save(tmp_path))
    assert model.notices == (
        'materials[0] "Paint 0", materials[1] "Paint 1", materials[2] "Paint 2" and 2 others: '
        "extension EXT_glitter is not supported and left out",
    )


def test_extensions_inside_elements_and_of_the_file_are_found(tmp_path: Path) -> None:
    builder = painted()
    builder.document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = {"EXT_inner": {}}
    builder.document["extensions"] = {"EXT_outer": {}}
    builder.document["extras"] = {"extensions": {"EXT_extras": {}}}
    builder.document["nodes"][0]["extras"] = {"extensions": {"EXT_extras": {}}}
    lines = load_gltf(builder.save(tmp_path)).notices
    assert sorted(lines) == [
        'materials[0] "Paint 0": extension EXT_inner is not supported and left out',
        "the file: extension EXT_outer is not supported and left out",
    ]


def test_a_plain_model_has_no_notices(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert load_gltf(painted().save(tmp_path)).notices == ()
    assert not caplog.records


def test_geometry_that_an_unknown_extension_holds_is_an_error(tmp_path: Path) -> None:
    builder = painted()
    builder.document["accessors"][0].pop("bufferView")
    builder.document["meshes"][0]["primitives"][0]["extensions"] = {"EXT_other_compression": {"bufferView": 0}}
    with pytest.raises(AssetError, match=r"primitive 0: its positions are in EXT_other_compression alone"):
        load_gltf(builder.save(tmp_path))


def test_webp_images_are_decoded(tmp_path: Path) -> None:
    builder = painted()
    webp = io.BytesIO()
    PIL.Image.fromarray(PIXELS).save(webp, "WEBP", lossless=True)
    builder.document["images"].append({"bufferView": builder.view(webp.getvalue()), "mimeType": "image/webp"})
    builder.document["textures"][0] = {"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}
    model = load_gltf(builder.save(tmp_path))
    image = model.parts[0].material.base_color_image
    assert image is not None
    assert np.array_equal(image.pixels, PIXELS)
    assert "images[1]" in image.name

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder
from pyglm import glm

from renderwright.engine.scene import DirectionalLight, PointLight, Scene, SpotLight, Transform
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.model import Model
from renderwright.render.errors import AssetError


def _model(tmp_path: Path, nodes: list[dict], **more) -> Model:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    builder.document |= {"nodes": nodes, **more}
    return load_gltf(builder.save(tmp_path))


def _placed(matrix: glm.mat4, point: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> tuple[float, ...]:
    return tuple(round(value, 4) + 0.0 for value in glm.vec3(matrix * glm.vec4(*point, 1.0)))


def test_node_matrices_multiply_from_the_root(tmp_path: Path) -> None:
    turn = [0.0, 0.0, math.sin(math.pi / 4), math.cos(math.pi / 4)]
    model = _model(
        tmp_path,
        [
            {"name": "root", "translation": [10, 0, 0], "rotation": turn, "children": [2, 1]},
            {"name": "leaf", "mesh": 0, "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 5, 1]},
            {"name": "marker", "scale": [3, 3, 3]},
            {"name": "outside the scene"},
        ],
    )
    assert [(node.name, node.parent) for node in model.nodes] == [("root", None), ("marker", 0), ("leaf", 0)]
    assert _placed(model.node("marker").matrix) == (10.0, 3.0, 0.0)
    (part,) = model.parts
    assert model.nodes[part.node].name == "leaf"
    assert _placed(part.matrix) == (10.0, 2.0, 5.0)
    with pytest.raises(AssetError, match="marker"):
        model.node("markr")


def test_instances_move_as_a_whole_and_share_meshes(tmp_path: Path) -> None:
    nodes = [{"children": [1, 2]}, {"mesh": 0}, {"name": "far", "mesh": 0, "translation": [0, 0, 4]}]
    model = _model(tmp_path, nodes)
    scene, transform = Scene(), Transform(glm.vec3(1.0, 0.0, 0.0))
    entities = model.instantiate(scene, transform)
    model.instantiate(scene)
    assert [entity.name for entity in entities] == ["node 1", "far"]
    assert (len(scene.meshes()), len(scene.draw_list().batches)) == (1, 1)
    transform.position.y = 2.0
    assert scene.draw_list().models[:, 3, :3].tolist() == [[1, 2, 0], [1, 2, 4], [0, 0, 0], [0, 0, 4]]


def test_instances_of_a_node_have_places_of_their_own(tmp_path: Path) -> None:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    turns = np.int8([[0, 0, 0, 127], [0, 0, 90, 90]])
    attributes = {
        "TRANSLATION": builder.accessor(np.float32([[1, 2, 3], [0, 0, 0]])),
        "ROTATION": builder.accessor(turns, normalized=True),
        "SCALE": builder.accessor(np.float32([[2, 2, 2], [1, 1, 1]])),
    }
    node = builder.document["nodes"][0]
    node.update(translation=[0, 10, 0], extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
    first, second = load_gltf(builder.save(tmp_path)).parts
    assert first.mesh is second.mesh
    assert (first.matrix * glm.vec4(1, 0, 0, 1)).xyz == glm.vec3(3, 12, 3)
    assert glm.distance((second.matrix * glm.vec4(1, 0, 0, 1)).xyz, glm.vec3(0, 11, 0)) < 1e-5
    attributes["SCALE"] = builder.accessor(np.float32([[1, 1, 1]]))
    with pytest.raises(AssetError, match=r'nodes\[0\] "root": attributes of 1, 2 instances'):
        load_gltf(builder.save(tmp_path))


def test_mirrored_nodes_keep_their_faces_outside(tmp_path: Path) -> None:
    model = _model(tmp_path, [{"mesh": 0, "scale": [-1, 1, 1], "children": [1]}, {"mesh": 0, "scale": [1, -1, 1]}])
    once, twice = model.parts
    for part in (once, twice):
        world = np.column_stack([part.mesh.positions, np.ones(len(part.mesh.positions))]) @ np.array(part.matrix).T
        corners = world[part.mesh.indices, :3].reshape(-1, 3, 3)
        assert (np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] > 0.0).all()
    assert once.mesh is not twice.mesh


def test_lights_and_cameras(tmp_path: Path) -> None:
    down = [-math.sin(math.pi / 4), 0.0, 0.0, math.cos(math.pi / 4)]
    lights = [
        {"type": "point", "color": [1, 0.5, 0], "intensity": 5, "range": 7},
        {"type": "spot", "intensity": 2, "spot": {"outerConeAngle": 0.5}},
        {"type": "directional"},
    ]
    model = _model(
        tmp_path,
        [{"children": [1, 2, 3, 4], "rotation": down}]
        + [{"translation": [0, 0, -2], "extensions": {"KHR_lights_punctual": {"light": index}}} for index in range(3)]
        + [{"name": "eye", "camera": 0, "translation": [0, 0, -3]}],
        cameras=[{"type": "perspective", "perspective": {"yfov": 0.9, "znear": 0.2}}],
        extensionsUsed=["KHR_lights_punctual"],
        extensions={"KHR_lights_punctual": {"lights": lights}},
    )
    scene = Scene()
    assert model.instantiate(scene, Transform(glm.vec3(1.0, 0.0, 0.0)), lights=True) == []
    point, spot, sun = scene.lights
    assert (spot.intensity, sun.intensity) == (2.0, 1.0), "candela and lux are units of the scene"
    assert isinstance(point, PointLight)
    assert (point.color, point.intensity, point.radius) == ((1.0, 0.5, 0.0), 5.0, 7.0)
    assert tuple(point.position) == pytest.approx((1.0, -2.0, 0.0), abs=1e-5)
    assert isinstance(spot, SpotLight)
    assert (spot.inner_angle, spot.outer_angle) == (0.0, 0.5)
    assert isinstance(sun, DirectionalLight)
    for light in (spot, sun):
        assert tuple(light.direction) == pytest.approx((0.0, -1.0, 0.0), abs=1e-5)
    dimmed = Scene()
    model.instantiate(dimmed, lights=True, light_scale=0.1)
    assert [light.intensity for light in dimmed.lights] == pytest.approx([0.5, 0.2, 0.1])
    assert dimmed.point_lights[0].radius == pytest.approx(math.sqrt(0.5 / 0.05)), "it ends where it has faded"
    (eye,) = model.cameras
    assert (eye.name, eye.camera.near, eye.camera.fov_y) == ("eye", 0.2, 0.9)
    assert tuple(eye.camera.position) == pytest.approx((0.0, -3.0, 0.0), abs=1e-5)
    assert tuple(eye.camera.forward()) == pytest.approx((0.0, -1.0, 0.0), abs=1e-5)


def _break(change) -> dict:
    builder = GltfBuilder()
    builder.mesh(builder.quad(material=0))
    texture = builder.texture(np.zeros((2, 2, 4), np.uint8))
    builder.document["materials"].append({"name": "Paint", "normalTexture": {"index": texture}})
    change(builder.document)
    return builder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["nodes"][0].update(mesh=5), r'nodes\[0\] "root": refers to meshes\[5\], and there are 1'),
        (lambda d: d["nodes"][0].update(children=[0]), r'nodes\[0\] "root": has two parents'),
        (lambda d: d["nodes"][0].update(rotation=[0, 0, 0, 0]), r'nodes\[0\] "root": a rotation'),
        (lambda d: d["nodes"][0].update(translation=[1, 2]), r"translation is not 3"),
        (lambda d: d["nodes"][0].update(camera=0), r"cameras\[0\], and there are 0"),
        (
            lambda d: d["meshes"][0]["primitives"][0].update(material=3),
            r'meshes\[0\] "Thing" primitive 0: refers to mat',
        ),
        (lambda d: d["meshes"][0]["primitives"][0]["attributes"].pop("POSITION"), r"primitive 0: no positions"),
        (lambda d: d["accessors"][0].update(count=400), r"accessors\[0\]: 400 elements end at byte 4800"),
        (lambda d: d["accessors"][0].update(type="VEC2"), r"accessors\[0\]: type VEC2"),
        (lambda d: d["accessors"][0].update(componentType=1), r"component type 1"),
        (lambda d: d["accessors"][1].update(count=3), r"3 of TEXCOORD_0 for 4"),
        (lambda d: d["accessors"][0].update(count=2) or d["accessors"][1].update(count=2), r"the largest 3"),
        (lambda d: d["bufferViews"][0].update(byteLength=99999), r"bufferViews\[0\]: bytes 0 to 99999"),
        (lambda d: d["asset"].update(version="1.0"), r'asset: version "1.0"'),
        (lambda d: d.update(extensionsRequired=["KHR_draco"]), r"extensionsRequired: KHR_draco"),
    ],
)
def test_errors_name_file_and_element(tmp_path: Path, change, message: str) -> None:
    path = _break(change).save(tmp_path)
    with pytest.raises(AssetError, match=message) as raised:
        load_gltf(path)
    assert str(raised.value).startswith(str(path))


def test_unreadable_files(tmp_path: Path) -> None:
    path = tmp_path / "x.gltf"
    with pytest.raises(AssetError, match=r"cannot be read: No such file"):
        load_gltf(path)
    path.write_text('{"asset":\n {"version" "2.0"}}')
    with pytest.raises(AssetError, match=r"x\.gltf:2:\d+: not valid JSON"):
        load_gltf(path)
    path.write_bytes(b"glTF\2\0")
    with pytest.raises(AssetError, match="not a glTF file"):
        load_gltf(path)


def test_no_damage_gets_past_asset_errors(tmp_path: Path) -> None:
    rng = random.Random(11)
    whole = json.loads(_break(lambda document: None).save(tmp_path).read_text())
    path = tmp_path / "damaged.gltf"
    failures = 0
    for _ in range(150):
        document = json.loads(json.dumps(whole))
        holder = document
        while True:
            key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
            inner = holder[key]
            if not isinstance(inner, (dict, list)) or not inner or rng.random() < 0.2:
                break
            holder = inner
        holder[key] = rng.choice([None, -1, 10**9, 0.5, "x", [], {}, [[1]], True, {"a": 1}])
        path.write_text(json.dumps(document))
        try:
            load_gltf(path)
        except AssetError:
            failures += 1
    assert failures > 50

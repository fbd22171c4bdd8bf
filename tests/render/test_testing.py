"""Running one node alone, with inputs and outputs of every kind."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import BackendError, GraphError
from renderwright.render.testing import device_for_tests, run_node
from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan


@dataclass(frozen=True)
class Tint:
    color: tuple[float, float, float, float]


@pytest.fixture
def shader(tmp_path: Path):
    def write(name: str, text: str) -> list[Path]:
        (tmp_path / name).write_text(f"#version 450\n{text}")
        return [tmp_path]

    return write


TINTED = """
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform Block { vec4 color; } tint;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() { result = texture(picture, uv) * tint.color; }
"""


def tinted(reg):
    reg.read("game/picture").sampled(filter="nearest")
    reg.read("tint", Tint)
    reg.create("out", Texture("rgba32_sfloat", reg.resolution("main_view"))).color()
    pipeline = reg.graphics("tinted.frag")
    return lambda cmd: cmd.draw(pipeline)


def test_a_texture_and_a_blob_in_a_texture_out(shader) -> None:
    picture = np.arange(4 * 6 * 3, dtype=np.float32).reshape(4, 6, 3)
    inputs = {"picture": picture, "tint": Tint((1.0, 2.0, 0.5, 3.0))}
    result = run_node(tinted, inputs, ["out"], size=(6, 4), shader_paths=shader("tinted.frag", TINTED))
    assert np.array_equal(result["out"][..., :3], picture * np.array([1.0, 2.0, 0.5], np.float32))
    assert np.all(result["out"][..., 3] == 3.0)


def test_every_kind_of_channel(shader) -> None:
    paths = shader("tinted.frag", TINTED)
    for dtype, one in ((np.uint8, 255), (np.float16, 1), (np.float32, 1)):
        for channels in (1, 2, 4):
            picture = np.full((4, 4, channels), one, dtype)
            inputs = {"game/picture": picture, "tint": Tint((0.5,) * 4)}
            texel = run_node(tinted, inputs, ["out"], size=(4, 4), shader_paths=paths)["out"][1, 1]
            assert np.array_equal(texel[:channels], [0.5] * channels)


def test_two_channels_of_whole_numbers(shader) -> None:
    def joined(reg):
        reg.read("pairs").sampled(filter="nearest")
        reg.create("out", Texture("r32_uint", reg.resolution("main_view"))).color()
        pipeline = reg.graphics("joined.frag")
        return lambda cmd: cmd.draw(pipeline)

    paths = shader(
        "joined.frag",
        """#version 450
        layout(set = 0, binding = 0) uniform usampler2D pairs;
        layout(location = 0) out uint result;
        void main() {
            uvec2 pair = texelFetch(pairs, ivec2(gl_FragCoord.xy), 0).xy;
            result = 100 * pair.x + pair.y;
        }""",
    )
    pairs = np.full((4, 4, 2), (3, 7), np.uint32)
    assert np.all(run_node(joined, {"pairs": pairs}, ["out"], size=(4, 4), shader_paths=paths)["out"] == 307)


def test_buffers_that_are_modified(shader) -> None:
    paths = shader(
        "add.comp",
        """
        layout(local_size_x = 8) in;
        layout(std430, set = 0, binding = 0) readonly buffer terms { float more[]; };
        layout(std430, set = 0, binding = 1) buffer sums { float values[]; };
        layout(std430, set = 0, binding = 2) writeonly buffer halves { float half_values[]; };
        void main() {
            uint at = gl_GlobalInvocationID.x;
            if (at < 12) {
                values[at] += more[at];
                half_values[at] = values[at] * 0.5;
            }
        }
        """,
    )

    def add(reg):
        reg.read("terms").storage_read()
        reg.modify("sums").storage()
        reg.create("halves", Buffer(48)).storage_write()
        pipeline = reg.compute("add.comp")
        return lambda cmd: cmd.dispatch(pipeline, (12, 1))

    terms, sums = np.arange(12, dtype=np.float32), np.full(12, 10.0, np.float32)
    result = run_node(add, {"terms": terms, "sums": sums}, ["sums", "halves"], shader_paths=paths)
    assert np.array_equal(result["sums"].view(np.float32), terms + 10.0)
    assert np.array_equal(result["halves"].view(np.float32), (terms + 10.0) / 2.0)


def test_textures_that_are_drawn_over_and_tested_against(shader) -> None:
    paths = shader("red.frag", "layout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0, 0.0, 0.0, 1.0); }")
    shader(
        "half.vert",
        "void main() { gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0.5, 1); }",
    )

    def draw(reg):
        reg.modify("picture").color()
        reg.read("depth").depth_read()
        pipeline = reg.graphics("red.frag", "half.vert", depth_test="greater")
        return lambda cmd: cmd.draw(pipeline)

    picture = np.full((8, 8, 4), (0, 0, 255, 255), np.uint8)
    depth = np.full((8, 8), 0.25, np.float32)
    depth[:, 4:] = 0.75
    result = run_node(draw, {"picture": picture, "depth": depth}, ["picture"], size=(8, 8), shader_paths=paths)
    assert np.array_equal(result["picture"][3, 3], [255, 0, 0, 255])
    assert np.array_equal(result["picture"][3, 4], [0, 0, 255, 255])


LAYER = "layout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0, 0.0, 0.0, 1.0); }"
HALF_LEFT = """
void main() {
    gl_Position = vec4(gl_VertexIndex == 1 ? 1.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.5, 1.0);
}
"""


@pytest.mark.parametrize("backend", ["vulkan", "opengl"])
def test_a_layer_that_is_drawn_into(shader, backend) -> None:
    """The other layers keep what the test gave them, and the results have all."""
    paths = shader("red.frag", LAYER)
    shader("half.vert", HALF_LEFT)

    def draw(reg):
        reg.modify("picture").layer(1).color()
        reg.modify("maps").layer(1).depth()
        pipeline = reg.graphics("red.frag", "half.vert", depth_test="greater", depth_write=True)
        return lambda cmd: cmd.draw(pipeline)

    picture = np.random.default_rng(3).random((3, 8, 8, 4)).astype(np.float32)
    maps = np.linspace(0.1, 0.3, 3 * 64, dtype=np.float32).reshape(3, 8, 8, 1)
    inputs = {"picture": picture, "maps": maps}
    result = run_node(draw, inputs, ["picture", "maps"], size=(8, 8), shader_paths=paths, backend=backend)
    for key, drawn in (("picture", [1.0, 0.0, 0.0, 1.0]), ("maps", [0.5])):
        assert result[key].shape == inputs[key].shape
        covered = np.all(result[key][1] == drawn, axis=-1)
        assert 8 <= covered.sum() <= 56
        assert np.array_equal(result[key][1][~covered], inputs[key][1][~covered])
        assert np.array_equal(result[key][::2], inputs[key][::2])


def test_one_layer_is_sampled_and_another_one_drawn_into(shader) -> None:
    paths = shader(
        "copy.frag",
        "layout(set = 0, binding = 0) uniform sampler2D before;\nlayout(location = 0) out vec4 c;\n"
        "void main() { c = texelFetch(before, ivec2(0), 0); }",
    )

    def draw(reg):
        reg.read("picture").layer(0).sampled().bind("before")
        reg.modify("picture").layer(1).color()
        pipeline = reg.graphics("copy.frag")
        return lambda cmd: cmd.draw(pipeline)

    picture = np.zeros((2, 4, 4, 4), np.float32)
    picture[0] = 0.25
    result = run_node(draw, {"picture": picture}, ["picture"], size=(4, 4), shader_paths=paths)
    assert np.all(result["picture"] == 0.25)


def test_an_array_of_one_layer_is_a_texture_without_layers(shader) -> None:
    inputs = {"picture": np.ones((1, 4, 4, 3), np.float32), "tint": Tint((0.5,) * 4)}
    result = run_node(tinted, inputs, ["out"], size=(4, 4), shader_paths=shader("tinted.frag", TINTED))
    assert np.all(result["out"][..., :3] == 0.5)


def test_a_layer_that_the_input_lacks_is_an_error(shader) -> None:
    def draw(reg):
        reg.modify("maps").layer(2).depth()
        pipeline = reg.graphics(vertex="half.vert", depth_test="greater", depth_write=True)
        return lambda cmd: cmd.draw(pipeline)

    with pytest.raises(GraphError, match="has 1 layer, so no layer 2") as caught:
        run_node(draw, {"maps": np.zeros((8, 8), np.float32)}, ["maps"], shader_paths=shader("half.vert", HALF_LEFT))
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


@pytest.mark.parametrize("channels", [3, 4])
def test_channels_of_a_depth_are_refused(shader, channels: int) -> None:
    def draw(reg):
        reg.modify("maps").depth()
        pipeline = reg.graphics(vertex="half.vert", depth_test="greater", depth_write=True)
        return lambda cmd: cmd.draw(pipeline)

    maps = np.zeros((8, 8, channels), np.float32)
    message = f'input "maps" has {channels} channels, and the node uses it as depth'
    with pytest.raises(GraphError, match=message) as caught:
        run_node(draw, {"maps": maps}, ["maps"], shader_paths=shader("half.vert", HALF_LEFT))
    assert caught.value.hint == "give an array of the shape (height, width) or (layers, height, width, 1)"


def test_a_node_of_blobs_only() -> None:
    def declare(reg):
        tint = reg.read("tint", Tint)
        result = reg.create("sum", float)

        def execute(cmd) -> None:
            result.value = sum(tint.value.color)

        return execute

    assert run_node(declare, {"tint": Tint((1.0, 2.0, 3.0, 4.0))}, ["sum"]) == {"sum": 10.0}


def test_the_value_of_a_first_frame_is_explained() -> None:
    def declare(reg):
        before, now = reg.history("tint", Tint), reg.create("tint", Tint)

        def execute(cmd) -> None:
            now.value = Tint(before.value.color)

        return execute

    with pytest.raises(GraphError, match="'NoneType' object has no attribute 'color'") as caught:
        run_node(declare, {}, ["tint"])
    assert 'the history of "tint" has no previous frame: test .valid before .value' in str(caught.value)


def test_a_missing_input_is_named(shader) -> None:
    with pytest.raises(GraphError, match='"node" needs "game/picture", which is not among the inputs') as caught:
        run_node(tinted, {"tint": Tint((1.0,) * 4)}, ["out"], shader_paths=shader("tinted.frag", TINTED))
    assert 'run_node(..., {"game/picture": ...})' in caught.value.hint


def test_an_input_that_the_node_only_reads_is_no_output(shader) -> None:
    inputs = {"picture": np.zeros((4, 4, 3), np.float32), "tint": Tint((1.0,) * 4)}
    with pytest.raises(GraphError, match='"node" only reads "picture", so it is no output') as caught:
        run_node(tinted, inputs, ["out", "picture"], shader_paths=shader("tinted.frag", TINTED))
    assert caught.value.hint == "its outputs are out"


def test_an_unknown_name_is_named() -> None:
    with pytest.raises(GraphError, match='"node" requests no "pictur"') as caught:
        run_node(tinted, {"pictur": np.zeros((4, 4), np.float32)}, ["out"])
    assert caught.value.hint == 'did you mean "picture"? it requests out, picture, tint'
    with pytest.raises(GraphError, match='"node" requests no "xyz"') as caught:
        run_node(tinted, {"xyz": np.zeros((4, 4), np.float32)}, ["out"])
    assert caught.value.hint == "it requests out, picture, tint"


def test_what_no_texture_holds_is_refused() -> None:
    with pytest.raises(GraphError, match="4 channels of type float64"):
        run_node(tinted, {"picture": np.zeros((4, 4, 4))}, ["out"])


def test_an_objection_of_the_validation_layer_is_an_error(shader) -> None:
    def wrong(reg):
        reg.create("out", Texture("rgba8_unorm", (8, 8))).color()

        def execute(cmd) -> None:
            cmd._recorder.viewport(0, 0, 1_000_000, 8)  # wider than any device allows, and not checked there

        return execute

    with pytest.raises(BackendError, match="the validation layer objects"):
        run_node(wrong, {}, ["out"])


def test_an_objection_of_the_driver_of_opengl_is_an_error() -> None:
    with pytest.raises(BackendError, match=r"the driver objects:\n.*glEnable"), device_for_tests("opengl") as device:
        device._device.api.glEnable(0xDEAD)  # type: ignore[attr-defined]


def test_a_backend_of_the_callers_own_is_left_as_it_was(shader) -> None:
    backend = VulkanBackend(validate=True)
    before = len(backend._objects)
    inputs = {"picture": np.zeros((4, 4, 4), np.uint8), "tint": Tint((1.0,) * 4)}
    for _ in range(2):
        run_node(tinted, inputs, ["out"], shader_paths=shader("tinted.frag", TINTED), backend=backend)
    assert len(backend._objects) == before
    backend.close()
    assert backend.validation_messages == []


BLENDED = """
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform sampler2D before;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() { result = mix(texture(before, uv), texture(picture, uv), 0.25); }
"""


@pytest.mark.parametrize("key", ["sum", "before"])
def test_the_history_of_what_the_node_itself_creates_is_an_input(shader, key: str) -> None:
    valid = []

    def accumulate(reg):
        reg.read("picture").sampled(filter="nearest")
        before = reg.history("sum").sampled(filter="nearest").bind("before")
        reg.create("sum", Texture("rgba32_sfloat", reg.resolution("main_view"))).color()
        pipeline = reg.graphics("blended.frag")

        def execute(cmd) -> None:
            valid.append(before.valid)
            cmd.draw(pipeline)

        return execute

    picture, before = np.full((4, 4, 4), 1.0, np.float32), np.full((4, 4, 4), 5.0, np.float32)
    inputs = {"picture": picture, key: before}
    result = run_node(accumulate, inputs, ["sum"], size=(4, 4), shader_paths=shader("blended.frag", BLENDED))
    assert np.array_equal(result["sum"], np.full((4, 4, 4), 4.0, np.float32))
    assert valid == [True]


def test_a_resource_and_its_history_are_two_inputs(shader) -> None:
    def blended(reg):
        reg.read("picture").sampled(filter="nearest")
        reg.history("picture").sampled(filter="nearest").bind("before")
        reg.create("sum", Texture("rgba32_sfloat", reg.resolution("main_view"))).color()
        pipeline = reg.graphics("blended.frag")
        return lambda cmd: cmd.draw(pipeline)

    now, before = np.full((4, 4, 4), 1.0, np.float32), np.full((4, 4, 4), 5.0, np.float32)
    inputs = {"picture": now, "before": before}
    result = run_node(blended, inputs, ["sum"], size=(4, 4), shader_paths=shader("blended.frag", BLENDED))
    assert np.array_equal(result["sum"], np.full((4, 4, 4), 4.0, np.float32))


def test_a_history_whose_name_fills_another_request_is_refused() -> None:
    """It would be that of a first frame, in silence."""
    told = []

    def step(reg):
        now, before = reg.read("count", int), reg.history("count", int)
        step_made = reg.create("step", int)

        def execute(cmd) -> None:
            told.append(before.valid)
            step_made.value = now.value

        return execute

    def named(reg):
        now, before = reg.read("count", int), reg.history("count", int).bind("count_before")
        step_made = reg.create("step", int)

        def execute(cmd) -> None:
            step_made.value = now.value - (before.value if before.valid else 0)

        return execute

    with pytest.raises(GraphError, match='"count" and its history by the same name') as caught:
        run_node(step, {"count": 41}, ["step"])
    assert caught.value.hint is not None
    assert '.bind("count_before")' in caught.value.hint
    assert caught.value.where is not None
    assert caught.value.where.file == __file__
    assert told == []
    assert run_node(named, {"count": 41, "count_before": 40}, ["step"]) == {"step": 1}
    assert run_node(named, {"count": 41}, ["step"]) == {"step": 41}


def test_the_history_of_a_value_is_an_input() -> None:
    def count(reg):
        before, now = reg.history("count", int), reg.create("count", int)

        def execute(cmd) -> None:
            now.value = before.value + 1

        return execute

    assert run_node(count, {"count": 41}, ["count"]) == {"count": 42}

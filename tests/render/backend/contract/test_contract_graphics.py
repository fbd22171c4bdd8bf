from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from renderwright.render.backend.protocol import (
    Backend,
    BufferBinding,
    Pipeline,
    PipelineDesc,
    Recorder,
    TextureBinding,
)
from renderwright.render.errors import BackendError, ShaderError
from renderwright.render.shaders.module import BindingKind, ShaderModule
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Load
from renderwright.render.types.physical import PhysicalTexture
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage
from tests.on_devices import (
    FRESH,
    attached,
    binding,
    buffer_info,
    change,
    fragment,
    run_frame,
    texture_info,
    use,
    vertex,
)

SIZE = (8, 4)

POSITION = """#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_FragCoord.xy / 255.0, 0.0, 1.0); }
"""
RED = """#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0, 0.0, 0.0, 1.0); }
"""
PUSHED = """#version 450
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 value; };
void main() { color = value; }
"""
CORNERS = """#version 450
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 shade;
void main() { gl_Position = vec4(place, 0.5, 1.0); shade = tint; }
"""
SHADED = """#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 color;
void main() { color = shade; }
"""


def pipeline(device: Backend, *modules: ShaderModule, depth: str = "", **state: Any) -> Pipeline:
    samples = state.pop("samples", 1)
    return device.create_pipeline(
        PipelineDesc("test", modules, ("rgba8_unorm",), depth, samples, tuple(sorted(state.items())))
    )


def canvas(device: Backend, **kwargs: int) -> PhysicalTexture:
    return device.create_texture(texture_info("rgba8_unorm", SIZE, Usage.COLOR, Usage.SAMPLED, **kwargs), "canvas")


def begin(recorder: Recorder, target: PhysicalTexture) -> None:
    recorder.barriers([change(target, FRESH, use(Usage.COLOR))])
    recorder.begin_pass([attached(target)], SIZE)


def pixels(device: Backend, target: PhysicalTexture) -> NDArray[Any]:
    return device.read_texture(target, Layout.COLOR_ATTACHMENT)


def test_row_zero_is_at_the_top(device: Backend) -> None:
    target, program = canvas(device), pipeline(device, vertex(), fragment(POSITION))

    def record(recorder: Recorder) -> None:
        recorder.begin_label("draw")
        begin(recorder, target)
        recorder.bind_pipeline(program)
        recorder.draw(3)
        recorder.end_pass()
        recorder.end_label()

    run_frame(device, record)
    got = pixels(device, target)
    assert got.shape == (4, 8, 4)
    assert got.dtype == np.uint8
    rows, columns = np.mgrid[0:4, 0:8]
    # Fragment centres lie at halves, so the value lies half-way between two steps and may round either way.
    assert np.all(np.abs(got[..., 0] - (columns + 0.5)) <= 0.5)
    assert np.all(np.abs(got[..., 1] - (rows + 0.5)) <= 0.5)
    assert np.all(got[..., 3] == 255)


def corners(*points: tuple[float, float]) -> bytes:
    return b"".join(struct.pack("<2f4B", *point, 0, 255, 0, 255) for point in points)


VERTEX_STATE: dict[str, Any] = {
    "vertex": ((0, "rg32_sfloat", 0), (1, "rgba8_unorm", 8)),
    "vertex_stride": 12,
}
COUNTER_CLOCKWISE = ((-1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (-1.0, 1.0))  # the upper half, Y up
INDICES = struct.pack("<6I", 0, 1, 2, 0, 2, 3)


@pytest.mark.parametrize(("cull", "drawn"), [("none", True), ("back", True), ("front", False)])
def test_clip_space_y_points_up_and_fronts_wind_counter_clockwise(device: Backend, cull: str, drawn: bool) -> None:
    target = canvas(device)
    program = pipeline(device, vertex(CORNERS), fragment(SHADED), cull=cull, **VERTEX_STATE)
    data = corners(*COUNTER_CLOCKWISE)
    vertices = device.create_buffer(buffer_info(len(data), Usage.VERTEX), "vertices", data)
    indices = device.create_buffer(buffer_info(len(INDICES), Usage.INDEX), "indices", INDICES)

    def record(recorder: Recorder) -> None:
        begin(recorder, target)
        recorder.bind_pipeline(program)
        recorder.bind_vertices(vertices)
        recorder.bind_indices(indices)
        recorder.draw_indexed(6)
        recorder.end_pass()

    run_frame(device, record)
    got = pixels(device, target)
    assert np.all(got[:2] == ([0, 255, 0, 255] if drawn else 0))
    assert np.all(got[2:] == 0)


def test_push_constants_and_scissor_and_viewport(device: Backend) -> None:
    target, program = canvas(device), pipeline(device, vertex(), fragment(PUSHED, push_size=16))

    def record(recorder: Recorder) -> None:
        begin(recorder, target)
        recorder.bind_pipeline(program)
        recorder.push(program, struct.pack("<4f", 0.0, 1.0, 0.0, 1.0))
        recorder.draw(3)
        recorder.viewport(4.0, 0.0, 4.0, 2.0)
        recorder.scissor(4, 0, 4, 2)
        recorder.push(program, struct.pack("<4f", 1.0, 0.0, 1.0, 1.0))
        recorder.draw(3)
        recorder.end_pass()

    run_frame(device, record)
    got = pixels(device, target)
    expected = np.full((4, 8, 4), (0, 255, 0, 255), np.uint8)
    expected[:2, 4:] = (255, 0, 255, 255)
    assert np.array_equal(got, expected)
    with pytest.raises(BackendError, match="takes up to 16 bytes"):
        device.recorder(0).push(program, bytes(20))


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"blend": "none"}, (255, 0, 0, 51)),
        ({"blend": "alpha"}, (51, 0, 204, 153)),
        ({"blend": "add"}, (255, 0, 255, 179)),
        ({"blend": "premultiplied"}, (255, 0, 204, 153)),
        ({"blend": "transparent"}, (255, 0, 204, 102)),
        ({"color_write": "ra"}, (255, 0, 255, 51)),
        ({"color_write": ""}, (0, 0, 255, 128)),
        ({"blend": "alpha", "color_write": "rgb"}, (51, 0, 204, 128)),
    ],
)
def test_blending_and_the_channels_that_are_written(
    device: Backend, state: dict[str, str], expected: tuple[int, ...]
) -> None:
    target = canvas(device)
    program = pipeline(device, vertex(), fragment(PUSHED, push_size=16), **state)

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(target, FRESH, use(Usage.COLOR))])
        recorder.begin_pass([attached(target, clear=(0.0, 0.0, 1.0, 0.5))], SIZE)
        recorder.bind_pipeline(program)
        recorder.push(program, struct.pack("<4f", 1.0, 0.0, 0.0, 0.2))
        recorder.draw(3)
        recorder.end_pass()

    run_frame(device, record)
    assert np.all(np.abs(pixels(device, target).astype(int) - expected) <= 1)


DEPTHS = """#version 450
layout(push_constant) uniform Push { vec4 color; float depth; };
layout(location = 0) out vec4 shade;
void main() {
    vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    gl_Position = vec4(corner * 2.0 - 1.0, depth, 1.0);
    shade = color;
}
"""


def test_reversed_depth_keeps_the_nearest(device: Backend) -> None:
    target = canvas(device)
    depth = device.create_texture(texture_info("d32_sfloat", SIZE, Usage.DEPTH, Usage.DEPTH_READ), "depth")
    modules = (vertex(DEPTHS, push_size=20), fragment(SHADED))
    writing = pipeline(device, *modules, depth="d32_sfloat", depth_test="greater", depth_write=True)
    testing = pipeline(device, *modules, depth="d32_sfloat", depth_test="greater")

    def draw(recorder: Recorder, program: Pipeline, color: tuple[float, ...], at: float) -> None:
        recorder.bind_pipeline(program)
        recorder.push(program, struct.pack("<5f", *color, at))
        recorder.draw(3)

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(target, FRESH, use(Usage.COLOR)), change(depth, FRESH, use(Usage.DEPTH))])
        recorder.begin_pass([attached(target), attached(depth, Usage.DEPTH)], SIZE)
        draw(recorder, writing, (0.0, 1.0, 0.0, 1.0), 0.75)
        draw(recorder, writing, (1.0, 0.0, 0.0, 1.0), 0.5)
        recorder.end_pass()
        recorder.barriers(
            [
                change(depth, use(Usage.DEPTH), use(Usage.DEPTH_READ)),
                change(target, use(Usage.COLOR), use(Usage.COLOR)),
            ]
        )
        recorder.begin_pass([attached(target, load=Load.LOAD), attached(depth, Usage.DEPTH_READ, load=Load.LOAD)], SIZE)
        draw(recorder, testing, (0.0, 0.0, 1.0, 1.0), 0.7)
        recorder.end_pass()

    run_frame(device, record)
    assert np.all(pixels(device, target) == (0, 255, 0, 255))
    depths = device.read_texture(depth, Layout.DEPTH_READ_ONLY)
    assert depths.shape == (4, 8, 1)
    assert depths.dtype == np.float32
    assert np.all(depths == 0.75)


SAMPLING = """#version 450
layout(set = 0, binding = 0) uniform Tint { vec4 tint; };
layout(set = 0, binding = 2) uniform sampler2D picture;
layout(location = 0) out vec4 color;
void main() { color = texture(picture, gl_FragCoord.xy / vec2(8.0, 4.0)) * tint; }
"""
SAMPLING_BINDINGS = (
    binding(0, "Tint", BindingKind.UNIFORM_BUFFER, size=16),
    binding(2, "picture", BindingKind.SAMPLED),
)


def test_uniform_and_sampled_bindings(device: Backend) -> None:
    target = canvas(device)
    program = pipeline(device, vertex(), fragment(SAMPLING, *SAMPLING_BINDINGS))
    checker = np.zeros((2, 2, 4), np.uint8)
    checker[0, 0] = checker[1, 1] = 255
    picture = device.create_texture(texture_info("rgba8_unorm", (2, 2), Usage.SAMPLED), "checker", checker)
    tint = device.create_buffer(
        buffer_info(512, Usage.UNIFORM), "tint", bytes(256) + struct.pack("<4f", 1, 0, 1, 1), host=True
    )
    sampled = TextureBinding(picture, Layout.SHADER_READ_ONLY, Sampling("nearest", "clamp"))
    bindings = {"Tint": BufferBinding(tint, 256), "picture": sampled, "unused": sampled}
    bound = device.create_bindings(program, 0, bindings, "test set")

    def record(recorder: Recorder) -> None:
        begin(recorder, target)
        recorder.bind_pipeline(program)
        recorder.bind_set(program, 0, bound)
        recorder.draw(3)
        recorder.end_pass()

    run_frame(device, record)
    expected = checker.repeat(2, axis=0).repeat(4, axis=1) * np.array([1, 0, 1, 1], np.uint8)
    assert np.array_equal(pixels(device, target), expected)
    assert tint.data is not None
    tint.data[256:272] = struct.pack("<4f", 0, 1, 0, 1)
    run_frame(device, record, slot=1)
    assert np.array_equal(pixels(device, target)[0, 0], [0, 255, 0, 255])


def test_wrong_bindings_are_named(device: Backend) -> None:
    program = pipeline(device, vertex(), fragment(SAMPLING, *SAMPLING_BINDINGS))
    buffer = BufferBinding(device.create_buffer(buffer_info(16, Usage.UNIFORM), "tint"))
    with pytest.raises(ShaderError, match='use "picture", which nothing is bound to'):
        device.create_bindings(program, 0, {"Tint": buffer}, "x")
    with pytest.raises(ShaderError, match='"picture" of "test" is a texture'):
        device.create_bindings(program, 0, {"Tint": buffer, "picture": buffer}, "x")
    with pytest.raises(ShaderError, match="no descriptor set 1"):
        device.create_bindings(program, 1, {}, "x")


def test_stages_must_agree_on_bindings(device: Backend) -> None:
    other = binding(0, "Tint", BindingKind.STORAGE_BUFFER)
    with pytest.raises(ShaderError, match=r'is storage buffer "Tint" in test.vertex and uniform buffer "Tint"'):
        pipeline(device, vertex("#version 450\nvoid main() {}", other), fragment(SAMPLING, *SAMPLING_BINDINGS))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"bland": "alpha"}, 'unknown state "bland"'),
        ({"blend": "alhpa"}, 'blend cannot be "alhpa"'),
        ({"color_write": "rgbx"}, 'color_write cannot be "rgbx"'),
        ({"vertex": ((0, "rgb31_sfloat", 0),)}, 'unknown vertex format "rgb31_sfloat"'),
    ],
)
def test_wrong_state_is_named(device: Backend, state: dict[str, Any], message: str) -> None:
    with pytest.raises(BackendError, match=message):
        pipeline(device, vertex(), fragment(RED), **state)


def test_multisampled_colour_resolves(device: Backend) -> None:
    many = canvas(device, samples=4)
    single = device.create_texture(texture_info("rgba8_unorm", SIZE, Usage.RESOLVE), "resolved")
    program = pipeline(device, vertex(), fragment(RED), samples=4)

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(many, FRESH, use(Usage.COLOR)), change(single, FRESH, use(Usage.RESOLVE))])
        recorder.begin_pass([attached(many), attached(single, Usage.RESOLVE, Load.DISCARD)], SIZE)
        recorder.bind_pipeline(program)
        recorder.draw(3)
        recorder.end_pass()

    run_frame(device, record)
    assert np.all(pixels(device, single) == (255, 0, 0, 255))
    with pytest.raises(BackendError, match="multisampled"):
        device.read_texture(many, Layout.COLOR_ATTACHMENT)


SHADOW = """#version 450
layout(set = 0, binding = 0) uniform sampler2DShadow shadow_map;
layout(push_constant) uniform Push { vec4 value; };
layout(location = 0) out vec4 color;
void main() { color = vec4(texture(shadow_map, vec3(0.5, 0.5, value.x))); }
"""


@pytest.mark.parametrize(("reference", "lit"), [(0.6, 255), (0.4, 0)])
def test_shadow_sampler_lights_what_is_not_behind(device: Backend, reference: float, lit: int) -> None:
    target = canvas(device)
    shadow = device.create_texture(texture_info("d32_sfloat", (2, 2), Usage.DEPTH, Usage.SAMPLED), "shadow")
    kind = binding(0, "shadow_map", BindingKind.SAMPLED, shadow=True)
    program = pipeline(device, vertex(), fragment(SHADOW, kind, push_size=16))
    bound = device.create_bindings(
        program, 0, {"shadow_map": TextureBinding(shadow, Layout.SHADER_READ_ONLY)}, "shadow"
    )

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(shadow, FRESH, use(Usage.COPY_DST))])
        recorder.clear_texture(shadow, Layout.TRANSFER_DST, (0.5, 0.0, 0.0, 0.0))
        recorder.barriers([change(shadow, use(Usage.COPY_DST), use(Usage.SAMPLED))])
        begin(recorder, target)
        recorder.bind_pipeline(program)
        recorder.bind_set(program, 0, bound)
        recorder.push(program, struct.pack("<4f", reference, 0, 0, 0))
        recorder.draw(3)
        recorder.end_pass()

    run_frame(device, record)
    assert np.all(pixels(device, target) == lit)

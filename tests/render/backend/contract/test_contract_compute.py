from __future__ import annotations

import struct

import numpy as np
import pytest

from renderwright.render.backend.protocol import Backend, Binding, BufferBinding, PipelineDesc, Recorder, TextureBinding
from renderwright.render.errors import ShaderError
from renderwright.render.shaders.module import BindingKind
from renderwright.render.sync.flags import Layout
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import ShaderStage, Usage
from tests.on_devices import FRESH, binding, buffer_info, change, compute, run_frame, texture_info, use

WRITES = """#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1, r32f) uniform writeonly image2D picture;
layout(push_constant) uniform Push { uint base; };
void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    uint number = base + at.y * 8u + at.x;
    numbers[at.y * 8u + at.x] = number;
    imageStore(picture, ivec2(at), vec4(float(number) * 0.5));
}
"""


def test_dispatch_writes_a_buffer_and_a_texture(device: Backend) -> None:
    module = compute(
        WRITES,
        binding(0, "Numbers", BindingKind.STORAGE_BUFFER, writes=True),
        binding(1, "picture", BindingKind.STORAGE_TEXTURE, writes=True),
        push_size=4,
    )
    program = device.create_pipeline(PipelineDesc("writes", (module,)))
    numbers = device.create_buffer(buffer_info(256, Usage.STORAGE), "numbers")
    # Storage goes to mip 0 even where there are more.
    picture = device.create_texture(texture_info("r32_sfloat", (8, 8), Usage.STORAGE, mips=2), "picture")
    bindings: dict[str, Binding] = {
        "Numbers": BufferBinding(numbers),
        "picture": TextureBinding(picture, Layout.GENERAL),
    }
    bound = device.create_bindings(program, 0, bindings, "writes")

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(picture, FRESH, use(Usage.STORAGE_WRITE, ShaderStage.COMPUTE))])
        recorder.bind_pipeline(program)
        recorder.bind_set(program, 0, bound)
        recorder.push(program, struct.pack("<I", 100))
        recorder.dispatch(2, 2)

    run_frame(device, record)
    expected = np.arange(100, 164, dtype=np.uint32)
    assert np.array_equal(np.frombuffer(device.read_buffer(numbers), np.uint32), expected)
    texels = device.read_texture(picture, Layout.GENERAL)
    assert np.array_equal(texels, expected.reshape(8, 8, 1).astype(np.float32) * 0.5)


ARRAY = """#version 450
layout(set = 0, binding = 0) uniform sampler2D pictures[3];
layout(set = 0, binding = 1) buffer Sums { vec4 sums[3]; };
void main() {
    sums[0] = texture(pictures[0], vec2(0.5));
    sums[1] = texture(pictures[1], vec2(0.5));
    sums[2] = texture(pictures[2], vec2(0.5));
}
"""


@pytest.mark.parametrize("given", [1, 2, 3])
def test_arrays_of_textures_repeat_the_last(device: Backend, given: int) -> None:
    module = compute(
        ARRAY,
        binding(0, "pictures", BindingKind.SAMPLED, count=3),
        binding(1, "Sums", BindingKind.STORAGE_BUFFER, writes=True),
    )
    program = device.create_pipeline(PipelineDesc("array", (module,)))
    sums = device.create_buffer(buffer_info(48, Usage.STORAGE), "sums")
    info = texture_info("r32_sfloat", (1, 1), Usage.SAMPLED)
    pictures = tuple(
        TextureBinding(
            device.create_texture(info, f"picture {value}", np.array([[value]], np.float32)),
            Layout.SHADER_READ_ONLY,
            Sampling("nearest"),
        )
        for value in (1.0, 2.0, 3.0)
    )
    bound = device.create_bindings(program, 0, {"pictures": pictures[:given], "Sums": BufferBinding(sums)}, "array")

    def record(recorder: Recorder) -> None:
        recorder.bind_pipeline(program)
        recorder.bind_set(program, 0, bound)
        recorder.dispatch(1)

    run_frame(device, record)
    got = np.frombuffer(device.read_buffer(sums), np.float32).reshape(3, 4)[:, 0]
    assert got.tolist() == [1.0, min(2.0, given), float(given)]
    with pytest.raises(ShaderError, match="holds 3 textures; 4 are bound"):
        device.create_bindings(program, 0, {"pictures": (*pictures, pictures[0]), "Sums": BufferBinding(sums)}, "x")


FILL = """#version 450
layout(set = 0, binding = 0) uniform Value { uint value; };
layout(set = 0, binding = 1) buffer Out { uint result; };
void main() { result = value; }
"""


def test_many_sets_come_and_go(device: Backend) -> None:
    module = compute(
        FILL,
        binding(0, "Value", BindingKind.UNIFORM_BUFFER, size=4),
        binding(1, "Out", BindingKind.STORAGE_BUFFER, writes=True),
    )
    program = device.create_pipeline(PipelineDesc("fill", (module,)))
    value = device.create_buffer(buffer_info(4, Usage.UNIFORM), "value", struct.pack("<I", 7))
    result = device.create_buffer(buffer_info(4, Usage.STORAGE), "result")
    bindings: dict[str, Binding] = {"Value": BufferBinding(value), "Out": BufferBinding(result)}
    sets = [device.create_bindings(program, 0, bindings, f"set {number}") for number in range(150)]
    for bound in sets[:100]:
        device.destroy(bound)
    device.wait_idle()
    sets = sets[100:] + [device.create_bindings(program, 0, bindings, f"again {number}") for number in range(100)]

    def record(recorder: Recorder) -> None:
        recorder.bind_pipeline(program)
        recorder.bind_set(program, 0, sets[-1])
        recorder.dispatch(1)

    run_frame(device, record)
    assert struct.unpack("<I", device.read_buffer(result)) == (7,)

"""Broken SPIR-V may only ever give a ShaderError, and quickly."""

from __future__ import annotations

import random
import struct
import time

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.shaders import reflect
from renderwright.render.shaders.spirv import Op
from renderwright.render.types.usages import ShaderStage

RICH = """
struct Light { vec3 color; float power; };
layout(binding = 0) uniform Camera { mat4 view; mat3 m[2]; Light lights[3]; float w[4]; vec2 grid[2][2]; } camera;
layout(binding = 1) uniform sampler2DShadow shadow[2];
layout(binding = 2) readonly buffer B { uint n; float data[]; };
layout(binding = 3, rgba16f) uniform image2D target;
layout(push_constant) uniform P { vec2 a; mat2 b; } push;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result[2];
void main() {
    result[0] = camera.view * vec4(camera.lights[1].color * camera.w[1], texture(shadow[1], vec3(uv, 0)) * data[n]);
    result[1] = vec4(push.b * push.a + camera.grid[1][0], (camera.m[1] * vec3(1)).xy);
    imageStore(target, ivec2(0), result[0]);
}
"""
COMPUTE = """
layout(local_size_x_id = 0, local_size_y = 4) in;
layout(binding = 0) buffer B { mat4 m[]; };
void main() { m[gl_GlobalInvocationID.x] = mat4(1); }
"""


def mutate(code: bytes, rng: random.Random) -> bytes:
    words = list(struct.unpack(f"<{len(code) // 4}I", code))
    for _ in range(rng.choice((1, 1, 2, 8))):
        place = rng.randrange(len(words))
        kind = rng.randrange(6)
        if kind == 0:
            words[place] ^= 1 << rng.randrange(32)
        elif kind == 1:
            words[place] = rng.choice((0, 1, 0xFFFFFFFF, 0x7FFFFFFF, rng.randrange(256), rng.getrandbits(32)))
        elif kind == 2:
            words[place] = words[rng.randrange(len(words))]
        elif kind == 3 and len(words) > 8:
            del words[place]
        elif kind == 4:
            words.insert(place, rng.getrandbits(32))
        else:
            # Another opcode with the same length, or another length.
            words[place] = (words[place] & 0xFFFF0000) | rng.randrange(80)
    data = struct.pack(f"<{len(words)}I", *words)
    return data[: rng.randrange(len(data))] if rng.random() < 0.1 else data


def refusals(code: bytes, stage: ShaderStage, seed: int, rounds: int) -> int:
    """How many mutations of the code are refused; any error of another type ends the test."""
    rng = random.Random(seed)
    refused = 0
    for _ in range(rounds):
        mutated = mutate(code, rng)
        started = time.process_time()
        try:
            reflect(mutated, stage, "fuzz", "key")
        except ShaderError:
            refused += 1
        assert time.process_time() - started < 2.0
    return refused


@pytest.mark.parametrize(("body", "stage"), [(RICH, "fragment"), (COMPUTE, "compute")])
def test_mutated_code(compile_glsl, body, stage):
    module = compile_glsl(body, stage)
    assert 50 < refusals(module.spirv, module.stage, 20, 600) < 600


def test_mutated_declarations(compile_glsl):
    """Mutations only before the first function, where reflection reads every word."""
    module = compile_glsl(RICH)
    words = struct.unpack(f"<{len(module.spirv) // 4}I", module.spirv)
    position = 5
    while words[position] & 0xFFFF != Op.FUNCTION:
        position += words[position] >> 16
    assert 50 < refusals(module.spirv[: position * 4], module.stage, 21, 600) < 600

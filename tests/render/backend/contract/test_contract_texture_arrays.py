"""Arrays of textures without length: as long as what is bound, indexed by each invocation on its own."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.backend.protocol import Backend, PipelineDesc, Recorder, TextureBinding
from renderwright.render.errors import ShaderError
from renderwright.render.shaders.module import UNSIZED, BindingKind, ShaderBinding
from renderwright.render.sync.flags import Layout
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, attached, change, fragment, run_frame, texture_info, use, vertex

COLUMNS = 16
INDEXED = """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 1, binding = 0) uniform sampler2D many[];
layout(location = 0) out vec4 color;
void main() { color = texture(many[nonuniformEXT(int(gl_FragCoord.x))], vec2(0.5)); }
"""
MANY = ShaderBinding(1, 0, "many", BindingKind.SAMPLED, UNSIZED)
DESC = PipelineDesc("many", (vertex(), fragment(INDEXED, MANY)), ("rgba8_unorm",))


def test_each_fragment_has_a_texture_of_its_own(device: Backend) -> None:
    if not device.capabilities.indexed_textures:
        with pytest.raises(ShaderError, match='"many" without length, and the device has no such arrays'):
            device.create_pipeline(DESC)
        return
    texels = np.arange(1, COLUMNS + 1, dtype=np.uint8)
    info = texture_info("rgba8_unorm", (1, 1), Usage.SAMPLED)
    textures = [device.create_texture(info, f"{at}", np.full((1, 1, 4), at, np.uint8)) for at in texels]
    nearest = Sampling("nearest", "clamp")
    images = tuple(TextureBinding(texture, Layout.SHADER_READ_ONLY, nearest) for texture in textures)
    target = device.create_texture(texture_info("rgba8_unorm", (COLUMNS, 1), Usage.COLOR, Usage.SAMPLED), "target")
    program = device.create_pipeline(DESC)
    for length in (COLUMNS, 300):  # more than a pool for small sets holds
        bound = device.create_bindings(program, 1, {"many": (images * 20)[:length]}, "many")

        def record(recorder: Recorder, bound: object = bound) -> None:
            recorder.barriers([change(target, FRESH, use(Usage.COLOR))])
            recorder.begin_pass([attached(target)], (COLUMNS, 1))
            recorder.bind_pipeline(program)
            recorder.bind_set(program, 1, bound)
            recorder.draw(3)
            recorder.end_pass()

        run_frame(device, record)
        shown = device.read_texture(target, Layout.COLOR_ATTACHMENT)
        assert np.array_equal(shown[0, :, 0], texels)
        device.destroy(bound)
    with pytest.raises(ShaderError, match="0 are bound"):
        device.create_bindings(program, 1, {"many": ()}, "none")
    for item in (program, target, *textures):
        device.destroy(item)

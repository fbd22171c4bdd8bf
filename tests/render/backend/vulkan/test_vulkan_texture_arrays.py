"""Arrays of textures without length: as long as what is bound, indexed by each invocation on its own."""

from __future__ import annotations

import numpy as np
import pytest
from vulkan_support import FRESH, attached, change, fragment, run_frame, texture_info, use, vertex

from renderwright.render.backend.protocol import PipelineDesc, TextureBinding
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.errors import ShaderError
from renderwright.render.shaders.module import UNSIZED, BindingKind, ShaderBinding
from renderwright.render.sync.flags import Layout
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage

pytestmark = pytest.mark.vulkan

COLUMNS = 16
INDEXED = """#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 1, binding = 0) uniform sampler2D many[];
layout(location = 0) out vec4 color;
void main() { color = texture(many[nonuniformEXT(int(gl_FragCoord.x))], vec2(0.5)); }
"""
MANY = ShaderBinding(1, 0, "many", BindingKind.SAMPLED, UNSIZED)
DESC = PipelineDesc("many", (vertex(), fragment(INDEXED, MANY)), ("rgba8_unorm",))


def test_each_fragment_has_a_texture_of_its_own(backend: VulkanBackend) -> None:
    if not backend.capabilities.indexed_textures:
        with pytest.raises(ShaderError, match='"many" without length, and the device has no such arrays'):
            backend.create_pipeline(DESC)
        return
    texels = np.arange(1, COLUMNS + 1, dtype=np.uint8)
    info = texture_info("rgba8_unorm", (1, 1), Usage.SAMPLED)
    textures = [backend.create_texture(info, f"{at}", np.full((1, 1, 4), at, np.uint8)) for at in texels]
    nearest = Sampling("nearest", "clamp")
    images = tuple(TextureBinding(texture, Layout.SHADER_READ_ONLY, nearest) for texture in textures)
    target = backend.create_texture(texture_info("rgba8_unorm", (COLUMNS, 1), Usage.COLOR, Usage.SAMPLED), "target")
    program = backend.create_pipeline(DESC)
    for length in (COLUMNS, 300):  # more than a pool for small sets holds
        bound = backend.create_bindings(program, 1, {"many": (images * 20)[:length]}, "many")

        def record(recorder: VulkanRecorder, bound: object = bound) -> None:
            recorder.barriers([change(target, FRESH, use(Usage.COLOR))])
            recorder.begin_pass([attached(target)], (COLUMNS, 1))
            recorder.bind_pipeline(program)
            recorder.bind_set(program, 1, bound)
            recorder.draw(3)
            recorder.end_pass()

        run_frame(backend, record)
        shown = backend.read_texture(target, Layout.COLOR_ATTACHMENT)
        assert np.array_equal(shown[0, :, 0], texels)
        backend.destroy(bound)
    with pytest.raises(ShaderError, match="0 are bound"):
        backend.create_bindings(program, 1, {"many": ()}, "none")
    for item in (program, target, *textures):
        backend.destroy(item)

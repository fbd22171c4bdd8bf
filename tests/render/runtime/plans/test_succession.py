"""The first frame of a plan that has everything at the same places as the plan before it, but other barriers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

WHITE = """#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); }
"""
SAMPLE = """#version 450
layout(set = 0, binding = 0) uniform sampler2D picture;
"""
FRAGMENT = f"""{SAMPLE}
layout(location = 0) out vec4 color;
void main() {{ color = texelFetch(picture, ivec2(0), 0); }}
"""
VERTEX = f"""{SAMPLE}
void main() {{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(4.0 * corner - 1.0, 0.0, 1.0) * texelFetch(picture, ivec2(0), 0).a;
}}
"""


def makes(reg):
    reg.create("picture", Texture("rgba8_unorm", (64, 64))).color()
    pipeline = reg.graphics("white.frag")
    return lambda cmd: cmd.draw(pipeline)


def reads(stage: str):
    def declare(reg):
        reg.read("picture").sampled(stage=stage).bind("picture")
        reg.create("drawn", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        shaders = {"fragment": ("fragment.frag",), "vertex": ("white.frag", "vertex.vert")}[stage]
        pipeline = reg.graphics(*shaders)
        return lambda cmd: cmd.draw(pipeline)

    return declare


def test_a_plan_that_reads_in_another_stage_waits_for_the_last_frame_of_the_old_one(tmp_path: Path) -> None:
    """Nothing moves, so nothing but the barriers says that the last frame's reads have to be over."""
    for name, text in (("white.frag", WHITE), ("fragment.frag", FRAGMENT), ("vertex.vert", VERTEX)):
        (tmp_path / name).write_text(text)
    recording = StreamRecorder(tmp_path / "stream.jsonl")
    with closing(VulkanBackend(validate=True, wrap=recording.wrap)) as backend:
        graph = FrameGraph()
        graph.add_node("makes", makes)
        runtime = Runtime(graph, backend, ShaderLibrary([tmp_path]))
        with closing(backend.create_target((8, 8))) as target, closing(runtime):
            placements = []
            for stage in ("fragment", "fragment", "vertex", "fragment"):
                graph.add_node("reads", reads(stage))
                recording.frame()
                runtime.render(target)
                placements.append(runtime.plan.placement)
            backend.wait_idle()
        assert not backend.validation_messages
    recording.close()
    assert placements[0] is placements[2]
    assert [str(one) for one in check(read_stream(tmp_path / "stream.jsonl")).findings] == []

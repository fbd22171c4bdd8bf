"""A new plan in whose layouts the textures are not yet: the general one in place of each usage's, and back."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

COUNT = """#version 450
layout(set = 0, binding = 0) uniform sampler2D before;
layout(location = 0) out float count;
void main() { count = texelFetch(before, ivec2(0), 0).r + 1.0; }
"""
COPIED = """#version 450
layout(set = 0, binding = 0) uniform sampler2D count;
layout(set = 0, binding = 1) uniform sampler2D kept;
layout(location = 0) out vec2 both;
void main() { both = vec2(texelFetch(count, ivec2(0), 0).r, texelFetch(kept, ivec2(0), 0).r); }
"""
NUMBER = Texture("r32_sfloat", (8, 8))


def counts(reg):
    reg.create("count", NUMBER).color()
    reg.history("count").sampled(filter="nearest").bind("before")
    pipeline = reg.graphics("count.frag")
    return lambda cmd: cmd.draw(pipeline)


def keeps(reg):
    """In every fourth frame, what the count is then; by a copy, which the node records itself."""
    reg.every(4)
    source = reg.read("count").copy_src()
    target = reg.create("kept", NUMBER).copy_dst()

    def execute(cmd):
        cmd.recorder.copy_texture(source.texture, target.texture, layouts=(source.layout, target.layout))

    return execute


def shows(reg):
    reg.create("both", Texture("rg32_sfloat", (8, 8))).color()
    for name in ("count", "kept"):
        reg.read(name).sampled(filter="nearest").bind(name)
    pipeline = reg.graphics("copied.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.mark.parametrize("unified", [None, False, True])
def test_contents_outlive_changes_of_layouts(shader_folder: Path, unified: bool | None) -> None:
    """With None the layouts change in front of every second frame."""
    for name, text in (("count.frag", COUNT), ("copied.frag", COPIED)):
        (shader_folder / name).write_text(text)
    recording = StreamRecorder(shader_folder / "stream.jsonl")
    found, layouts = [], set()
    with closing(VulkanBackend(validate=True, wrap=recording.wrap)) as backend:
        graph = FrameGraph()
        graph.add_sink("both")
        for name, declare in (("counts", counts), ("keeps", keeps), ("shows", shows)):
            graph.add_node(name, declare)
        options = CompileOptions(unified_layouts=bool(unified))
        runtime = Runtime(graph, backend, ShaderLibrary([shader_folder]), options=options)
        with closing(backend.create_target((8, 8))) as target, closing(runtime):
            for frame in range(8):
                if unified is None and frame % 2 == 0:
                    runtime.options = replace(runtime.options, unified_layouts=frame % 4 == 0)
                    graph.add_node("shows", shows)
                recording.frame()
                runtime.render(target)
                rest = dict(runtime.plan.sync.layouts_left)
                layouts.add(rest["count"])
                found.append(backend.read_texture(runtime.resource("both"), rest["both"])[0, 0].tolist())
        assert not backend.validation_messages
    recording.close()
    assert found == [[float(frame + 1), float(frame // 4 * 4 + 1)] for frame in range(8)]
    shown, general = Layout.SHADER_READ_ONLY, Layout.GENERAL
    assert layouts == {None: {shown, general}, False: {shown}, True: {general}}[unified]
    assert [str(one) for one in check(read_stream(shader_folder / "stream.jsonl")).findings] == []

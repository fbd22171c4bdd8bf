"""Nodes that use single mips and layers of a texture, on a real driver under validation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

FORMAT = "rgba32_sfloat"
RAMP = """
layout(location = 0) out vec4 color;
void main() { color = vec4(floor(gl_FragCoord.xy), 0.0, 1.0); }
"""
HALF = """
layout(set = 0, binding = 0) uniform sampler2D above;
layout(location = 0) out vec4 color;
void main() {
    ivec2 at = 2 * ivec2(gl_FragCoord.xy);
    color = vec4(0.0);
    for (int i = 0; i < 4; i++) color += 0.25 * texelFetch(above, at + ivec2(i & 1, i >> 1), 0);
}
"""
HALF_COMPUTED = """
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D above;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D pyramid;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(pyramid)))) return;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; i++) sum += 0.25 * texelFetch(above, 2 * at + ivec2(i & 1, i >> 1), 0);
    imageStore(pyramid, at, sum);
}
"""
SHOW_MIPS = """
layout(set = 0, binding = 0) uniform sampler2D pyramid;
layout(location = 0) out vec4 color;
void main() { int mip = int(gl_FragCoord.x); color = texelFetch(pyramid, ivec2(0, 4 >> mip), mip); }
"""
SHOW_LAST = """
layout(set = 0, binding = 0) uniform sampler2D pyramid;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(pyramid, ivec2(0, 0), int(gl_FragCoord.x)); }
"""
FACE = """
layout(push_constant) uniform Push { float value; } push;
layout(location = 0) out vec4 color;
void main() { color = vec4(push.value); }
"""
SHOW_FACES = """
layout(set = 0, binding = 0) uniform sampler2DArray cube;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(cube, ivec3(0, 0, int(gl_FragCoord.x)), 0); }
"""


def paint(reg):
    reg.create("pyramid", Texture(FORMAT, (8, 8), mips=4)).mip(0).color()
    pipeline = reg.graphics("ramp.frag")
    return lambda cmd: cmd.draw(pipeline)


def half(level, *, computed=False, read=False):
    """Declares a node that makes a mip of ``pyramid`` from the one above it."""

    def declare(reg):
        verb = reg.read if read else reg.modify
        verb("pyramid").mip(level - 1).sampled("nearest").bind("above")
        request = reg.modify("pyramid").mip(level)
        reg.after(f"half {level - 1}")
        if computed:
            target = request.storage_write()
            compute = reg.compute("half.comp")
            return lambda cmd: cmd.dispatch(compute, target.extent)
        target = request.color()
        draw = reg.graphics("half.frag")

        def execute(cmd):
            assert cmd.extent == target.extent == (8 >> level, 8 >> level)
            cmd.draw(draw)

        return execute

    return declare


def show(reg):
    reg.read("pyramid").sampled("nearest")
    reg.create("m", Texture(FORMAT, (4, 1))).color()
    pipeline = reg.graphics("show.frag")
    return lambda cmd: cmd.draw(pipeline)


def pyramid(graph, shader, *, computed=False) -> None:
    for name, text in (
        ("ramp.frag", RAMP),
        ("half.frag", HALF),
        ("half.comp", HALF_COMPUTED),
        ("show.frag", SHOW_MIPS),
    ):
        shader(name, text)
    graph.add_node("paint", paint)
    for level in (1, 2, 3):
        graph.add_node(f"half {level}", half(level, computed=computed, read=level == 2))
    graph.add_node("show", show)


def means():
    """(x, y) of the texels that ``show`` looks at."""
    levels = [np.indices((8, 8)).astype(np.float32)[::-1]]
    for size in (4, 2, 1):
        levels.append(levels[-1].reshape(2, size, 2, size, 2).mean((2, 4)))
    return np.array([image[:, 4 >> mip, 0] for mip, image in enumerate(levels)])


@pytest.mark.parametrize("computed", [False, True])
@pytest.mark.parametrize("split", [False, True])
def test_a_mip_chain_is_made_in_one_texture(make_bench, computed: bool, split: bool) -> None:
    bench = make_bench(CompileOptions(split_above=0.0 if split else math.inf))
    pyramid(bench.graph, bench.shader, computed=computed)
    bench.frames(3)
    assert bench.failures == []
    assert np.array_equal(bench.texels("m")[0, :, :2], means())
    assert judge(list(frame_plans(bench.runtime.plan, 4))).findings == ()


def test_the_stream_of_a_mip_chain_is_clean_as_issued(shader_folder) -> None:
    recording = StreamRecorder(shader_folder / "stream.jsonl")
    backend = VulkanBackend(wrap=recording.wrap)
    graph = FrameGraph()
    graph.add_sink("m")
    pyramid(graph, lambda name, text: (shader_folder / name).write_text(f"#version 450\n{text}"))
    target = backend.create_target((8, 8))
    runtime = Runtime(graph, backend, ShaderLibrary([shader_folder]))
    for _ in range(3):
        recording.frame()
        runtime.render(target)
    backend.wait_idle()
    runtime.close()
    target.close()
    backend.close()
    recording.close()
    assert [str(one) for one in check(read_stream(shader_folder / "stream.jsonl")).findings] == []


def test_the_faces_of_a_cube_are_drawn_one_by_one(bench) -> None:
    bench.shader("face.frag", FACE)
    bench.shader("faces.frag", SHOW_FACES)

    def face(number):
        def declare(reg):
            desc = Texture(FORMAT, (4, 4), layers=6)
            request = reg.create("cube", desc) if number == 0 else reg.modify("cube")
            request.layer(number).color(**({"clear": (9.0, 9.0, 9.0, 9.0)} if number == 0 else {}))
            pipeline = reg.graphics("face.frag")
            # One face is left as the creator wants all of them to begin.
            return lambda cmd: cmd.draw(pipeline, value=float(number)) if number != 4 else None

        return declare

    def show(reg):
        reg.read("cube").sampled("nearest")
        reg.create("m", Texture(FORMAT, (6, 1))).color()
        pipeline = reg.graphics("faces.frag")
        return lambda cmd: cmd.draw(pipeline)

    for number in range(6):
        bench.graph.add_node(f"face {number}", face(number))
    bench.graph.add_node("show", show)
    bench.frames(3)
    assert bench.failures == []
    assert bench.texels("m")[0, :, 0].tolist() == [0, 1, 2, 3, 9, 5]
    assert len([item for item in bench.runtime.plan.pass_plan.passes if item.attachments]) == 7


def test_what_is_cleared_is_cleared_in_every_part(bench) -> None:
    """A compute shader writes one face; the others are cleared by a command."""
    bench.shader("faces.frag", SHOW_FACES)
    bench.shader(
        "fill.comp",
        """
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba32f) uniform writeonly image2D cube;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(at, imageSize(cube)))) imageStore(cube, at, vec4(5.0));
}
""",
    )

    def begin(reg):
        reg.create("cube", Texture(FORMAT, (4, 4), layers=6)).layers(0, 2).color(clear=(2.0, 2.0, 2.0, 2.0))
        return lambda cmd: None

    def fill(reg):
        target = reg.modify("cube").layer(3).storage_write()
        pipeline = reg.compute("fill.comp")
        return lambda cmd: cmd.dispatch(pipeline, target.extent)

    def show(reg):
        reg.read("cube").sampled("nearest")
        reg.create("m", Texture(FORMAT, (6, 1))).color()
        pipeline = reg.graphics("faces.frag")
        return lambda cmd: cmd.draw(pipeline)

    for name, declare in (("begin", begin), ("fill", fill), ("show", show)):
        bench.graph.add_node(name, declare)
    bench.frames(2)
    assert bench.failures == []
    assert bench.texels("m")[0, :, 0].tolist() == [2, 2, 2, 5, 2, 2]


def test_the_history_of_a_part_is_that_part(make_bench) -> None:
    """Each face counts frames by its own history; the whole texture is carried over when the plan changes."""
    bench = make_bench()
    bench.graph.add_sink("cube")
    bench.shader(
        "count.frag",
        """
layout(set = 0, binding = 0) uniform sampler2D before;
layout(push_constant) uniform Push { float step; } push;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(before, ivec2(0), 0) + push.step; }
""",
    )
    bench.shader("faces.frag", SHOW_FACES)

    def count(number):
        def declare(reg):
            desc = Texture(FORMAT, (4, 4), layers=6)
            request = reg.create("cube", desc) if number == 0 else reg.modify("cube")
            request.layer(number).color()
            reg.history("cube").layer(number).sampled("nearest").bind("before")
            pipeline = reg.graphics("count.frag")
            return lambda cmd: cmd.draw(pipeline, step=float(number + 1))

        return declare

    def show(reg):
        reg.read("cube").sampled("nearest")
        reg.create("m", Texture(FORMAT, (6, 1))).color()
        pipeline = reg.graphics("faces.frag")
        return lambda cmd: cmd.draw(pipeline)

    def more(reg):
        reg.create("a", Texture(FORMAT, (64, 64))).color(clear=(1.0, 1.0, 1.0, 1.0))
        return lambda cmd: None

    for number in range(6):
        bench.graph.add_node(f"count {number}", count(number))
    bench.graph.add_node("show", show)
    bench.frames(3)
    bench.graph.add_node("more", more)
    bench.frames(2)
    assert bench.failures == []
    assert bench.texels("m")[0, :, 0].tolist() == [5, 10, 15, 20, 25, 30]
    assert dict(bench.runtime.plan.sync.layouts_left)["cube"] is Layout.SHADER_READ_ONLY


def test_a_texture_too_small_for_its_mips_has_those_that_there_are(bench) -> None:
    """Three mips are declared, the extent allows two: barriers and clears of the rest name no mip that is not there."""
    bench.shader("ramp.frag", RAMP)
    bench.shader("last.frag", SHOW_LAST)
    bench.graph.set_resolution("small", (3, 2))

    def draw(reg):
        reg.create("pyramid", Texture(FORMAT, reg.resolution("small"), mips=3)).color(clear=(0.0, 0.0, 0.0, 7.0))
        pipeline = reg.graphics("ramp.frag")
        return lambda cmd: cmd.draw(pipeline)

    def show(reg):
        reg.read("pyramid").sampled("nearest")
        reg.create("m", Texture(FORMAT, (2, 1))).color()
        pipeline = reg.graphics("last.frag")
        return lambda cmd: cmd.draw(pipeline)

    for name, declare in (("draw", draw), ("show", show)):
        bench.graph.add_node(name, declare)
    bench.frames(2)
    assert bench.texels("m")[0, :, 3].tolist() == [1.0, 7.0]

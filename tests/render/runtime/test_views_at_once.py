"""Nodes that draw several views at once, on a real driver under validation.

What is drawn lies within the picture: there are drivers that draw clipped triangles of several views wrong
(``renderwright.render.backend.vulkan.defects``), so ``views`` is set behind the runtime's back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import GraphError, ShaderError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.failures import FailurePhase
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

FORMAT = "rgba32_sfloat"
SIGHT = """
#include "views.glsl"
struct Sight { vec2 middle; float tint; };
layout(set = 0, binding = 0) uniform SightBlock { Sight of_view[VIEWS]; } sight;
#define sight sight.of_view[VIEW]
"""
# A square of two texels around a place of each view.
SQUARE = (
    SIGHT
    + """
layout(location = 0) flat out uint instance;
void main() {
    vec2 corner = vec2(gl_VertexIndex % 3 == 1 || gl_VertexIndex == 3, gl_VertexIndex % 3 == 2 || gl_VertexIndex == 3);
    corner = gl_VertexIndex >= 3 ? 1.0 - vec2(gl_VertexIndex == 4, gl_VertexIndex == 5) : corner;
    instance = gl_InstanceIndex;
    gl_Position = vec4(sight.middle + 0.5 * (corner - 0.5), 0.5, 1.0);
}
"""
)
TINT = (
    SIGHT
    + """
layout(set = 0, binding = 1) uniform sampler2DView mask;
layout(location = 0) flat in uint instance;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(sight.tint, float(instance), texel_of_view(mask, ivec2(gl_FragCoord.xy), 0).r, 1.0);
}
"""
)
MASK = """
layout(push_constant) uniform Push { float value; } push;
layout(location = 0) out vec4 color;
void main() { color = vec4(push.value); }
"""
HOLD = """
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform sampler2D past;
layout(location = 0) out vec4 color;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    color = texelFetch(picture, at, 0) + 100.0 * texelFetch(past, at, 0);
}
"""
SHOW = """
layout(set = 0, binding = 0) uniform sampler2D pictures[COUNT];
layout(location = 0) out vec4 color;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    color = texelFetch(pictures[at.y / 8], ivec2(at.x, at.y % 8), 0);
}
"""


@dataclass(frozen=True)
class Sight:
    """What an eye sees with."""

    middle: tuple[float, float]
    tint: float


def see(reg):
    reg.multiplex("eye")
    sight = reg.create("sight", Sight)

    def execute(cmd) -> None:
        eye = cmd.index["eye"]
        sight.value = Sight((-0.25 + 0.5 * eye, 0.25), 10.0 + eye + cmd.frame)

    return execute


def mask(reg):
    """Drawn for each eye by itself."""
    reg.multiplex("eye")
    reg.create("mask", Texture("r32_sfloat", (8, 8))).color()
    pipeline = reg.graphics("mask.frag")
    return lambda cmd: cmd.draw(pipeline, value=float(3 + cmd.index["eye"]))


def draw(reg):
    reg.multiview("eye")
    reg.read("sight", Sight)
    reg.read("mask").sampled("nearest")
    reg.create("picture", Texture(FORMAT, (8, 8))).color(clear=(-1.0, -1.0, -1.0, -1.0))
    reg.create("depth", Texture("d32_sfloat", (8, 8))).depth(clear=0.0)
    pipeline = reg.graphics("tint.frag", "square.vert", depth_test="greater", depth_write=True)

    def execute(cmd) -> None:
        cmd.bind(pipeline)
        cmd.recorder.draw(6, 1, 0, 5)

    return execute


def hold(reg):
    reg.read("picture").sampled("nearest")
    reg.history("picture").sampled("nearest").bind("past")
    reg.create("held", Texture(FORMAT, (8, 8))).color()
    pipeline = reg.graphics("hold.frag")
    return lambda cmd: cmd.draw(pipeline)


def show(count):
    def declare(reg):
        reg.multiplex()
        reg.gather("held").sampled("nearest").bind("pictures")
        reg.create("m", Texture(FORMAT, (8, 8 * count))).color()
        pipeline = reg.graphics("show.frag", defines={"COUNT": count})
        return lambda cmd: cmd.draw(pipeline)

    return declare


NODES = (("see", see), ("mask", mask), ("draw", draw), ("hold", hold))
SHADERS = (
    ("square.vert", SQUARE), ("tint.frag", TINT), ("mask.frag", MASK), ("hold.frag", HOLD), ("show.frag", SHOW),
)  # fmt: skip


def stereo(graph: FrameGraph, shader, eyes: int = 2) -> None:
    for name, text in SHADERS:
        shader(name, text)
    graph.set_count("eye", eyes)
    for name, declare in NODES:
        graph.add_node(name, declare)
    graph.add_node("show", show(eyes))


@pytest.fixture
def make_stereo(make_bench):
    """Makes benches in which so many views can be drawn at once."""

    def make(views: int = 6, eyes: int = 2, **options):
        poison = options.pop("poison", None)
        bench = make_bench(poison=poison)
        bench.runtime.options = replace(bench.runtime.options, views=views, **options)
        stereo(bench.graph, bench.shader, eyes)
        return bench

    return make


def expected(eyes: int, frame: int) -> np.ndarray:
    """Squares of two texels a side in the pictures of the eyes, one above the other, after that many frames."""
    pictures = np.full((2, eyes, 8, 8, 4), -1.0, np.float32)
    for age in (0, 1):
        for eye in range(eyes):
            left = 2 + 2 * eye
            pictures[age, eye, 2:4, left : left + 2] = (10 + eye + frame - age, 5, 3 + eye, 1)
    return (pictures[0] + 100.0 * pictures[1]).reshape(8 * eyes, 8, 4)


@pytest.mark.parametrize("poison", [None, Poison.NAN])
@pytest.mark.parametrize("views", [1, 6])
def test_each_view_is_drawn_to_its_layer_with_its_own_values(make_stereo, views: int, poison: Poison | None) -> None:
    bench = make_stereo(views, poison=poison)
    bench.frames(4)
    assert bench.failures == []
    drawn = [node.id for node in bench.runtime.plan.graph.nodes if node.declaration.name == "draw"]
    assert drawn == (["draw@eye=*"] if views > 1 else ["draw@eye=0", "draw@eye=1"])
    assert np.array_equal(bench.texels("m"), expected(2, 3))
    assert judge(list(frame_plans(bench.runtime.plan, 4))).findings == ()


def test_views_come_and_go_while_frames_run(make_stereo) -> None:
    bench = make_stereo()
    for eyes, frames in ((2, 3), (1, 2), (3, 3), (2, 2)):
        bench.graph.set_count("eye", eyes)
        bench.graph.add_node("show", show(eyes))
        first = bench.runtime.frame
        bench.frames(frames)
        assert bench.failures == []
        assert np.array_equal(bench.texels("m"), expected(eyes, first + frames - 1)), eyes
        at_once = [node.views.count for node in bench.runtime.plan.graph.nodes if node.views is not None]
        assert at_once == ([eyes] if eyes > 1 else [])


def test_what_was_issued_is_sound(shader_folder) -> None:
    recording = StreamRecorder(shader_folder / "stream.jsonl")
    backend = VulkanBackend(wrap=recording.wrap)
    graph = FrameGraph()
    graph.add_sink("m")
    stereo(graph, lambda name, text: (shader_folder / name).write_text(f"#version 450\n{text}"))
    runtime = Runtime(graph, backend, ShaderLibrary([shader_folder]))
    runtime.options = replace(runtime.options, views=6)
    for _ in range(4):
        recording.frame()
        runtime.render(None)
    backend.wait_idle()
    assert any(node.views for node in runtime.plan.graph.nodes)
    runtime.close()
    backend.close()
    recording.close()
    stream = read_stream(shader_folder / "stream.jsonl")
    assert [str(one) for one in check(stream).findings] == []


def test_gpu_times_are_those_of_all_views(make_stereo) -> None:
    bench = make_stereo()
    bench.runtime.times.every = 1
    report = None
    for _ in range(6):
        report = bench.runtime.render(bench.target)
    assert report is not None
    times = {node: interval.seconds for node, interval in report.gpu_intervals.items()}
    assert times.keys() >= {"draw@eye=*", "mask@eye=0", "mask@eye=1", "hold@eye=0", "hold@eye=1", "show"}
    assert all(0.0 <= seconds < 60.0 for seconds in times.values())


def test_a_block_that_holds_one_value_is_refused(make_stereo) -> None:
    bench = make_stereo()
    for name, text in (("square.vert", SQUARE), ("tint.frag", TINT)):
        text = text.replace("Sight of_view[VIEWS];", "vec2 middle; float tint;")
        bench.shader(name, text.replace("#define sight sight.of_view[VIEW]", ""))
    bench.frames()
    (failure,) = bench.failures
    assert (failure.node, failure.phase) == ("draw", FailurePhase.PIPELINE)
    assert isinstance(failure.error, ShaderError)
    assert "renders 2 views at once" in str(failure.error)
    assert "of_view[VIEWS]" in failure.error.hint


def test_values_of_the_views_are_told_apart_while_executing(shader_folder) -> None:
    graph = FrameGraph()
    seen = {}

    def look(reg):
        reg.multiview("eye")
        reg.create("m", Texture(FORMAT, (8, 8))).color()
        sight = reg.read("sight", Sight)

        def execute(cmd) -> None:
            seen["views"], seen["index"] = cmd.views, dict(cmd.index)
            seen["tints"] = [value.tint for value in sight.values]
            with pytest.raises(GraphError, match="for each of the views"):
                _ = sight.value

        reg.side_effects()
        return execute

    graph.add_node("see", see)
    graph.add_node("look", look)
    graph.set_count("view", 2)
    graph.set_count("eye", 2)
    runtime = Runtime(graph, NullBackend(), ShaderLibrary([shader_folder]))
    runtime.render(None)
    assert seen == {"views": 2, "index": {}, "tints": [10.0, 11.0]}
    runtime.close()


def test_a_device_that_draws_one_view_at_a_time_repeats_nodes(shader_folder) -> None:
    graph = FrameGraph()
    graph.add_sink("m")
    stereo(graph, lambda name, text: (shader_folder / name).write_text(f"#version 450\n{text}"))
    runtime = Runtime(graph, NullBackend(views=1), ShaderLibrary([shader_folder]), options=CompileOptions())
    assert runtime.options.views == 1
    assert not any(node.views for node in runtime.plan.graph.nodes)
    (apart,) = runtime.plan.graph.apart
    assert apart.message == "only one view can be drawn at once here, and it has 2"
    runtime.close()


@pytest.mark.parametrize(("views", "words"), [(1, ""), (6, '"mask" is a 2D in the shader, which does not fit "mask"')])
def test_a_device_that_draws_nothing_finds_mistakes_of_several_views(shader_folder, views: int, words: str) -> None:
    """What a device that draws one view at a time cannot see: its shaders lack the case of several."""
    graph = FrameGraph()
    graph.add_sink("m")
    wrong = {"uniform sampler2DView": "uniform sampler2D", "texel_of_view": "texelFetch"}

    def write(name: str, text: str) -> None:
        for right, instead in wrong.items():
            text = text.replace(right, instead)
        (shader_folder / name).write_text(f"#version 450\n{text}")

    stereo(graph, write)
    failures = []
    runtime = Runtime(graph, NullBackend(views=views), ShaderLibrary([shader_folder]), on_failure=failures.append)
    runtime.render(None)
    assert [failure.node for failure in failures] == ["draw"] * bool(words)
    assert all(words in str(failure.error) for failure in failures)
    assert all("declare a sampler2DView and read texture_of_view(mask, uv)" in str(one.error) for one in failures)
    runtime.close()

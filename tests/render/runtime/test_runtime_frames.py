"""Frames on a real driver: results, edits in mid-run, and what happens when a node fails."""

from __future__ import annotations

import re

import numpy as np
import pytest

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import GraphError, ShaderError
from renderwright.render.runtime.failures import FailurePhase
from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan

PAINT = """
layout(push_constant) uniform Push { vec4 color; } push;
layout(location = 0) out vec4 result;
void main() { result = push.color; }
"""
COPY = """
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0) + vec4(0.0, 0.25, 0.0, 0.0); }
"""


def paint(name: str, color: tuple[float, ...]):
    def declare(reg):
        reg.create(name, Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("paint.frag")
        return lambda cmd: cmd.draw(pipeline, color=color)

    return declare


def copy(source: str, result: str):
    def declare(reg):
        reg.read(source).sampled().bind("source")
        reg.create(result, Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        reg.stable()
        pipeline = reg.graphics("copy.frag")
        return lambda cmd: cmd.draw(pipeline)

    return declare


@pytest.fixture
def painting(bench):
    bench.shader("paint.frag", PAINT)
    bench.shader("copy.frag", COPY)
    bench.graph.add_node("paint", paint("a", (1.0, 0.5, 0.0, 1.0)))
    return bench


def test_one_node_reads_what_another_made(painting) -> None:
    painting.graph.add_node("copy", copy("a", "b"))
    painting.frames(3)
    assert np.allclose(painting.texels("b"), (1.0, 0.75, 0.0, 1.0))


def test_a_replaced_node_takes_effect_in_the_next_frame(painting) -> None:
    painting.graph.add_node("copy", copy("a", "b"))
    painting.frames(2)
    painting.graph.add_node("paint", paint("a", (0.0, 0.0, 1.0, 1.0)))
    painting.frames(1)
    assert np.allclose(painting.texels("b"), (0.0, 0.25, 1.0, 1.0))


def test_nodes_come_and_go_while_frames_are_in_flight(painting) -> None:
    for number in range(12):
        if number % 3 == 0:
            painting.graph.add_node("copy", copy("a", "b"))
            painting.graph.add_node("again", copy("b", "c"))
        elif number % 3 == 1:
            painting.graph.remove_node("again")
        else:
            painting.graph.remove_node("copy")
        painting.frames(2)
        if number % 3 == 0:
            assert np.allclose(painting.texels("c"), (1.0, 1.0, 0.0, 1.0))


def test_a_frame_without_edits_uses_the_same_plan(painting) -> None:
    painting.frames(1)
    plan = painting.runtime.plan
    painting.frames(3)
    assert painting.runtime.plan is plan


def test_a_clear_reaches_a_texture_that_nobody_draws_to(bench) -> None:
    def declare(reg):
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color(clear=(0.25, 0.5, 0.75, 1.0))
        reg.side_effects()
        return lambda cmd: None

    bench.graph.add_node("clear", declare)
    bench.frames(2)
    assert np.allclose(bench.texels("a"), (0.25, 0.5, 0.75, 1.0))


def test_compute_writes_a_buffer_that_a_fragment_shader_reads(bench) -> None:
    bench.shader(
        "fill.comp",
        """
        layout(local_size_x = 32) in;
        layout(std430, set = 0, binding = 0) writeonly buffer numbers { float values[]; };
        void main() { if (gl_GlobalInvocationID.x < 64) values[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x; }
        """,
    )
    bench.shader(
        "show.frag",
        """
        layout(std430, set = 0, binding = 0) readonly buffer numbers { float values[]; };
        layout(location = 0) out vec4 result;
        void main() { ivec2 at = ivec2(gl_FragCoord.xy); result = vec4(values[at.y * 8 + at.x]); }
        """,
    )

    def fill(reg):
        reg.create("numbers", Buffer(256)).storage_write()
        pipeline = reg.compute("fill.comp")
        return lambda cmd: cmd.dispatch(pipeline, (64, 1))

    def show(reg):
        reg.read("numbers").storage_read()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("show.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("fill", fill)
    bench.graph.add_node("show", show)
    bench.frames(3)
    assert np.array_equal(bench.texels("a")[:, :, 0].ravel(), np.arange(64))


def test_blobs_carry_values_from_node_to_node_and_into_uniform_blocks(bench) -> None:
    class Tint:
        def __init__(self, color) -> None:
            self.color = color

    bench.shader(
        "tint.frag",
        """
        layout(set = 0, binding = 0) uniform Block { vec4 color; } tint;
        layout(location = 0) out vec4 result;
        void main() { result = tint.color; }
        """,
    )

    def make(reg):
        tint = reg.create("tint", Tint)

        def execute(cmd) -> None:
            tint.value = Tint((cmd.frame, 0.0, 0.0, 1.0))

        return execute

    def show(reg):
        reg.read("tint", Tint)
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        reg.stable()
        pipeline = reg.graphics("tint.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("make", make)
    bench.graph.add_node("show", show)
    for frame in range(5):
        bench.frames(1)
        assert bench.texels("a")[0, 0, 0] == frame


def test_an_absent_optional_input_is_a_define(painting) -> None:
    painting.shader(
        "maybe.frag",
        """
        #if HAS_EXTRA
        layout(set = 0, binding = 0) uniform sampler2D extra;
        #endif
        layout(location = 0) out vec4 result;
        void main() {
        #if HAS_EXTRA
            result = texelFetch(extra, ivec2(0), 0);
        #else
            result = vec4(7.0);
        #endif
        }
        """,
    )

    def maybe(reg):
        reg.read("b").sampled().optional().bind("extra")
        reg.create("m", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("maybe.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("maybe", maybe)
    painting.frames(1)
    assert np.allclose(painting.texels("m"), 7.0)
    painting.graph.add_node("copy", copy("a", "b"))
    painting.frames(1)
    assert np.allclose(painting.texels("m"), (1.0, 0.75, 0.0, 1.0))


@pytest.mark.parametrize("options", [CompileOptions(order=f"random:{seed}") for seed in range(4)])
def test_the_order_does_not_change_the_result(make_bench, options) -> None:
    bench = make_bench(options)
    bench.shader("paint.frag", PAINT)
    bench.shader("copy.frag", COPY)
    bench.graph.add_node("paint", paint("a", (1.0, 0.0, 0.0, 1.0)))
    bench.graph.add_node("paint2", paint("z", (0.0, 0.0, 1.0, 1.0)))
    for name, source, result in (("c1", "a", "b"), ("c2", "b", "c"), ("c3", "c", "d"), ("c4", "z", "y")):
        bench.graph.add_node(name, copy(source, result))
    bench.frames(4)
    assert np.allclose(bench.texels("d"), (1.0, 0.75, 0.0, 1.0))
    assert np.allclose(bench.texels("y"), (0.0, 0.25, 1.0, 1.0))


def test_gpu_times_name_the_nodes(painting) -> None:
    report = None
    painting.runtime.times.every = 1
    for _ in range(4):
        report = painting.runtime.render(painting.target)
    assert report is not None
    assert set(report.gpu_times) == {"paint"}
    assert report.gpu_times["paint"] > 0.0


# failures ------------------------------------------------------------------------------------------------------------


def raising(reg):
    reg.read("a").sampled()
    reg.create("never", Texture("rgba32_sfloat", (8, 8))).color()
    reg.side_effects()

    def execute(cmd) -> None:
        raise ZeroDivisionError("a plugin's mistake")

    return execute


def test_a_node_that_raises_leaves_and_the_frame_goes_on(painting) -> None:
    painting.graph.add_node("copy", copy("a", "b"))
    painting.graph.add_node("bad/raises", raising, plugin="bad")
    painting.frames(3)
    (failure,) = painting.failures
    assert (failure.node, failure.plugin, failure.phase) == ("bad/raises", "bad", FailurePhase.EXECUTE)
    assert isinstance(failure.error, ZeroDivisionError)
    assert "bad/raises" not in painting.graph.node_names
    assert np.allclose(painting.texels("b"), (1.0, 0.75, 0.0, 1.0))


def both_at_once(reg):
    reg.rename("a", "b").color()
    reg.read("b").sampled()
    reg.side_effects()
    return lambda cmd: None


def without_size(reg):
    reg.create("m", Texture("rgba32_sfloat", reg.resolution("nowhere"))).color()
    reg.side_effects()
    return lambda cmd: None


@pytest.mark.parametrize("impossible", [both_at_once, without_size])
def test_a_request_that_no_plan_can_meet_takes_its_node_out(painting, impossible) -> None:
    painting.graph.add_node("bad/impossible", impossible, plugin="bad")
    painting.frames(2)
    assert "bad/impossible" not in {node.id for node in painting.runtime.plan.graph.nodes}
    assert [failure.phase for failure in painting.failures] in ([], [FailurePhase.COMPILE])
    assert np.allclose(painting.texels("a"), (1.0, 0.5, 0.0, 1.0))


def test_a_shader_error_names_file_and_line_and_takes_the_node_out(painting) -> None:
    painting.shader("typo.frag", "layout(location = 0) out vec4 result;\nvoid main() { result = vec3(1.0); }\n")

    def typo(reg):
        reg.create("t", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("typo.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("typo", typo)
    painting.frames(2)
    (failure,) = painting.failures
    assert isinstance(failure.error, ShaderError)
    assert "typo.frag:3" in str(failure.error)
    assert np.allclose(painting.texels("a"), (1.0, 0.5, 0.0, 1.0))


def test_a_binding_that_nobody_requested_is_explained(painting) -> None:
    def unbound(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("copy.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("unbound", unbound)
    painting.frames(2)
    (failure,) = painting.failures
    assert re.search(r'copy\.frag:\d+: "source" is bound to nothing', str(failure.error))
    assert "reg.uniform" not in failure.error.hint
    assert "unbound" not in painting.graph.node_names


def test_the_error_of_an_unfilled_uniform_block_names_the_ways_to_fill_it(painting) -> None:
    painting.shader(
        "block.frag",
        "layout(set = 0, binding = 0) uniform Settings { float strength; } settings;\n"
        "layout(location = 0) out vec4 o;\nvoid main() { o = vec4(settings.strength); }",
    )

    def unfilled(reg):
        reg.create("u", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline)

    painting.graph.add_node("unfilled", unfilled)
    painting.frames(2)
    (failure,) = painting.failures
    assert '"settings" is bound to nothing' in failure.error.message
    assert 'request it, or fill it by reg.uniform("settings", values), in the declare function' in failure.error.hint


def test_an_external_without_a_provider_is_named(bench) -> None:
    def declare(reg):
        reg.external("asset", Buffer(16)).vertex()
        reg.side_effects()
        return lambda cmd: None

    bench.graph.add_node("user", declare)
    with pytest.raises(GraphError, match='the external resource "asset" has no provider'):
        bench.frames(1)


def failure_of(painting, declare) -> str:
    painting.graph.add_node("wrong", declare)
    painting.frames(2)
    (failure,) = painting.failures
    assert failure.node == "wrong"
    return str(failure.error)


def test_a_request_without_a_usage_can_not_be_sampled(painting) -> None:
    def declare(reg):
        reg.read("a").bind("source")
        reg.create("b", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("copy.frag")
        return lambda cmd: cmd.draw(pipeline)

    line = declare.__code__.co_firstlineno + 1
    assert failure_of(painting, declare).startswith(
        f'{__file__}:{line}: node "wrong" requests "a", a texture, without a usage'
    )


def test_a_fragment_shader_writes_to_attachments_only(painting) -> None:
    painting.shader("second.frag", PAINT.replace("location = 0", "location = 1"))

    def declare(reg):
        reg.create("b", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("second.frag")
        return lambda cmd: cmd.draw(pipeline, color=(1, 1, 1, 1))

    message = failure_of(painting, declare)
    assert "1 color attachment, but" in message
    assert "second.frag:4 writes to location 1" in message

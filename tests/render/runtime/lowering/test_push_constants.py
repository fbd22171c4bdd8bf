"""Draws and dispatches without the push constants that their shaders read."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.types.resources import Texture

TINT = """#version 450
layout(push_constant) uniform Push { float tint; } push;
layout(location = 0) out vec4 color;
void main() { color = vec4(push.tint); }
"""
SQUARE = """#version 450
layout(push_constant) uniform Push { float tint; } push;
layout(location = 0) out vec4 color;
void main() { color = vec4(push.tint * push.tint); }
"""
FILL = """#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) uniform writeonly image2D c;
layout(push_constant) uniform Push { float tint; } push;
void main() { imageStore(c, ivec2(gl_GlobalInvocationID.xy), vec4(push.tint)); }
"""


def target(reg):
    request = reg.create("c", Texture("rgba32_sfloat", (8, 8)))
    reg.side_effects()
    return request


def test_a_draw_without_push_constants_fails_at_its_line(bench) -> None:
    bench.shader("tint.frag", TINT)

    def declare(reg):
        target(reg).color()
        pipeline = reg.graphics("tint.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.graph.add_node("glow/draw", declare, plugin="glow")
    bench.frames(2)
    (failure,) = bench.failures
    line = declare.__code__.co_firstlineno + 3
    assert str(failure.error).startswith(
        f'{__file__}:{line}: node "glow/draw" runs tint.frag without push constants, which are undefined: "tint"'
    )


def test_a_mistyped_push_constant_names_the_shader(bench) -> None:
    bench.shader("tint.frag", TINT)

    def declare(reg):
        target(reg).color()
        pipeline = reg.graphics("tint.frag")
        return lambda cmd: cmd.draw(pipeline, tnt=1.0)

    bench.graph.add_node("draw", declare)
    bench.frames(1)
    (failure,) = bench.failures
    assert 'push constants of node draw: there is no member "tnt" (in tint.frag)' in str(failure.error)
    assert 'did you mean "tint"?' in str(failure.error)


def test_a_draw_of_indices_without_push_constants_fails(bench) -> None:
    bench.shader("tint.frag", TINT)

    def declare(reg):
        target(reg).color()
        pipeline = reg.graphics("tint.frag")

        def execute(cmd) -> None:
            cmd.bind(pipeline)
            cmd.draw_indexed(3)

        return execute

    bench.graph.add_node("draw", declare)
    bench.frames(1)
    (failure,) = bench.failures
    assert '"tint"' in str(failure.error)


def test_a_dispatch_without_push_constants_fails(bench) -> None:
    bench.shader("fill.comp", FILL)

    def declare(reg):
        target(reg).storage_write()
        pipeline = reg.compute("fill.comp")
        return lambda cmd: cmd.dispatch(pipeline, (8, 8))

    bench.graph.add_node("fill", declare)
    bench.frames(1)
    (failure,) = bench.failures
    assert '"tint"' in str(failure.error)


@pytest.mark.parametrize("first", ["cmd.push", "cmd.bind", "another pipeline"])
def test_push_constants_stay_for_the_draws_of_a_node(bench, first: str) -> None:
    bench.shader("tint.frag", TINT)
    bench.shader("square.frag", SQUARE)

    def declare(reg):
        target(reg).color()
        pipeline, other = reg.graphics("tint.frag"), reg.graphics("square.frag")

        def execute(cmd) -> None:
            if first == "cmd.push":
                cmd.push(pipeline, tint=0.5)
            elif first == "cmd.bind":
                cmd.bind(pipeline, tint=0.5)
            else:
                cmd.draw(other, tint=0.5)
            cmd.draw(pipeline)

        return execute

    bench.graph.add_node("draw", declare)
    bench.frames(2)
    assert bench.failures == []
    assert np.allclose(bench.texels("c"), 0.5)

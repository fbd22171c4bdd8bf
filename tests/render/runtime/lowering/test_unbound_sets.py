"""Draws and dispatches whose shaders use descriptor sets that the node has not bound."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.backend.protocol import TextureBinding
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.sync.flags import Layout
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Texture
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage
from tests.on_devices import texture_info

pytestmark = pytest.mark.vulkan

HALVED = """layout(set = 1, binding = 3) uniform sampler2D extra;
layout(location = 0) out vec4 color;
void main() { color = 0.5 * texelFetch(extra, ivec2(0), 0); }
"""
FILL = """layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba32f) uniform writeonly image2D c;
layout(set = 1, binding = 3) uniform Extra { float k; } extra;
void main() { imageStore(c, ivec2(gl_GlobalInvocationID.xy), vec4(extra.k)); }
"""


def target(reg):
    request = reg.create("c", Texture("rgba32_sfloat", (8, 8)))
    reg.side_effects()
    return request


def draw(cmd, pipeline) -> None:
    cmd.draw(pipeline)


def record_a_draw(cmd, pipeline) -> None:
    cmd.bind(pipeline)
    cmd.recorder.draw(3)


def dispatch(cmd, pipeline) -> None:
    cmd.dispatch(pipeline, (8, 8))


def record_a_dispatch(cmd, pipeline) -> None:
    cmd.bind(pipeline)
    cmd.recorder.dispatch(1)


def fullscreen(reg):
    target(reg).color()
    return reg.fullscreen("halved.frag")


def graphics(reg):
    target(reg).color()
    return reg.graphics("halved.frag")


def compute(reg):
    target(reg).storage_write("compute")
    return reg.compute("fill.comp")


@pytest.mark.parametrize("kind", [Fullscreen.FRAGMENT, Fullscreen.COMPUTE], ids=str)
@pytest.mark.parametrize(
    ("request_pipeline", "execute", "file"),
    [
        (fullscreen, draw, "halved.frag"),
        (graphics, draw, "halved.frag"),
        (graphics, record_a_draw, "halved.frag"),
        (compute, dispatch, "fill.comp"),
        (compute, record_a_dispatch, "fill.comp"),
    ],
)
def test_work_without_a_set_of_its_shaders_fails_at_its_line(make_bench, kind, request_pipeline, execute, file) -> None:
    bench = make_bench(CompileOptions(fullscreen=kind))
    bench.shader("halved.frag", HALVED)
    bench.shader("fill.comp", FILL)

    def declare(reg):
        pipeline = request_pipeline(reg)
        return lambda cmd: execute(cmd, pipeline)

    bench.graph.add_node("glow/work", declare, plugin="glow")
    bench.frames(2)
    (failure,) = bench.failures
    line = max(line for _, _, line in execute.__code__.co_lines())
    assert str(failure.error).startswith(
        f'{__file__}:{line}: node "glow/work" runs its pipeline without descriptor set 1: its binding 3 is "extra" at '
        f"{bench.shaders / file}:{2 if file == 'halved.frag' else 4}"
    )
    assert failure.error.hint == (
        "call cmd.bind_set(pipeline, 1, bindings) before it, or declare its bindings in set 0 and request them"
    )
    assert failure.plugin == "glow"


@pytest.mark.parametrize("kind", [Fullscreen.FRAGMENT, Fullscreen.COMPUTE], ids=str)
def test_a_full_screen_pipeline_takes_a_set_of_the_application(make_bench, kind) -> None:
    bench = make_bench(CompileOptions(fullscreen=kind))
    bench.shader("halved.frag", HALVED)
    if kind is Fullscreen.COMPUTE:
        bench.layout = Layout.GENERAL
    white = bench.backend.create_texture(
        texture_info("rgba8_unorm", (1, 1), Usage.SAMPLED), "white", np.full((1, 1, 4), 255, np.uint8)
    )
    made = []

    def declare(reg):
        pipeline = fullscreen(reg)

        def execute(cmd) -> None:
            if not made:
                bound = {"extra": TextureBinding(white, Layout.SHADER_READ_ONLY, Sampling())}
                made.append(bench.backend.create_bindings(cmd.pipeline(pipeline), 1, bound, "extra"))
            cmd.bind_set(pipeline, 1, made[0])
            cmd.draw(pipeline)

        return execute

    bench.graph.add_node("work", declare)
    bench.frames(2)
    assert not bench.failures
    assert np.all(bench.texels("c") == 0.5)
    bench.backend.wait_idle()
    for item in (*made, white):
        bench.backend.destroy(item)

"""Textures whose layers are the faces of cubes: drawn face by face and mip by mip, sampled by direction."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Resolution, Texture

pytestmark = pytest.mark.vulkan

FORMAT = "rgba32_sfloat"
FACE = """
layout(push_constant) uniform Push { float value; } push;
layout(location = 0) out vec4 color;
void main() { color = vec4(push.value); }
"""
BY_DIRECTION = """
layout(set = 0, binding = 0) uniform samplerCube cube;
layout(location = 0) out vec4 color;
const vec3 AXES[6] = vec3[](vec3(1,0,0), vec3(-1,0,0), vec3(0,1,0), vec3(0,-1,0), vec3(0,0,1), vec3(0,0,-1));
void main() { color = textureLod(cube, AXES[int(gl_FragCoord.x)], floor(gl_FragCoord.y)); }
"""
BY_LAYER = BY_DIRECTION.replace("samplerCube", "sampler2DArray").replace(
    "textureLod(cube, AXES[int(gl_FragCoord.x)], floor(gl_FragCoord.y))",
    "texelFetch(cube, ivec3(0, 0, int(gl_FragCoord.x)), int(gl_FragCoord.y))",
)
OF_SEVERAL = BY_DIRECTION.replace("samplerCube", "samplerCubeArray").replace(
    "AXES[int(gl_FragCoord.x)], floor(gl_FragCoord.y)", "vec4(AXES[int(gl_FragCoord.x)], floor(gl_FragCoord.y)), 0.0"
)


def draw_parts(graph: FrameGraph, desc: Texture) -> None:
    """One node for each layer and mip, which fills it with 10 times its layer plus its mip."""
    first = True
    for layer in range(desc.layers):
        for mip in range(desc.mips):

            def declare(reg, layer=layer, mip=mip, first=first):
                request = reg.create("cube", desc) if first else reg.modify("cube")
                request.layer(layer).mip(mip).color()
                pipeline = reg.graphics("face.frag")

                def execute(cmd):
                    assert cmd.extent == request.extent == (desc.size[0] >> mip, desc.size[1] >> mip)
                    cmd.draw(pipeline, value=10.0 * layer + mip)

                return execute

            graph.add_node(f"layer {layer} mip {mip}", declare)
            first = False


def show(graph: FrameGraph, shader: str, rows: int, *, layers: tuple[int, int] | None = None) -> None:
    """Shows six faces or layers from left to right, mips or cubes from the top down."""

    def declare(reg):
        request = reg.read("cube")
        if layers:
            request.layers(*layers)
        request.sampled("nearest")
        reg.create("m", Texture(FORMAT, (6, rows))).color()
        pipeline = reg.graphics(shader)
        return lambda cmd: cmd.draw(pipeline)

    graph.add_node("show", declare)


@pytest.fixture
def cubes(bench):
    """A bench with the shaders."""
    shaders = {"face": FACE, "direction": BY_DIRECTION, "layer": BY_LAYER, "several": OF_SEVERAL}
    for name, text in shaders.items():
        bench.shader(f"{name}.frag", text)
    return bench


@pytest.mark.parametrize("shader", ["direction.frag", "layer.frag"])
def test_a_cube_is_seen_by_direction_and_by_layer(cubes, shader: str) -> None:
    draw_parts(cubes.graph, Texture(FORMAT, (8, 8), mips=3, layers=6, cube=True))
    show(cubes.graph, shader, 3)
    cubes.frames(3)
    assert cubes.failures == []
    expected = [[10.0 * face + mip for face in range(6)] for mip in range(3)]
    assert cubes.texels("m")[..., 0].tolist() == expected
    assert judge(list(frame_plans(cubes.runtime.plan, 4))).findings == ()


def test_an_array_of_cubes(cubes) -> None:
    draw_parts(cubes.graph, Texture(FORMAT, (4, 4), layers=12, cube=True))
    show(cubes.graph, "several.frag", 2)
    cubes.frames(2)
    assert cubes.failures == []
    assert cubes.texels("m")[..., 0].tolist() == [[10.0 * (6 * cube + face) for face in range(6)] for cube in range(2)]


def test_one_cube_of_an_array_is_a_cube(cubes) -> None:
    draw_parts(cubes.graph, Texture(FORMAT, (4, 4), layers=12, cube=True))
    show(cubes.graph, "direction.frag", 1, layers=(6, 6))
    cubes.frames(2)
    assert cubes.failures == []
    assert cubes.texels("m")[..., 0].tolist() == [[60.0, 70.0, 80.0, 90.0, 100.0, 110.0]]


def test_texels_between_faces_are_filtered_across_the_edge(cubes) -> None:
    """Halfway between +X (value 0) and +Z (40) a linear filter sees the mean."""
    axes = BY_DIRECTION[BY_DIRECTION.index("AXES[int") : BY_DIRECTION.index("], floor") + 1]
    cubes.shader("edge.frag", BY_DIRECTION.replace(axes, "vec3(1.0, 0.0, 1.0)"))
    draw_parts(cubes.graph, Texture(FORMAT, (4, 4), layers=6, cube=True))

    def declare(reg):
        reg.read("cube").sampled("linear")
        reg.create("m", Texture(FORMAT, (1, 1))).color()
        pipeline = reg.graphics("edge.frag")
        return lambda cmd: cmd.draw(pipeline)

    cubes.graph.add_node("show", declare)
    cubes.frames(2)
    assert cubes.failures == []
    assert cubes.texels("m")[0, 0, 0] == pytest.approx(20.0, abs=0.5)


@pytest.mark.parametrize(
    ("desc", "shader", "layers", "reason"),
    [
        (Texture(FORMAT, (4, 4), layers=6), "direction.frag", None, "not made as a cube"),
        (Texture(FORMAT, (4, 4), layers=12, cube=True), "direction.frag", None, "make a CubeArray"),
        (Texture(FORMAT, (4, 4), layers=12, cube=True), "direction.frag", (3, 6), "not the faces of whole cubes"),
        (Texture(FORMAT, (4, 4), layers=6, cube=True), "flat.frag", None, "6 layers, which make a 2DArray"),
    ],
)
def test_a_shader_that_cannot_see_it_so_is_told_why(cubes, desc, shader: str, layers, reason: str) -> None:
    text = BY_DIRECTION.replace("samplerCube", "sampler2D").replace("AXES[int(gl_FragCoord.x)]", "vec2(0.5)")
    cubes.shader("flat.frag", text)
    draw_parts(cubes.graph, desc)
    show(cubes.graph, shader, 1, layers=layers)
    cubes.frames(1)
    (failure,) = cubes.failures
    assert failure.node == "show"
    assert reason in str(failure.error)
    assert '"cube"' in str(failure.error)


@pytest.mark.parametrize(
    "desc",
    [
        Texture(FORMAT, (8, 4), layers=6, cube=True),
        Texture(FORMAT, (8, 8), layers=5, cube=True),
        Texture(FORMAT, (8, 8), layers=6, samples=4, cube=True),
        Texture(FORMAT, Resolution("main_view"), layers=6, cube=True),
    ],
)
def test_a_cube_is_six_squares(desc: Texture) -> None:
    graph = FrameGraph()
    graph.set_resolution("main_view", (8, 8))
    graph.add_sink("cube")
    graph.add_node("make", lambda reg: reg.create("cube", desc).color() and (lambda cmd: None))
    graph.declare()
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    problem = next(problem for problem in plan.problems if problem.severity == "error")
    assert "a cube that is not squares in six layers each" in str(problem)


def test_faces_that_are_left_alone_keep_what_the_creator_wants(cubes) -> None:
    """What is cleared is cleared in every face and mip, drawn or not."""

    def create(reg):
        desc = Texture(FORMAT, (4, 4), mips=2, layers=6, cube=True)
        reg.create("cube", desc).layer(2).mip(1).color(clear=(3.0,) * 4)
        pipeline = reg.graphics("face.frag")
        return lambda cmd: cmd.draw(pipeline, value=7.0)

    cubes.graph.add_node("create", create)
    show(cubes.graph, "direction.frag", 2)
    cubes.frames(2)
    assert cubes.failures == []
    seen = cubes.texels("m")[..., 0]
    expected = np.full((2, 6), 3.0)
    expected[1, 2] = 7.0
    assert np.array_equal(seen, expected)

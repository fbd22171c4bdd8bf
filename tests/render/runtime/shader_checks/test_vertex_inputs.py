"""Vertex layouts, vertex buffers and what stages pass on, against the shaders: mistakes are errors without a device."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Buffer, Texture

VERTEX = """#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 corner;
layout(location = 0) out vec2 uv;
void main() { uv = corner; gl_Position = vec4(position, 1.0); }
"""
FRAGMENT = """#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = uv.xyxy; }
"""
POSITION, CORNER = (0, "rgb32_sfloat", 0), (1, "rg32_sfloat", 12)
FITTING = VertexLayout((POSITION, CORNER), 20)


class Drawing:
    """A node that draws, in a frame without a device."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shader("mesh.vert", VERTEX)
        self.shader("shade.frag", FRAGMENT)
        self.layout = FITTING
        self.usage: Callable[..., object] = lambda request: request.vertex()
        self.count = 4
        self.instances = 1
        self.offset = 0
        self.buffers: list[object] = []

    def shader(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def declare(self, reg):
        given = np.zeros(24, np.float32)
        corners = reg.external("corners", Buffer(96), lambda context: given)
        self.usage(corners)
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("shade.frag", "mesh.vert", vertex_layout=self.layout)

        def execute(cmd):
            cmd.vertices(self.buffers[0] if self.buffers else corners.buffer, self.offset)
            cmd.draw(pipeline, self.count, self.instances)

        return execute

    def failures(self) -> list[NodeFailure]:
        found: list[NodeFailure] = []
        backend = NullBackend()
        graph = FrameGraph()
        graph.add_node("mesh", self.declare)
        runtime = Runtime(graph, backend, ShaderLibrary([self.folder]), on_failure=found.append)
        runtime.render(backend.create_target((8, 8)))
        runtime.close()
        return found

    def error(self) -> RenderwrightError:
        (failure,) = self.failures()
        assert isinstance(failure.error, RenderwrightError)
        assert failure.error.where is not None
        assert failure.error.where.file == __file__
        return failure.error


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    return Drawing(tmp_path)


def test_a_layout_that_fits_is_drawn(drawing: Drawing) -> None:
    assert drawing.failures() == []


def test_an_attribute_beyond_the_stride_is_named_with_its_line(drawing: Drawing) -> None:
    drawing.layout = VertexLayout((POSITION, CORNER), 12)
    error = drawing.error()
    assert error.message == (
        f'node "mesh": {drawing.folder / "mesh.vert"}:3 reads the vertex attribute at location 1, whose bytes 12 to 20 '
        "lie beyond the stride of 12 bytes"
    )
    assert error.hint == "give the vertex layout a stride of at least 20 bytes, or the attribute a smaller offset"


def test_an_attribute_that_no_shader_reads_may_lie_anywhere(drawing: Drawing) -> None:
    drawing.layout = VertexLayout((POSITION, CORNER, (2, "rgba32_sfloat", 20)), 20)
    assert drawing.failures() == []


@pytest.mark.parametrize(
    ("declared", "format", "words", "hint"),
    [
        (
            "vec2",
            "rgba8_uint",
            "as vec2, but its format rgba8_uint has unsigned integers",
            "declare it as uvec2 in the shader, or give a format of floats, such as rgba8_unorm",
        ),
        (
            "uvec2",
            "rg32_sfloat",
            "as uvec2, but its format rg32_sfloat has floats",
            "declare it as vec2 in the shader, or give a format of unsigned integers, such as rg32_uint",
        ),
        (
            "int",
            "r32_uint",
            "as int, but its format r32_uint has unsigned integers",
            "declare it as uint in the shader, or give a format of integers, such as r32_sint",
        ),
        (
            "ivec2",
            "rg32_sfloat",
            "as ivec2, but its format rg32_sfloat has floats",
            "declare it as vec2 in the shader, or give a format of integers",
        ),
    ],
)
def test_an_attribute_of_another_kind_of_number_is_named(drawing: Drawing, declared, format, words, hint) -> None:
    drawing.shader(
        "mesh.vert", VERTEX.replace("in vec2 corner", f"in {declared} corner").replace("= corner", "= vec2(corner)")
    )
    drawing.layout = VertexLayout((POSITION, (1, format, 12)), 20)
    error = drawing.error()
    assert f"mesh.vert:3 reads the vertex attribute at location 1 {words}" in error.message
    assert error.hint == hint


@pytest.mark.parametrize(
    ("declared", "format"),
    [("vec4", "rg32_sfloat"), ("float", "rgba8_unorm"), ("vec2", "rgba8_snorm"), ("uvec3", "r8_uint")],
)
def test_a_format_may_have_other_components(drawing: Drawing, declared: str, format: str) -> None:
    text = VERTEX.replace("in vec2 corner", f"in {declared} corner")
    drawing.shader("mesh.vert", text.replace("= corner", "= vec2(corner)"))
    drawing.layout = VertexLayout((POSITION, (1, format, 12)), 20)
    assert drawing.failures() == []


@pytest.mark.parametrize("read", ["vec3", "float", "ivec2"])
def test_an_input_of_another_type_than_what_is_written_is_named(drawing: Drawing, read: str) -> None:
    flat = "flat " if read == "ivec2" else ""
    text = FRAGMENT.replace("in vec2 uv", f"{flat}in {read} uv")
    drawing.shader("shade.frag", text.replace("uv.xyxy", "vec4(uv)") if read == "float" else text)
    error = drawing.error()
    shade, mesh = drawing.folder / "shade.frag", drawing.folder / "mesh.vert"
    assert error.message == f'node "mesh": {shade}:2 reads location 0 as {read}, but {mesh}:4 writes it as vec2'
    assert error.hint == "declare the same type in both shaders"


def test_matrices_and_arrays_pass_from_stage_to_stage(drawing: Drawing) -> None:
    passed = "layout(location = 1) {way} mat3 frame; layout(location = 4) {way} vec2 ways[2];\n"
    start = "layout(location = 0)"
    drawing.shader(
        "mesh.vert",
        VERTEX.replace(f"{start} out", passed.format(way="out") + f"{start} out").replace(
            "uv = corner;", "uv = corner; frame = mat3(1.0); ways[0] = ways[1] = uv;"
        ),
    )
    text = FRAGMENT.replace(f"{start} out", passed.format(way="in") + f"{start} out")
    drawing.shader("shade.frag", text.replace("uv.xyxy", "vec4(frame[1] * ways[1].x, uv.x)"))
    assert drawing.failures() == []
    drawing.shader("shade.frag", text.replace("ways[2]", "ways").replace("uv.xyxy", "vec4(frame[1], ways.x + uv.x)"))
    assert "reads location 4 as vec2, but" in drawing.error().message
    assert "writes it as vec2[2]" in drawing.error().message


@pytest.mark.parametrize("usage", ["storage_read", "index"])
def test_a_buffer_that_is_requested_for_another_use_is_no_vertex_buffer(drawing: Drawing, usage: str) -> None:
    drawing.usage = lambda request: getattr(request, usage)()
    error = drawing.error()
    assert error.message == 'the vertex buffer is "corners", which is not requested so'
    line = Drawing.declare.__code__.co_firstlineno + 2
    assert error.hint == f"request it by .vertex() instead of .{usage}() at {__file__}:{line}"


def test_a_buffer_of_two_requests_needs_one_of_the_use(drawing: Drawing) -> None:
    declare = drawing.declare

    def twice(reg):
        execute = declare(reg)
        reg.read("corners").storage_read("vertex").bind("again")
        return execute

    drawing.declare = twice  # type: ignore[method-assign]
    assert drawing.failures() == []


@pytest.mark.parametrize(
    ("count", "instances", "offset", "fit"), [(5, 1, 0, 4), (300, 1, 0, 4), (4, 2, 20, 3), (1, 1, 80, 0)]
)
def test_more_vertices_than_the_buffer_has_are_an_error(drawing: Drawing, count, instances, offset, fit) -> None:
    drawing.count, drawing.instances, drawing.offset = count, instances, offset
    error = drawing.error()
    room = 96 - offset
    behind = f" from byte {offset} on" if offset else ""
    assert error.message == (
        f'node "mesh" draws {count} {"vertex" if count == 1 else "vertices"} with {drawing.folder / "mesh.vert"}, but '
        f'the vertex buffer "corners" has {fit}: {room} bytes{behind} with a stride of 20'
    )
    assert error.hint == f"draw at most {fit}, or make the buffer {offset + 20 * count} bytes large"


@pytest.mark.parametrize(("count", "instances", "offset"), [(0, 1, 90), (400, 0, 0), (3, 9, 36), (4, 1, 16)])
def test_vertices_that_the_buffer_has_are_drawn(drawing: Drawing, count: int, instances: int, offset: int) -> None:
    drawing.count, drawing.instances, drawing.offset = count, instances, offset
    assert drawing.failures() == []


def test_only_the_attributes_that_a_shader_reads_need_room(drawing: Drawing) -> None:
    drawing.layout = VertexLayout((POSITION, CORNER, (2, "rgb32_sfloat", 20)), 32)
    drawing.count = 3
    assert drawing.failures() == []
    drawing.offset = 12
    assert drawing.failures() == []
    drawing.offset = 16
    assert 'the vertex buffer "corners" has 2' in drawing.error().message


SURFACE = "struct Surface { vec3 normal; %s uv; };\n"
PASSED = {
    "struct": (SURFACE, "Surface surface"),
    "block": ("", "Surface { vec3 normal; %s uv; } surface"),
}


def pass_members(drawing: Drawing, kind: str, read: str, written: str) -> None:
    """Have the stages pass on a struct or a block whose member ``uv`` is read and written as these types."""
    struct, declared = PASSED[kind]

    def of(text: str, type: str) -> str:
        return text % type if "%s" in text else text

    drawing.shader(
        "mesh.vert",
        f"""#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 corner;
{of(struct, written)}layout(location = 0) out {of(declared, written)};
void main() {{ surface.normal = position; surface.uv = {written}(corner.x); gl_Position = vec4(position, 1.0); }}
""",
    )
    drawing.shader(
        "shade.frag",
        f"""#version 450
{of(struct, read)}layout(location = 0) in {of(declared, read)};
layout(location = 0) out vec4 color;
void main() {{ color = vec4(surface.normal, surface.uv.x); }}
""",
    )


@pytest.mark.parametrize("kind", PASSED)
def test_a_member_that_is_passed_on_as_another_type_is_told_with_both(drawing: Drawing, kind: str) -> None:
    pass_members(drawing, kind, read="vec3", written="vec2")
    line = 5 if kind == "struct" else 4
    assert drawing.error().message == (
        f'node "mesh": {drawing.folder / "shade.frag"}:{line - 2} reads location 1 ("surface.uv") as vec3, but '
        f"{drawing.folder / 'mesh.vert'}:{line} writes it as vec2"
    )


@pytest.mark.parametrize("kind", PASSED)
def test_members_that_are_passed_on_as_they_are_read_fit(drawing: Drawing, kind: str) -> None:
    pass_members(drawing, kind, read="vec2", written="vec2")
    assert drawing.failures() == []


@pytest.mark.parametrize("kind", PASSED)
def test_members_may_be_read_as_single_variables(drawing: Drawing, kind: str) -> None:
    pass_members(drawing, kind, read="vec2", written="vec2")
    drawing.shader("shade.frag", FRAGMENT.replace("location = 0) in", "location = 1) in"))
    assert drawing.failures() == []

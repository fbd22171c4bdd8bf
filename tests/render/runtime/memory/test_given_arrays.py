"""Arrays that providers return: uploaded once, shown, replaced, and released."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import GraphError
from renderwright.render.graph.declare import Declare
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.testing import run_node
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import Usage

COPY = """
layout(set = 0, binding = 0) uniform sampler2DArray given;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(given, ivec3(gl_FragCoord.xy, 1), 0); }
"""


def texels(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.0, 9.0, (2, 8, 8, 4)).astype(np.float32)


def add_copy(bench, given: list[np.ndarray]) -> None:
    def declare(reg):
        reg.external("given", Texture("rgba32_sfloat", (8, 8), layers=2), lambda context: given[0]).sampled()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color()
        reg.stable()
        pipeline = reg.graphics("copy_array.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.shader("copy_array.frag", COPY)
    bench.graph.add_node("copy", declare)


@pytest.mark.vulkan
def test_a_node_samples_the_array_of_its_provider_and_the_next_one(bench) -> None:
    first, second = texels(1), texels(2)
    given = [first]
    add_copy(bench, given)
    bench.frames(2)
    assert np.array_equal(bench.texels("a"), first[1])
    given[0] = second
    bench.frames(1)
    assert np.array_equal(bench.texels("a"), second[1])
    assert bench.failures == []


HALF = """
layout(set = 0, binding = 0) uniform sampler2DArray given;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(given, ivec3(ivec2(gl_FragCoord.xy) / 2, 1), 1); }
"""


@pytest.mark.vulkan
def test_further_mips_are_made_from_the_array(bench) -> None:
    given = np.random.default_rng(5).integers(0, 256, (2, 8, 8, 4)).astype(np.uint8)

    def declare(reg):
        reg.external("given", Texture("rgba8_unorm", (8, 8), mips=2, layers=2), lambda context: given).sampled()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color()
        reg.stable()
        pipeline = reg.graphics("half_array.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.shader("half_array.frag", HALF)
    bench.graph.add_node("half", declare)
    bench.frames(2)
    means = given[1].reshape(4, 2, 4, 2, 4).mean(axis=(1, 3)) / 255.0
    assert np.allclose(bench.texels("a")[::2, ::2], means, atol=1.0 / 255.0)
    assert bench.failures == []


class Counting:
    """A runtime without a device, whose backend counts what is created and destroyed."""

    def __init__(self) -> None:
        self.backend = NullBackend()
        self.made: list[object] = []
        self.destroyed: list[object] = []
        create, destroy = self.backend.create_texture, self.backend.destroy

        def made(info, name, *args):
            texture = create(info, name, *args)
            if name == "given":
                self.made.append(texture)
            return texture

        def destroyed(resource):
            self.destroyed.append(resource)
            destroy(resource)

        self.backend.create_texture, self.backend.destroy = made, destroyed  # type: ignore[method-assign]
        self.graph = FrameGraph()
        self.target = self.backend.create_target((8, 8))
        self.failures: list[NodeFailure] = []
        self.runtime = Runtime(self.graph, self.backend, ShaderLibrary(), on_failure=self.failures.append)

    def add(self, given: list[object], desc: Texture | Buffer) -> None:
        def declare(reg):
            request = reg.external("given", desc, lambda context: given[0])
            request.sampled() if isinstance(desc, Texture) else request.storage_read()
            reg.side_effects()
            return lambda cmd: None

        self.graph.add_node("user", declare)


SMALL = Texture("r32_sfloat", (4, 4))


def test_an_array_is_uploaded_once_and_released_when_it_is_not_given_any_more() -> None:
    case = Counting()
    given: list[object] = [np.zeros((4, 4, 1), np.float32)]
    case.add(given, SMALL)
    for _ in range(3):
        case.runtime.render(case.target)
    assert len(case.made) == 1
    given[0] = np.zeros((4, 4, 1), np.float32)
    case.runtime.render(case.target)
    assert len(case.made) == 2
    assert case.made[0] in case.destroyed
    case.graph.remove_node("user")
    case.runtime.render(case.target)
    assert case.made[1] in case.destroyed


def test_the_end_of_a_runtime_releases_its_arrays() -> None:
    case = Counting()
    case.add([np.zeros((4, 4, 1), np.float32)], SMALL)
    case.runtime.render(case.target)
    case.runtime.close()
    assert case.made[0] in case.destroyed


@pytest.mark.parametrize(
    ("desc", "array", "says"),
    [
        (SMALL, np.zeros((4, 5, 1), np.float32), "takes pixels of shape"),
        (SMALL, np.zeros((4, 4, 1), np.float64), "takes pixels of shape"),
        (Buffer(64), np.zeros(15, np.float32), 'the buffer "given" has 64 bytes, and the array of float32 has 60'),
        (Texture("r32_sfloat", (4, 4), samples=4), np.zeros((4, 4, 1), np.float32), "the provider of the external"),
    ],
)
def test_an_array_that_does_not_fit_is_a_failure_of_the_node(
    desc: Texture | Buffer, array: np.ndarray, says: str
) -> None:
    case = Counting()
    case.add([array], desc)
    case.runtime.render(case.target)
    (failure,) = case.failures
    assert failure.node == "user"
    assert says in str(failure.error)
    line = Counting.add.__code__.co_firstlineno + 2  # of reg.external
    assert str(failure.error).startswith(f"{__file__}:{line}: ")


@pytest.mark.parametrize(
    ("array", "size", "kind", "hint"),
    [
        (np.zeros(8, np.float64), 64, "float64", "the dtype np.float32;"),
        (np.zeros(16, np.float64), 64, "float64", "the dtype np.float32;"),
        (np.arange(8, dtype=np.int64), 64, "int64", "the dtype np.int32, or np.uint32 for uint and indices;"),
        (np.zeros(2, [("place", np.float64, (3,)), ("id", np.uint32, (2,))]), 64, "float64", "np.float32"),
    ],
)
def test_a_buffer_of_numbers_that_no_shader_has_is_a_failure_of_the_node(
    array: np.ndarray, size: int, kind: str, hint: str
) -> None:
    case = Counting()
    case.add([array], Buffer(size))
    case.runtime.render(case.target)
    (failure,) = case.failures
    assert failure.node == "user"
    line = Counting.add.__code__.co_firstlineno + 2  # of reg.external
    assert str(failure.error).startswith(f'{__file__}:{line}: the buffer "given" is given an array of {kind}, and ')
    assert hint in str(failure.error)


@pytest.mark.parametrize("dtype", [np.uint64, np.uint8, np.float16, [("place", np.float32, (2,))]])
def test_a_buffer_takes_numbers_that_shaders_can_read(dtype: object) -> None:
    case = Counting()
    array = np.zeros(8, dtype)  # type: ignore[call-overload]
    case.add([array], Buffer(array.nbytes))
    case.runtime.render(case.target)
    assert case.failures == []


ROWS = """
layout(std430, set = 0, binding = 0) readonly buffer given { vec4 rows[]; };
layout(location = 0) out vec4 color;
void main() { color = rows[int(gl_FragCoord.y) * 8 + int(gl_FragCoord.x)]; }
"""


@pytest.mark.vulkan
def test_a_node_reads_the_buffer_of_an_array_and_the_next_one(bench) -> None:
    given = [texels(3)[0], texels(4)[0]]

    def declare(reg):
        reg.external("given", Buffer(given[0].nbytes), lambda context: given[0]).storage_read()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color()
        reg.stable()
        pipeline = reg.graphics("rows_of_array.frag")
        return lambda cmd: cmd.draw(pipeline)

    bench.shader("rows_of_array.frag", ROWS)
    bench.graph.add_node("rows", declare)
    bench.frames(2)
    assert np.array_equal(bench.texels("a"), given[0])
    shown = given.pop(0)
    bench.frames(1)
    assert np.array_equal(bench.texels("a"), given[0])
    assert not np.array_equal(shown, given[0])
    assert bench.failures == []


PLACES = """
layout(location = 0) in vec2 place;
void main() { gl_Position = vec4(place, 0.5, 1.0); }
"""
WHITE = """
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); }
"""


@pytest.mark.vulkan
def test_arrays_are_vertices_and_indices(bench) -> None:
    places = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], np.float32)
    order = np.array([0, 1, 2], np.uint32)

    def declare(reg):
        vertices = reg.external("vertices", Buffer(places.nbytes), lambda context: places).vertex()
        indices = reg.external("order", Buffer(order.nbytes), lambda context: order).index()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color(clear=(0, 0, 0, 0))
        pipeline = reg.graphics("white.frag", "places.vert", vertex_layout=VertexLayout(((0, "rg32_sfloat", 0),), 8))

        def execute(cmd):
            cmd.bind(pipeline)
            cmd.vertices(vertices.buffer)
            cmd.indices(indices.buffer)
            cmd.draw_indexed(3)

        return execute

    bench.shader("places.vert", PLACES)
    bench.shader("white.frag", WHITE)
    bench.graph.add_node("mesh", declare)
    bench.frames(2)
    shown = bench.texels("a")[..., 0]
    assert 0.4 < shown.mean() < 0.6, "one of the two halves"
    assert bench.failures == []


def counted_buffers(case: Counting) -> list[PhysicalBuffer]:
    """The buffers of "given" that the backend will create."""
    made: list[PhysicalBuffer] = []
    create = case.backend.create_buffer

    def counted(info, name, *args, **options):
        buffer = create(info, name, *args, **options)
        if name == "given":
            made.append(buffer)
        return buffer

    case.backend.create_buffer = counted  # type: ignore[method-assign]
    return made


def test_the_buffer_of_an_array_is_made_once_and_released() -> None:
    case = Counting()
    made = counted_buffers(case)
    case.add([np.zeros((4, 4), np.uint32)], Buffer(64))
    for _ in range(3):
        case.runtime.render(case.target)
    assert len(made) == 1
    case.graph.remove_node("user")
    case.runtime.render(case.target)
    assert made[0] in case.destroyed
    assert case.failures == []


def test_the_buffer_of_an_array_allows_what_nodes_request_of_it() -> None:
    case = Counting()
    made = counted_buffers(case)
    case.add([np.zeros((4, 4), np.uint32)], Buffer(64))

    def reads_vertices(reg):
        reg.read("given").vertex()
        reg.side_effects()
        return lambda cmd: None

    case.runtime.render(case.target)
    assert [buffer.info.usages for buffer in made] == [{Usage.STORAGE_READ}]
    case.graph.add_node("mesh", reads_vertices)
    case.runtime.render(case.target)
    both = {Usage.STORAGE_READ, Usage.VERTEX}
    assert [buffer.info.usages for buffer in made[1:]] == [both], "a further usage takes another buffer"
    assert made[0] in case.destroyed
    case.graph.remove_node("mesh")
    case.runtime.render(case.target)
    assert len(made) == 2, "one usage less does not"
    assert case.failures == []


LAST_ROW = """
layout(std430, set = 0, binding = 0) readonly buffer given { vec4 rows[]; };
layout(location = 0) out vec4 color;
void main() { color = rows[rows.length() - 1]; }
"""
FIRST_OF_BLOCK = """
layout(std140, set = 0, binding = 0) uniform given { vec4 rows[4]; };
layout(location = 0) out vec4 color;
void main() { color = rows[0]; }
"""
LARGE = np.full((1 << 16, 4), 0.5, np.float32)
"""More bytes than a uniform block may have in OpenGL."""


def shown(shader_folder: Path, declare: Declare, backend: str) -> np.ndarray:
    """The picture "a" of a node."""
    texts = {"last.frag": LAST_ROW, "block.frag": FIRST_OF_BLOCK, "white.frag": WHITE, "places.vert": PLACES}
    for name, text in texts.items():
        (shader_folder / name).write_text(text)
    picture: np.ndarray = run_node(declare, {}, ["a"], shader_paths=[shader_folder], backend=backend)["a"]
    return picture


BACKENDS = ["opengl", pytest.param("vulkan", marks=pytest.mark.vulkan)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_large_array_is_a_storage_buffer(shader_folder: Path, backend: str) -> None:
    def declare(reg):
        reg.external("given", Buffer(LARGE.nbytes), lambda context: LARGE).storage_read()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color(clear=(0, 0, 0, 0))
        pipeline = reg.graphics("last.frag")
        return lambda cmd: cmd.draw(pipeline)

    assert np.all(shown(shader_folder, declare, backend) == 0.5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_large_arrays_are_vertices_and_indices(shader_folder: Path, backend: str) -> None:
    corners = np.tile(np.array([(-1, -1), (3, -1), (-1, 3)], np.float32), (1 << 14, 1))
    order = np.arange(len(corners), dtype=np.uint32)

    def declare(reg):
        vertices = reg.external("vertices", Buffer(corners.nbytes), lambda context: corners).vertex()
        indices = reg.external("order", Buffer(order.nbytes), lambda context: order).index()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color(clear=(0, 0, 0, 0))
        pipeline = reg.graphics("white.frag", "places.vert", vertex_layout=VertexLayout(((0, "rg32_sfloat", 0),), 8))

        def execute(cmd):
            cmd.bind(pipeline)
            cmd.vertices(vertices.buffer)
            cmd.indices(indices.buffer)
            cmd.draw_indexed(3, first_index=len(order) - 3)

        return execute

    assert np.all(shown(shader_folder, declare, backend) == 1.0)


def test_a_large_array_is_no_uniform_block_on_opengl(shader_folder: Path) -> None:
    def declare(reg):
        reg.external("given", Buffer(LARGE.nbytes), lambda context: LARGE).uniform()
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color(clear=(0, 0, 0, 0))
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline)

    with pytest.raises(GraphError, match=f"cannot have a uniform buffer of {LARGE.nbytes} bytes") as refused:
        shown(shader_folder, declare, "opengl")
    assert "split it, or read it as storage" in str(refused.value)

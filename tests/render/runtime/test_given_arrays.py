"""Arrays that providers return: uploaded once, shown, replaced, and released."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Texture

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

    def add(self, given: list[object], desc: Texture) -> None:
        def declare(reg):
            reg.external("given", desc, lambda context: given[0]).sampled()
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
        (Texture("r32_sfloat", (4, 4), samples=4), np.zeros((4, 4, 1), np.float32), "the provider of the external"),
    ],
)
def test_an_array_that_does_not_fit_is_a_failure_of_the_node(desc: Texture, array: np.ndarray, says: str) -> None:
    case = Counting()
    case.add([array], desc)
    case.runtime.render(case.target)
    (failure,) = case.failures
    assert failure.node == "user"
    assert says in str(failure.error)

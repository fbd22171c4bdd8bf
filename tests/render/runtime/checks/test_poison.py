"""Where poison goes, what it is made of, and that it is really there."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest
from poison_model import ending_copies, wrong_poison
from runtime_bench import Bench

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.runtime.checks.poison import Fill, Poison, gaps, poison_word
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.resources import Resolution, Texture

sys.path.append(str(Path(__file__).resolve().parents[2] / "compiler"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "inspect"))

from feature_checks import compiled
from feature_graphs import feature_graph


def texture(name: str) -> TextureInfo:
    return TextureInfo(name, (1, 1), 1, 1, 1, frozenset())


@pytest.mark.parametrize(
    ("name", "dtype"), [("rgba16_sfloat", np.float16), ("rg16_sfloat", np.float16), ("r32_sfloat", np.float32)]
)
def test_poison_is_in_the_numbers_of_the_format(name: str, dtype: type) -> None:
    def values(kind: Poison) -> np.ndarray:
        return np.frombuffer(np.uint32(poison_word(kind, texture(name))).tobytes(), dtype)

    assert np.all(values(Poison.ZERO) == 0)
    assert np.all(np.isnan(values(Poison.NAN)))
    assert np.all(values(Poison.INFINITY) == np.inf)
    assert np.all(np.isnan(values(Poison.ONES)))
    assert poison_word(Poison.ONES, texture("r8_unorm")) == 0xFFFFFFFF
    assert poison_word(Poison.NAN, BufferInfo(4, frozenset())) == 0x7FC00000


def test_packed_floats_have_an_infinity_of_their_own() -> None:
    word = poison_word(Poison.INFINITY, texture("b10g11r11_ufloat"))
    assert [word & 0x7FF, word >> 11 & 0x7FF, word >> 22] == [0x1F << 6, 0x1F << 6, 0x1F << 5]


def test_mixed_poison_is_all_of_them_in_turn() -> None:
    words = [poison_word(Poison.MIXED, texture("r32_sfloat"), number) for number in range(8)]
    assert len(set(words[:4])) == 4
    assert words[4:] == words[:4]


def test_gaps_are_what_is_not_taken_in_whole_words() -> None:
    filled = gaps([64, 32], [(0, 8, 16), (0, 30, 40), (1, 0, 32)], Poison.ONES).fills
    assert filled == tuple(Fill(0, start, end, 0xFFFFFFFF) for start, end in ((0, 8), (16, 28), (40, 64)))


def test_what_ends_is_filled_and_what_lives_is_not() -> None:
    ended = parts = 0
    for seed in range(30):
        rng = random.Random(seed)
        plan = compiled(feature_graph(seed, 3 + seed // 2), CompileOptions(order=f"random:{seed}"))
        assert list(wrong_poison(plan, plan)) == [], seed
        ended += len(ending_copies(plan))
        resting = frozenset(node.id for node in plan.graph.nodes if rng.random() < 0.2)
        part = PartialPlans(plan).plan(resting)
        assert [wrong for wrong in wrong_poison(part, plan) if "is not filled" not in wrong] == [], seed
        parts += bool(resting)
    assert ended > 150
    assert parts > 15


HALF = "layout(location = 0) out vec4 result;\nvoid main() { if (gl_FragCoord.x > 4.0) discard; result = vec4(5.0); }"
COPY = """
layout(set = 0, binding = 0) uniform sampler2D half_written;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(half_written, ivec2(gl_FragCoord.xy), 0); }
"""
OLD = """
layout(set = 0, binding = 0) uniform sampler2D previous;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(previous, ivec2(gl_FragCoord.xy), 0); }
"""


def careless(reg):
    """Writes half of what it creates, and does not clear the rest."""
    reg.create("half", Texture("rgba32_sfloat", Resolution("size"))).color()
    pipeline = reg.graphics("half.frag")
    return lambda cmd: cmd.draw(pipeline)


def copy(reg):
    reg.create("c", Texture("rgba32_sfloat", Resolution("size"))).color()
    reg.read("half").sampled(filter="nearest").bind("half_written")
    pipeline = reg.graphics("copy.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.fixture(params=[VulkanBackend, OpenGLBackend], ids=["vulkan", "opengl"])
def poisoned_bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[Poison], Bench]]:
    """Makes benches on each backend that renders."""
    with closing(request.param(validate=True)) as backend, ExitStack() as benches:

        def make(poison: Poison) -> Bench:
            return benches.enter_context(closing(Bench(backend, tmp_path, poison=poison)))

        yield make
    assert backend.validation_messages == []


@pytest.mark.vulkan
@pytest.mark.parametrize(
    ("poison", "stale"),
    [(Poison.ZERO, lambda x: x == 0), (Poison.NAN, np.isnan), (Poison.INFINITY, lambda x: x == np.inf)],
)
def test_who_reads_what_was_never_written_sees_the_poison(poisoned_bench, poison, stale) -> None:
    bench = poisoned_bench(poison)
    bench.shader("half.frag", HALF)
    bench.shader("copy.frag", COPY)
    bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    bench.graph.add_node("careless", careless)
    bench.graph.add_node("copy", copy)
    for _ in range(3):
        bench.frames(1)
        texels = bench.texels("c")
        assert np.all(texels[:, :4] == 5)
        assert np.all(stale(texels[:, 4:]))


@pytest.mark.vulkan
def test_histories_are_there_until_they_have_been_read(poisoned_bench) -> None:
    """And the first frame of one that nobody clears reads poison, also when the plan changes."""

    def count(first):
        def declare(reg):
            reg.create("c", Texture("rgba32_sfloat", Resolution("size"))).color()
            reg.history("c").first(first).sampled(filter="nearest").bind("previous")
            reg.side_effects()
            pipeline = reg.graphics("count.frag")
            return lambda cmd: cmd.draw(pipeline)

        return declare

    bench = poisoned_bench(Poison.NAN)
    bench.shader("count.frag", OLD.replace("0);", "0) + 1.0;"))
    bench.shader("half.frag", HALF)
    bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    bench.graph.add_node("counter", count("clear"))
    bench.graph.add_node("careless", careless)
    for frame in range(1, 5):
        bench.frames(1)
        assert np.all(bench.texels("c") == frame)
    bench.graph.remove_node("careless")
    bench.frames(2)
    assert np.all(bench.texels("c") == 6)
    bench.graph.remove_node("counter")
    bench.graph.add_node("counter", count("discard"))
    bench.graph.set_resolution("size", (7, 8))
    bench.frames(2)
    assert np.all(np.isnan(bench.texels("c")))


def test_the_log_of_the_null_backend_tells_the_fills(tmp_path: Path) -> None:
    backend = NullBackend()
    graph = FrameGraph()
    graph.define_resolution(ResolutionRule("size", size=(8, 8)))
    for name, text in (("half.frag", HALF), ("copy.frag", COPY)):
        (tmp_path / name).write_text(f"#version 450\n{text}")
    graph.add_sink("c")
    graph.add_node("careless", careless)
    graph.add_node("copy", copy)
    runtime = Runtime(graph, backend, ShaderLibrary([tmp_path]), poison=Poison.ONES)
    runtime.render(None)
    fills = [line for line in backend.log if "fill poison" in line and "with 0xffffffff" in line]
    assert len(fills) == 2  # all that there is before the first frame, and what the copy has read
    runtime.close()
    assert backend.alive == ()

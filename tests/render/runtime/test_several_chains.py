"""A node in several chains: it works beside each other, not one behind the other."""

from __future__ import annotations

from pathlib import Path

from renderwright.render.backend.null import NullBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import Chain
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Texture

BOTH = """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform sampler2D other;
layout(location = 0) out vec4 one;
layout(location = 1) out vec4 two;
void main() { one = texelFetch(source, ivec2(0), 0); two = texelFetch(other, ivec2(0), 0); }
"""


def failures(folder: Path, second: str) -> list[NodeFailure]:
    """Those of a node in the chain "one" and in "two", which begins with ``second``."""
    (folder / "both.frag").write_text(BOTH)
    graph = FrameGraph()

    def give(reg):
        reg.create("a", Texture("rgba16_sfloat", (8, 8))).color()
        reg.create("b", Texture("rgba16_sfloat", (8, 8))).color()
        return lambda cmd: None

    def both(reg):
        reg.chain("one")
        reg.chain("two").input.bind("other")
        reg.side_effects()
        pipeline = reg.graphics("both.frag")
        return lambda cmd: cmd.draw(pipeline)

    graph.add_chain(Chain("one", "a", "shown"))
    graph.add_chain(Chain("two", second, "shown_too"))
    graph.add_node("give", give)
    graph.add_node("both", both)
    found: list[NodeFailure] = []
    backend = NullBackend()
    runtime = Runtime(graph, backend, ShaderLibrary([folder]), on_failure=found.append)
    runtime.render(backend.create_target((8, 8)))
    runtime.close()
    return found


def test_a_node_joins_chains_beside_each_other(shader_folder: Path) -> None:
    assert failures(shader_folder, "b") == []


def test_a_node_cannot_join_a_chain_that_begins_with_the_end_of_its_own(shader_folder: Path) -> None:
    (failure,) = failures(shader_folder, "shown")
    assert "as sampled and as color at once" in str(failure.error)

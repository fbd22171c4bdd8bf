"""Parts of shaders that do not compile: the handler may take them out, and then their nodes stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Texture
from renderwright.render.types.shader_parts import ShaderPart

PAINT = """#version 450
layout(location = 0) out vec4 result;
float level();
void main() { result = vec4(LEVEL); }
#define OTHER level
#include PART
"""


class Painting:
    """A graph with two nodes, whose shaders have the parts of the fact ``parts``, and what has failed."""

    def __init__(self, folder: Path, handler: Callable[[Painting, NodeFailure], None]) -> None:
        (folder / "paint.frag").write_text(PAINT.replace("LEVEL", "1.0"))
        self.parts = []
        for name, text in (("good", "float level() { return 0.5; }"), ("bad", "float level() { return nothing; }")):
            (folder / f"{name}.glsl").write_text(text)
            self.parts.append(ShaderPart("PART", str(folder / f"{name}.glsl")))
        self.failures: list[NodeFailure] = []
        self.backend, self.graph = NullBackend(), FrameGraph()
        for name in ("first", "second"):
            self.graph.add_node(name, lambda reg, name=name: self.paint(reg, name))

        def failed(failure: NodeFailure) -> None:
            self.failures.append(failure)
            handler(self, failure)

        self.runtime = Runtime(self.graph, self.backend, ShaderLibrary([folder]), on_failure=failed)

    def paint(self, reg: Registry, name: str) -> object:
        reg.create(f"{name}_picture", Texture("rgba8_unorm", (4, 4))).color()
        reg.side_effects()
        plain = reg.graphics("paint.frag")
        for part in reg.fact("parts") or ():
            reg.graphics("paint.frag", parts=[part])
        return lambda cmd: cmd.draw(plain)


def take_out(painting: Painting, failure: NodeFailure) -> None:
    painting.graph.set_fact("parts", [part for part in painting.parts if part != failure.part])


def test_nodes_stay_when_the_handler_takes_the_part_out(tmp_path: Path) -> None:
    painting = Painting(tmp_path, take_out)
    painting.graph.set_fact("parts", painting.parts)
    report = painting.runtime.render(None)
    assert report is not None
    assert [node.declaration.name for node in report.plan.graph.nodes] == ["first", "second"]
    assert all(len(node.declaration.pipelines) == 2 for node in report.plan.graph.nodes)
    # Both nodes fail because of it, which is told once.
    (failure,) = painting.failures
    assert failure.part == painting.parts[1]
    assert "bad.glsl" in str(failure.error)
    painting.runtime.close()


@pytest.mark.parametrize("broken", ["part", "shader"])
def test_nodes_leave_when_nobody_does(tmp_path: Path, broken: str) -> None:
    painting = Painting(tmp_path, lambda painting, failure: None)
    if broken == "shader":
        (tmp_path / "paint.frag").write_text(PAINT)
    painting.graph.set_fact("parts", painting.parts)
    painting.runtime.render(None)
    assert painting.graph.node_names == ()
    # A shader that does not compile without its parts either is the fault of its node.
    assert [failure.part for failure in painting.failures] == (
        [painting.parts[1]] * 2 if broken == "part" else [None, None]
    )
    painting.runtime.close()

"""The pipeline cache gives back what has long been out of use, and nothing that is in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.on_demand import run_once
from renderwright.render.runtime.pipelines import KEPT
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Extent, Resolution, Texture

PAINT = """#version 450
layout(location = 0) out vec4 result;
void main() { result = vec4(1.0); }
"""


def paint(bias: float):
    """A node whose pipeline is another one for each bias."""

    def declare(reg):
        reg.create("picture", Texture("rgba8_unorm", (4, 4))).color()
        reg.side_effects()
        pipeline = reg.graphics("paint.frag", depth_bias=(bias, 0.0))
        return lambda cmd: cmd.draw(pipeline)

    return declare


def pipelines(backend: NullBackend) -> int:
    return sum(text.startswith("pipeline") for text in backend.alive)


def test_pipelines_out_of_use_are_given_back_the_oldest_first(tmp_path: Path) -> None:
    (tmp_path / "paint.frag").write_text(PAINT)
    backend = NullBackend()
    graph = FrameGraph()
    runtime = Runtime(graph, backend, ShaderLibrary([tmp_path]))
    for bias in range(KEPT + 10):
        graph.add_node("paint", paint(bias))
        runtime.render(None)
    assert pipelines(backend) == KEPT + 1
    made = sum(line.startswith("create pipeline") for line in backend.log)
    graph.add_node("paint", paint(KEPT))  # not long ago
    runtime.render(None)
    assert sum(line.startswith("create pipeline") for line in backend.log) == made
    graph.add_node("paint", paint(0))  # long ago
    runtime.render(None)
    assert sum(line.startswith("create pipeline") for line in backend.log) == made + 1
    runtime.close()
    assert backend.alive == ()


def test_graphs_run_on_demand_take_no_pipeline_from_the_frame(tmp_path: Path) -> None:
    (tmp_path / "paint.frag").write_text(PAINT)
    backend = NullBackend()
    graph = FrameGraph()
    graph.add_node("paint", paint(-1))
    runtime = Runtime(graph, backend, ShaderLibrary([tmp_path]))
    runtime.render(None)
    for bias in range(KEPT + 10):
        icon = FrameGraph()
        icon.add_node("paint", paint(bias))
        run_once(runtime, icon, keep=[])
        runtime.render(None)  # would raise, had its pipeline been given back
    assert KEPT < pipelines(backend) <= KEPT + 2
    runtime.close()
    assert backend.alive == ()


def sized(reg):
    """A node with a texture that follows a resolution."""
    reg.create("sized", Texture("rgba8_unorm", Resolution("size"))).color()
    reg.side_effects()
    pipeline = reg.graphics("sized.frag")
    return lambda cmd: cmd.draw(pipeline)


def unread(reg):
    """A node that the plan leaves out."""
    reg.create("unread", Texture("rgba8_unorm", (4, 4))).storage_write()
    return lambda cmd: None


@pytest.mark.parametrize("extent", [None, (4, 4)])
def test_nor_when_a_shader_has_been_edited_and_a_node_that_is_left_out_declared_anew(
    tmp_path: Path, extent: Extent | None
) -> None:
    (tmp_path / "paint.frag").write_text(PAINT)
    (tmp_path / "sized.frag").write_text(PAINT)
    failures = []
    backend = NullBackend()
    graph = FrameGraph()
    graph.set_resolution("size", (8, 8))
    graph.add_node("sized", sized)
    graph.add_node("unread", unread)
    runtime = Runtime(graph, backend, ShaderLibrary([tmp_path]), on_failure=failures.append)
    for _ in range(3):
        runtime.render(None)
    (tmp_path / "sized.frag").write_text(PAINT.replace("1.0", "2.0"))
    graph.add_node("unread", unread)
    graph.set_dynamic_resolution("size", extent)
    runtime.render(None)
    for bias in range(KEPT + 2):
        icon = FrameGraph()
        icon.add_node("paint", paint(bias))
        run_once(runtime, icon, keep=[])
    for last in (extent, None):
        graph.set_dynamic_resolution("size", last)
        runtime.render(None)
        runtime.render(None)
    assert failures == []
    runtime.close()
    assert backend.alive == ()

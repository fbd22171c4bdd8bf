"""Which parts of a texture a graph writes, and that no others are copied from plan to plan."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.runtime.memory.contents import written_parts
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import Resolution, Texture

WHITE = """#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); }
"""
LAYERS = Texture("rgba8_unorm", Resolution("main"), mips=3, layers=2)


def first_mip(reg):
    reg.create("pyramid", Texture("rgba8_unorm", (16, 16), mips=3)).mip(0).color()
    reg.history("pyramid").mip(0).sampled().bind("previous")
    reg.side_effects()
    pipeline = reg.graphics("white.frag")
    return lambda cmd: cmd.draw(pipeline)


def other(reg):
    reg.create("a", Texture("rgba8_unorm", (64, 64))).color()
    reg.side_effects()
    pipeline = reg.graphics("white.frag")
    return lambda cmd: cmd.draw(pipeline)


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ([Part((0, 1), (0, 1))], [Part((0, 1), (0, 1))]),
        ([Part((0, 1), (0, 1)), Part((0, 1), (1, 1))], [Part((0, 1), None)]),
        ([Part((0, 1), (0, 2)), Part((0, 3), (1, 1))], [Part((0, 1), None), Part((1, 2), (1, 1))]),
        ([Part(), Part((1, 1))], [WHOLE]),
    ],
)
def test_parts_that_are_written(asked: list[Part], parts: list[Part]) -> None:
    graph = FrameGraph()
    graph.set_resolution("main", (16, 16))

    def using(number: int, part: Part):
        def declare(reg):
            request = reg.modify("layers") if number else reg.create("layers", LAYERS)
            if part.mips:
                request = request.mips(*part.mips)
            if part.layers:
                request = request.layers(*part.layers)
            request.copy_dst()
            reg.side_effects()

        return declare

    def reads(reg):
        reg.read("layers").sampled().bind("layers")
        reg.side_effects()

    for number, part in enumerate(asked):
        graph.add_node(f"n{number}", using(number, part))
    graph.add_node("reads", reads)
    graph.declare()
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    name = next(item.id for item in plan.graph.resources if "layers" in item.resource.names)
    assert list(written_parts(plan, {name})[name]) == parts
    assert written_parts(plan, ()) == {}


@pytest.mark.vulkan
def test_only_written_parts_are_copied(shader_folder: Path) -> None:
    """A history that moves to another place has one mip that was drawn to, and two without contents."""
    (shader_folder / "white.frag").write_text(WHITE)
    recording = StreamRecorder(shader_folder / "stream.jsonl")
    with closing(VulkanBackend(validate=True, wrap=recording.wrap)) as backend:
        graph = FrameGraph()
        graph.add_node("first mip", first_mip)
        runtime = Runtime(graph, backend, ShaderLibrary([shader_folder]))
        with closing(backend.create_target((8, 8))) as target, closing(runtime):
            for edit in (None, None, other, None):
                if edit is not None:
                    graph.add_node("other", edit)
                recording.frame()
                runtime.render(target)
            backend.wait_idle()
        assert not backend.validation_messages
    recording.close()
    stream = (shader_folder / "stream.jsonl").read_text()
    assert stream.count('"copy image"') == 1
    assert not check(read_stream(shader_folder / "stream.jsonl")).findings


def test_cleared_parts_hold_their_clear_value() -> None:
    def makes(reg):
        reg.create("layers", Texture("rgba8_unorm", (16, 16), mips=3)).mip(0).color(clear=(1.0, 1.0, 1.0, 1.0))
        reg.side_effects()

    def reads(reg):
        reg.read("layers").mip(1).sampled().bind("layers")
        reg.side_effects()
        return lambda cmd: None

    graph = FrameGraph()
    graph.add_node("makes", makes)
    graph.add_node("reads", reads)
    graph.declare()
    plan = compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())
    assert written_parts(plan, {"layers"}) == {"layers": (Part((0, 2), None),)}

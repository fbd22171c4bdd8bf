"""Buffers whose size follows an auto-resolution."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import CompileError
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.inspect.plan_stream import require_sound
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Buffer

NUMBER = """#version 450
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) writeonly buffer Numbers { uint length; uint numbers[]; };
void main() {
    uint at = gl_GlobalInvocationID.x;
    length = uint(numbers.length());
    if (at < numbers.length()) numbers[at] = at;
}
"""


def number(reg: Registry) -> Callable[[Commands], None]:
    numbers = reg.create("numbers", Buffer(8, reg.resolution("items", 0.5))).storage_write("compute").bind("Numbers")
    pipeline = reg.compute("number.comp")
    return lambda cmd: cmd.dispatch(pipeline, (numbers.buffer.info.size // 4, 1))


@pytest.mark.vulkan
def test_a_buffer_has_so_many_bytes_for_each_texel(backend: VulkanBackend, shader_folder: Path) -> None:
    (shader_folder / "number.comp").write_text(NUMBER)
    graph = FrameGraph()
    graph.add_node("number", number)
    graph.add_sink("numbers")
    runtime = Runtime(graph, backend, ShaderLibrary([shader_folder]), judge=require_sound)
    for items in (6, 200, 31):
        graph.set_resolution("items", (items, 1))
        runtime.render(None)
        read = np.frombuffer(backend.read_buffer(runtime.resource("numbers")), np.uint32)
        assert len(read) == 2 * -(-items // 2)
        assert read[0] == len(read) - 1
        assert read[1:].tolist() == list(range(len(read) - 1))
    runtime.close()


@pytest.mark.vulkan
def test_a_buffer_without_its_resolution_is_an_error(backend: VulkanBackend, shader_folder: Path) -> None:
    (shader_folder / "number.comp").write_text(NUMBER)
    graph = FrameGraph()
    graph.add_node("number", number)
    graph.add_sink("numbers")
    failures: list[NodeFailure] = []
    runtime = Runtime(graph, backend, ShaderLibrary([shader_folder]), on_failure=failures.append)
    runtime.render(None)
    assert isinstance(failures[0].error, CompileError)
    assert 'buffer "numbers" of node "number" has no size: there is no resolution "items"' in str(failures[0].error)
    runtime.close()

"""Draws by commands that a compute node writes: the same picture however many of them a device draws by a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.inspect.plan_stream import require_sound
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan

COLUMNS = 8
DRAWN = 5
SHADERS = {
    # Each column's rectangle has four corners of its own; the number of the column is the first instance.
    "write.comp": """
layout(local_size_x = 8) in;
struct Command { uint indices; uint instances; uint first_index; int vertex_offset; uint first_instance; };
layout(std430, set = 0, binding = 0) writeonly buffer Drawing { uint number; uint pad[3]; Command commands[8]; };
layout(std430, set = 0, binding = 1) writeonly buffer Corners { uint corners[6]; };
void main() {
    uint at = gl_GlobalInvocationID.x;
    number = DRAWN;
    commands[at] = Command(at < DRAWN ? 6u : 0u, at < DRAWN ? 1u : 0u, 0u, int(at) * 4, at);
    if (at < 6) corners[at] = uint[](0, 1, 2, 2, 1, 3)[at];
}
""",
    "column.vert": """
layout(location = 0) flat out uint column;
void main() {
    uint corner = uint(gl_VertexIndex) % 4u;
    column = uint(gl_InstanceIndex);
    float left = float(gl_VertexIndex / 4) + float(corner & 1u);
    gl_Position = vec4(left / 4.0 - 1.0, float(corner >> 1) * 2.0 - 1.0, 0.5, 1.0);
}
""",
    "column.frag": """
layout(location = 0) flat in uint column;
layout(location = 0) out vec4 result;
void main() { result = vec4(float(column) + 1.0); }
""",
}


class Drawing:
    """A graph whose draw commands are written on the device, with its calls counted and recorded for the oracle."""

    def __init__(self, folder: Path, *, counted: bool) -> None:
        for name, text in SHADERS.items():
            (folder / name).write_text(f"#version 450\n#define DRAWN {DRAWN}\n{text}")
        self.calls: Counter[str] = Counter()
        self._counted = counted
        self._path = folder / "stream.jsonl"
        self._recording = StreamRecorder(self._path)
        self.backend = VulkanBackend(validate=True, wrap=self._wrap)
        graph = FrameGraph()
        graph.add_node("write", self._write)
        graph.add_node("show", self._show)
        graph.add_sink("a")
        self._runtime = Runtime(graph, self.backend, ShaderLibrary([folder]), judge=require_sound)

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        recorded = self._recording.wrap(name, function)

        def call(*arguments: Any) -> Any:
            self.calls[name] += 1
            return recorded(*arguments)

        return call

    def _write(self, reg: Registry) -> Callable[[Commands], None]:
        reg.create("drawing", Buffer(16 + 20 * COLUMNS)).storage_write("compute").bind("Drawing")
        reg.create("corners", Buffer(24)).storage_write("compute").bind("Corners")
        pipeline = reg.compute("write.comp")
        return lambda cmd: cmd.dispatch(pipeline, (COLUMNS, 1))

    def _show(self, reg: Registry) -> Callable[[Commands], None]:
        reg.create("a", Texture("r32_sfloat", (COLUMNS, 2))).color(clear=(0.0, 0.0, 0.0, 0.0))
        drawing = reg.read("drawing").indirect()
        corners = reg.read("corners").index()
        pipeline = reg.graphics("column.frag", "column.vert")

        def execute(cmd: Commands) -> None:
            cmd.indices(corners.buffer)
            cmd.bind(pipeline)
            if self._counted:
                cmd.draw_indexed_indirect_count(drawing.buffer, drawing.buffer, COLUMNS, offset=16)
            else:
                cmd.draw_indexed_indirect(drawing.buffer, COLUMNS, offset=16)

        return execute

    def columns(self) -> list[float]:
        """The values of the picture's columns after two frames."""
        for _ in range(2):
            self._recording.frame()
            self._runtime.render(None)
        texels = np.asarray(self.backend.read_texture(self._runtime.resource("a"), Layout.COLOR_ATTACHMENT))
        assert (texels[0] == texels[1]).all()
        return list(texels[0].ravel())

    def close(self) -> None:
        self._runtime.close()
        self.backend.close()
        self._recording.close()
        assert [message.text for message in self.backend.validation_messages] == []
        assert check(read_stream(self._path)).findings == ()


@pytest.fixture
def drawing(tmp_path: Path) -> Iterator[Callable[[bool], Drawing]]:
    made: list[Drawing] = []

    def make(counted: bool) -> Drawing:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Drawing(folder, counted=counted))
        return made[-1]

    yield make
    for one in made:
        one.close()


EXPECTED = [1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("counted", "call"), [(False, "vkCmdDrawIndexedIndirect"), (True, "vkCmdDrawIndexedIndirectCount")]
)
def test_a_call_draws_all_commands(drawing: Callable[[bool], Drawing], counted: bool, call: str) -> None:
    shown = drawing(counted)
    assert shown.columns() == EXPECTED
    assert shown.calls[call] > 0
    assert sum(number for name, number in shown.calls.items() if name.startswith("vkCmdDraw")) == shown.calls[call]


def test_a_device_that_reads_no_counts_draws_all(drawing: Callable[[bool], Drawing]) -> None:
    shown = drawing(True)
    shown.backend._device.indirect_counts = False
    assert shown.columns() == EXPECTED
    assert "vkCmdDrawIndexedIndirectCount" not in shown.calls


def test_a_device_with_few_commands_a_call_gets_several_calls(drawing: Callable[[bool], Drawing]) -> None:
    shown, few = drawing(True), drawing(True)
    few.backend._device.indirect_draws = 3
    assert few.columns() == shown.columns() == EXPECTED
    assert few.calls["vkCmdDrawIndexedIndirect"] == 3 * shown.calls["vkCmdDrawIndexedIndirectCount"]

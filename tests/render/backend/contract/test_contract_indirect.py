"""Draws by commands in a buffer."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from renderwright.render.backend.protocol import INDIRECT_BYTES, Backend, PipelineDesc, Recorder
from renderwright.render.sync.flags import Layout
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, attached, buffer_info, change, fragment, run_frame, texture_info, use, vertex

COLUMNS = 4
# One column for each instance, with the instance's number as colour.
COLUMN = """#version 450
layout(location = 0) flat out float shade;
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4((float(gl_InstanceIndex) + corner.x) * 0.5 - 1.0, corner.y * 2.0 - 1.0, 0.5, 1.0);
    shade = float(gl_InstanceIndex + 1) / 255.0;
}
"""
SHADE = """#version 450
layout(location = 0) flat in float shade;
layout(location = 0) out vec4 color;
void main() { color = vec4(shade, 0.0, 0.0, 1.0); }
"""


@pytest.mark.parametrize("counted", [False, True])
def test_each_command_draws_its_instances_and_empty_ones_nothing(device: Backend, counted: bool) -> None:
    target = device.create_texture(texture_info("rgba8_unorm", (COLUMNS, 1), Usage.COLOR), "columns")
    program = device.create_pipeline(PipelineDesc("columns", (vertex(COLUMN), fragment(SHADE)), ("rgba8_unorm",)))
    indices = struct.pack("<6I", 0, 1, 2, 2, 1, 3)
    index_buffer = device.create_buffer(buffer_info(len(indices), Usage.INDEX), "indices", indices)
    draws = [(6, 1, 0, 0, 0), (6, 0, 0, 0, 0), (6, 2, 0, 0, 1), (2, 0, 0, 0, 0), (6, 1, 0, 0, 3)]
    raw = bytes(INDIRECT_BYTES) + b"".join(struct.pack("<3IiI", *draw) for draw in draws)
    commands = device.create_buffer(buffer_info(len(raw), Usage.INDIRECT), "commands", raw)
    counts = device.create_buffer(buffer_info(4, Usage.INDIRECT), "counts", struct.pack("<I", len(draws)))

    def record(recorder: Recorder) -> None:
        recorder.barriers([change(target, FRESH, use(Usage.COLOR))])
        recorder.begin_pass([attached(target)], (COLUMNS, 1))
        recorder.bind_pipeline(program)
        recorder.bind_indices(index_buffer)
        recorder.draw_indexed_indirect(commands, len(draws), INDIRECT_BYTES, counts if counted else None)
        recorder.end_pass()

    for slot in (0, 1, 0):
        run_frame(device, record, slot)
    assert np.array_equal(device.read_texture(target, Layout.COLOR_ATTACHMENT)[0, :, 0], [1, 2, 3, 4])

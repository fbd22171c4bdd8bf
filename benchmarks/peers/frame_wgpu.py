"""A chain of full-screen passes in wgpu-py, recorded in each frame: CPU seconds of each frame, as JSON."""

import json
import sys

import wgpu

from benchmarks.measure import frame_times

SHADER = """
@group(0) @binding(0) var source: texture_2d<f32>;
@vertex fn corner(@builtin(vertex_index) number: u32) -> @builtin(position) vec4f {
    return vec4f(f32(number & 1u) * 4.0 - 1.0, f32(number >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn shade(@builtin(position) place: vec4f) -> @location(0) vec4f {
    return textureLoad(source, vec2i(place.xy), 0) * 0.5 + 0.25;
}
"""
FORMAT = wgpu.TextureFormat.rgba8unorm
passes, frames, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
adapters = wgpu.gpu.enumerate_adapters_sync()
adapter = next(found for found in adapters if found.info["backend_type"] == "Vulkan" and name in found.info["device"])
device = adapter.request_device_sync()
usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.TEXTURE_BINDING
views = [device.create_texture(size=(16, 16, 1), format=FORMAT, usage=usage).create_view() for _ in range(passes + 1)]
module = device.create_shader_module(code=SHADER)
pipeline = device.create_render_pipeline(
    layout="auto",
    vertex={"module": module, "entry_point": "corner"},
    primitive={"topology": "triangle-list"},
    fragment={"module": module, "entry_point": "shade", "targets": [{"format": FORMAT}]},
)
word = device.create_buffer(size=4, usage=wgpu.BufferUsage.COPY_SRC)
layout = pipeline.get_bind_group_layout(0)
groups = [
    device.create_bind_group(layout=layout, entries=[{"binding": 0, "resource": view}]) for view in views[:passes]
]


def frame() -> None:
    """Record and submit all passes."""
    encoder = device.create_command_encoder()
    for group, view in zip(groups, views[1:], strict=True):
        attachment = {"view": view, "load_op": "clear", "store_op": "store", "clear_value": (0, 0, 0, 0)}
        render_pass = encoder.begin_render_pass(color_attachments=[attachment])
        render_pass.set_pipeline(pipeline)
        render_pass.set_bind_group(0, group)
        render_pass.draw(3)
        render_pass.end()
    device.queue.submit([encoder.finish()])


def finish() -> None:
    """Wait for the device: what is read was written before."""
    device.queue.read_buffer(word)


frame_times(frame, finish, 20)
print(json.dumps(frame_times(frame, finish, frames)))

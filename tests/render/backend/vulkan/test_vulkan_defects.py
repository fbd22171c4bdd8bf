"""Drivers are distrusted for what they really do wrong, and for nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.protocol import PipelineDesc, TextureBinding
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.defects import draws_views_wrong, filters_anisotropy_wrong
from renderwright.render.backend.vulkan.describe import describe_devices
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.errors import BackendError
from renderwright.render.shaders.module import BindingKind
from renderwright.render.sync.flags import Layout
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, attached, binding, change, fragment, run_frame, texture_info, use, vertex
from tests.one_time import once

VIEW = """#version 450
#extension GL_EXT_multiview : require
layout(location = 0) flat in int drawn_for;
layout(location = 0) out vec4 color;
void main() { color = vec4(float(1 + drawn_for), float(1 + gl_ViewIndex), 0.0, 1.0) / 255.0; }
"""
SQUARE = """#version 450
#extension GL_EXT_multiview : require
layout(location = 0) flat out int drawn_for;
void main() {
    drawn_for = gl_ViewIndex;
    vec2 corner = vec2(gl_VertexIndex % 3 == 1 || gl_VertexIndex == 3, gl_VertexIndex % 3 == 2 || gl_VertexIndex == 3);
    corner = gl_VertexIndex >= 3 ? 1.0 - vec2(gl_VertexIndex == 4, gl_VertexIndex == 5) : corner;
    gl_Position = vec4(REACH * (corner * 2.0 - 1.0), 0.5, 1.0);
}
"""


def layers(backend: VulkanBackend, reach: float) -> np.ndarray:
    """What the views are drawn to, of a square that reaches so far; the picture ends at 1. Zeros are left alone."""
    target = backend.create_texture(texture_info("rgba8_unorm", (8, 8), Usage.COLOR, layers=4), "target")
    shaders = vertex(SQUARE.replace("REACH", f"{reach}")), fragment(VIEW)
    pipeline = backend.create_pipeline(PipelineDesc("views", shaders, ("rgba8_unorm",), views=2))

    def frame(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(target, FRESH, use(Usage.COLOR))])
        recorder.begin_pass([attached(target)], (8, 8), 2)
        recorder.timestamp(0, 2)
        recorder.bind_pipeline(pipeline)
        recorder.draw(6)
        recorder.timestamp(2, 2)
        recorder.end_pass()

    run_frame(backend, frame)
    return np.asarray(backend.read_texture(target, Layout.COLOR_ATTACHMENT))[..., :2]


@pytest.mark.vulkan
def test_views_are_drawn_to_their_layers(backend: VulkanBackend) -> None:
    found = layers(backend, 1.0)
    assert [np.unique(layer).tolist() for layer in found[:2]] == [[1], [2]]
    backend.begin_frame(0)
    stamps = backend.timestamps(0)
    backend.end_frame(0, [], None)
    assert len(stamps) == 4
    assert sum(stamps[2:]) > sum(stamps[:2]) > 0


@pytest.mark.vulkan
def test_a_driver_is_trusted_with_several_views_if_it_clips_them_rightly(backend: VulkanBackend) -> None:
    found = layers(backend, 3.0)
    right = [np.unique(layer).tolist() for layer in found[:2]] == [[1], [2]]
    assert (backend.capabilities.views > 1) is right


@pytest.mark.vulkan
def test_no_pipeline_draws_more_views_than_the_device(backend: VulkanBackend) -> None:
    with pytest.raises(BackendError, match="draws 33 views at once"):
        backend.create_pipeline(PipelineDesc("many", (vertex(), fragment(VIEW)), ("rgba8_unorm",), views=33))


FLOOR = """#version 450
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;
void main() { color = texture(picture, gl_FragCoord.xy * vec2(1.0 / 64.0)); }
"""


@pytest.mark.vulkan
def test_magnified_texels_are_interpolated(monkeypatch: pytest.MonkeyPatch, backend: VulkanBackend) -> None:
    """A black and a white texel, each 32 wide and 4 high in the picture."""
    right = not filters_anisotropy_wrong(backend.capabilities.driver)
    assert (backend.capabilities.anisotropy > 1.0) is right
    monkeypatch.setattr(backend._device, "most_anisotropy", 16.0)
    target = backend.create_texture(texture_info("rgba8_unorm", (64, 8), Usage.COLOR), "target")
    texels = np.zeros((16, 2, 4), np.uint8)
    texels[:, 1] = 255
    picture = backend.create_texture(texture_info("rgba8_unorm", (2, 16), Usage.SAMPLED, mips=5), "floor", texels)
    shaders = vertex(), fragment(FLOOR, binding(0, "picture", BindingKind.SAMPLED))
    pipeline = backend.create_pipeline(PipelineDesc("floor", shaders, ("rgba8_unorm",)))
    sampled = TextureBinding(picture, Layout.SHADER_READ_ONLY, Sampling("linear", "repeat", 16.0))
    bound = backend.create_bindings(pipeline, 0, {"picture": sampled}, "floor")

    def frame(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(target, FRESH, use(Usage.COLOR))])
        recorder.begin_pass([attached(target)], (64, 8))
        recorder.bind_pipeline(pipeline)
        recorder.bind_set(pipeline, 0, bound)
        recorder.draw(3)
        recorder.end_pass()

    run_frame(backend, frame)
    row = np.asarray(backend.read_texture(target, Layout.COLOR_ATTACHMENT))[4, 16:48, 0].astype(int)
    assert bool(np.diff(row).max() < 16) is right


SLOW = """#version 450
layout(location = 0) out vec4 color;
void main() {
    float sum = 0.0;
    for (int i = 0; i < int(gl_FragCoord.w) * 2000; ++i) {
        sum += sin(float(i) + gl_FragCoord.x);
    }
    color = vec4(sum > 1e9 ? 0.0 : 1.0);
}
"""


@pytest.mark.vulkan
def test_a_barrier_that_begins_a_command_buffer_waits_for_the_one_before(backend: VulkanBackend) -> None:
    """A slow drawing, then, in a command buffer of its own, a barrier and a fill of the same memory."""
    info = texture_info("rgba8_unorm", (256, 256), Usage.COLOR)
    needs = backend.texture_needs(info)
    heap = backend.create_heap(needs.memory_class, needs.size, "shared")
    drawn, filled = backend.place_texture(heap, 0, info, "drawn"), backend.cover_heap(heap, "filled")
    pipeline = backend.create_pipeline(PipelineDesc("slow", (vertex(), fragment(SLOW)), ("rgba8_unorm",)))

    def draw(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(drawn, FRESH, use(Usage.COLOR))])
        recorder.begin_pass([attached(drawn)], (256, 256))
        recorder.bind_pipeline(pipeline)
        recorder.draw(3)
        recorder.end_pass()

    def fill(recorder: VulkanRecorder) -> None:
        recorder.full_barrier()
        recorder.fill_buffer(filled, 0x12345678, 0, filled.info.size)

    backend.begin_frame(0)
    buffers = []
    for record in (draw, fill):
        recorder = backend.recorder(0)
        record(recorder)
        buffers += once(backend, 0, [recorder.take()]).commands
    backend.end_frame(0, [QueuedCommands(tuple(buffers))], None)
    backend.wait_idle()
    assert np.unique(np.frombuffer(backend.read_buffer(filled), np.uint32)).tolist() == [0x12345678]


@pytest.mark.vulkan
def test_a_person_is_told_what_is_not_used() -> None:
    for device in describe_devices():
        assert bool(device.unused) is draws_views_wrong(device.driver)


@pytest.mark.parametrize(
    ("driver", "wrong"),
    [
        ("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", True),
        ("llvmpipe Mesa 24.3.0 (LLVM 19.1.0)", True),
        ("llvmpipe Mesa 25.0.7-2 (LLVM 15.0.6)", False),
        ("llvmpipe Mesa 100.1.0", False),
        ("NVIDIA 580.65.06", False),
        ("radv Mesa 22.3.6", False),
    ],
)
def test_versions_are_told_apart(driver: str, wrong: bool) -> None:
    assert draws_views_wrong(driver) is wrong
    assert filters_anisotropy_wrong(driver) is wrong

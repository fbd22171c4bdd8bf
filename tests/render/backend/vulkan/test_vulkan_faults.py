from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from vulkan_faults import Faults
from vulkan_support import (
    FRESH,
    attached,
    binding,
    buffer_info,
    change,
    fragment,
    run_frame,
    texture_info,
    use,
    vertex,
)

from render.backend.protocol import PipelineDesc, TextureBinding
from render.backend.vulkan.api import lib
from render.backend.vulkan.backend import VulkanBackend
from render.backend.vulkan.recorder import VulkanRecorder
from render.backend.vulkan.timeline import DeviceHungError
from render.errors import DeviceLostError, OutOfMemoryError
from render.shaders.module import BindingKind
from render.sync.flags import Layout
from render.sync.usages import Usage

pytestmark = pytest.mark.vulkan

SAMPLES = """#version 450
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;
void main() { color = texture(picture, vec2(0.5)); }
"""


def use_everything(faults: Faults) -> None:
    """One of each kind of object."""
    backend = VulkanBackend(wrap=faults.wrap)
    try:
        picture_info = texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED)
        picture = backend.create_texture(picture_info, "picture", np.zeros((4, 4, 4), np.uint8))
        backend.create_buffer(buffer_info(4, Usage.STORAGE), "buffer", b"1234")
        placed_info = texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED, Usage.COLOR, mips=3)
        needs = backend.texture_needs(placed_info)
        heap = backend.create_heap(needs.memory_class, needs.size, "heap")
        backend.place_texture(heap, 0, placed_info, "placed")
        buffer_needs = backend.buffer_needs(buffer_info(64, Usage.STORAGE))
        buffers = backend.create_heap(buffer_needs.memory_class, buffer_needs.size, "buffers")
        backend.place_buffer(buffers, 0, buffer_info(64, Usage.STORAGE), "placed")
        target = backend.create_target((4, 4))
        samples = fragment(SAMPLES, binding(0, "picture", BindingKind.SAMPLED))
        program = backend.create_pipeline(PipelineDesc("samples", (vertex(), samples), (target.format,)))
        bound = backend.create_bindings(
            program, 0, {"picture": TextureBinding(picture, Layout.SHADER_READ_ONLY)}, "bound"
        )
        image = target.acquire(0)
        assert image is not None

        def record(recorder: VulkanRecorder) -> None:
            recorder.barriers([change(image, FRESH, use(Usage.COLOR))])
            recorder.begin_pass([attached(image)], (4, 4))
            recorder.bind_pipeline(program)
            recorder.bind_set(program, 0, bound)
            recorder.draw(3)
            recorder.end_pass()
            recorder.barriers([change(image, use(Usage.COLOR), use(Usage.PRESENT))])

        run_frame(backend, record)
        backend.destroy(bound)
        backend.read_texture(image, Layout.PRESENT_SRC)
    finally:
        backend.close()


def test_every_failed_call_is_an_error_and_leaks_nothing() -> None:
    complete = Faults(-1)
    use_everything(complete)
    assert complete.leaked() == {}
    assert len(complete.alive) >= 15, "the scenario makes most kinds of objects"
    survived = set()
    for number in range(complete.calls):
        faults = Faults(number)
        try:
            use_everything(faults)
        except OutOfMemoryError:
            pass
        else:
            survived.add(faults.failed)
        assert faults.leaked() == {}, f"call {number}, {faults.failed}, failed"
    # Where one type of memory is full, another may do.
    assert survived <= {"vkAllocateMemory"}


@pytest.mark.parametrize(
    ("result", "error", "abandoned"),
    [(lib.VK_ERROR_DEVICE_LOST, DeviceLostError, False), (lib.VK_TIMEOUT, DeviceHungError, True)],
)
def test_a_device_that_stops_answering(result: int, error: type[Exception], abandoned: bool) -> None:
    faults = Faults(-1)
    answering = True

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if name != "vkWaitSemaphores":
            return faults.wrap(name, function)
        return lambda *arguments: function(*arguments) if answering else result

    backend = VulkanBackend(wrap=wrap)
    backend.create_buffer(buffer_info(4, Usage.STORAGE), "buffer")
    run_frame(backend, lambda recorder: recorder.full_barrier())
    answering = False
    with pytest.raises(error):
        backend.begin_frame(0)
    backend.close()
    assert bool(faults.leaked()) is abandoned

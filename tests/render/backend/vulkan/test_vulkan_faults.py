from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from vulkan_faults import Faults

from renderwright.render.backend.protocol import PipelineDesc, TextureBinding
from renderwright.render.backend.vulkan.api import lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.errors import DeviceHungError, DeviceLostError, OutOfMemoryError
from renderwright.render.shaders.module import BindingKind
from renderwright.render.sync.flags import Layout
from renderwright.render.types.usages import Usage
from tests.on_devices import (
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

pytestmark = pytest.mark.vulkan

SAMPLES = """#version 450
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;
void main() { color = texture(picture, vec2(0.5)); }
"""


def use_everything(backend: VulkanBackend) -> None:
    """One of each kind of object, all of them destroyed again, also when one cannot be made."""
    with ExitStack() as undo:

        def own(made: Any) -> Any:
            undo.callback(backend.destroy, made)
            return made

        picture_info = texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED)
        picture = own(backend.create_texture(picture_info, "picture", np.zeros((4, 4, 4), np.uint8)))
        own(backend.create_buffer(buffer_info(4, Usage.STORAGE), "buffer", b"1234"))
        placed_info = texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED, Usage.COLOR, mips=3)
        needs = backend.texture_needs(placed_info)
        heap = own(backend.create_heap(needs.memory_class, needs.size, "heap"))
        own(backend.place_texture(heap, 0, placed_info, "placed"))
        buffer_needs = backend.buffer_needs(buffer_info(64, Usage.STORAGE))
        buffers = own(backend.create_heap(buffer_needs.memory_class, buffer_needs.size, "buffers"))
        own(backend.place_buffer(buffers, 0, buffer_info(64, Usage.STORAGE), "placed"))
        target = backend.create_target((4, 4))
        undo.callback(target.close)
        samples = fragment(SAMPLES, binding(0, "picture", BindingKind.SAMPLED))
        program = own(backend.create_pipeline(PipelineDesc("samples", (vertex(), samples), (target.format,))))
        shown = {"picture": TextureBinding(picture, Layout.SHADER_READ_ONLY)}
        bound = own(backend.create_bindings(program, 0, shown, "bound"))
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
        backend.read_texture(image, Layout.PRESENT_SRC)


def use_twice(backend: VulkanBackend) -> None:
    """The backend tries again what can be tried again; everything else its user does."""
    try:
        use_everything(backend)
    except OutOfMemoryError:
        use_everything(backend)
    backend.wait_idle()


def test_every_failed_call_is_an_error_and_leaks_nothing() -> None:
    faults = Faults()
    backend = VulkanBackend(validate=True, wrap=faults.wrap)
    use_everything(backend)
    backend.wait_idle()
    before = faults.living()
    with faults.armed():
        use_everything(backend)
    backend.wait_idle()
    calls = len(faults.calls)
    assert calls >= 30, "the scenario makes most kinds of objects"
    for number in range(calls):
        with faults.armed(number, lasting=True), pytest.raises(OutOfMemoryError) as caught:
            use_everything(backend)
        assert faults.failed
        assert caught.value.message
        backend.wait_idle()
        assert faults.living() == before, f"call {number}, {faults.failed}, failed"
        with faults.armed(number):
            use_twice(backend)
        assert faults.living() == before, f"call {number}, {faults.failed}, failed once"
    backend.close()
    assert faults.living() == {}
    assert backend.validation_messages == []


def test_a_sampler_that_cannot_be_made() -> None:
    faults = Faults()
    backend = VulkanBackend(wrap=faults.wrap)
    with faults.armed():
        use_everything(backend)
    backend.close()
    fail = faults.calls.index("vkCreateSampler")
    backend = VulkanBackend(wrap=faults.wrap)
    before = faults.living()
    with faults.armed(fail), pytest.raises(OutOfMemoryError, match="create a sampler"):
        use_everything(backend)
    backend.wait_idle()
    assert faults.living() == before
    backend.close()
    assert faults.living() == {}


def test_a_backend_that_cannot_be_opened_leaves_nothing_behind() -> None:
    faults = Faults()
    with faults.armed():
        VulkanBackend(wrap=faults.wrap).close()
    assert faults.living() == {}
    calls = len(faults.calls)
    for number in range(calls):
        with faults.armed(number), pytest.raises(OutOfMemoryError):
            VulkanBackend(wrap=faults.wrap)
        assert faults.living() == {}, f"call {number}, {faults.failed}, failed"


@pytest.mark.parametrize(
    ("result", "error", "abandoned"),
    [(lib.VK_ERROR_DEVICE_LOST, DeviceLostError, False), (lib.VK_TIMEOUT, DeviceHungError, True)],
)
def test_a_device_that_stops_answering(result: int, error: type[Exception], abandoned: bool) -> None:
    faults = Faults()
    answering = True

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wait(*arguments: Any) -> Any:
            waited = function(*arguments)  # the real device must not be at work any more when its objects go
            return waited if answering else result

        if name == "vkWaitSemaphores":
            return wait
        if name == "vkGetSemaphoreCounterValue":
            return lambda *arguments: function(*arguments) if answering else lib.VK_SUCCESS
        return faults.wrap(name, function)

    backend = VulkanBackend(wrap=wrap)
    backend.create_buffer(buffer_info(4, Usage.STORAGE), "buffer")
    run_frame(backend, lambda recorder: recorder.full_barrier())
    answering = False
    with pytest.raises(error):
        backend.begin_frame(0)
    backend.close()
    assert bool(faults.living()) is abandoned

"""Full memory, losses and hangs, told as on every backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.opengl import enums as gl
from renderwright.render.errors import BackendError, DeviceHungError, DeviceLostError, OutOfMemoryError
from renderwright.render.sync.flags import Layout
from renderwright.render.types.usages import Usage
from tests.on_devices import buffer_info, run_frame, texture_info

INFO = texture_info("rgba8_unorm", (64, 64), Usage.COLOR)


class Faults:
    """A wrapper of OpenGL's functions: ``answers`` replace the results of the next calls, by function name."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Any]] = {}

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = function(*arguments)
            waiting = self.answers.get(name)
            return waiting.pop(0) if waiting else result

        return call

    def fill_memory(self, times: int) -> None:
        """Have the driver say so many times that it has no room: at the check behind the call."""
        self.answers["glGetError"] = [gl.NO_ERROR, gl.OUT_OF_MEMORY, gl.NO_ERROR] * times


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
def backend(faults: Faults) -> Iterator[OpenGLBackend]:
    with closing(OpenGLBackend(wrap=faults.wrap)) as backend:
        yield backend


def test_full_memory_is_told_with_the_texture(backend: OpenGLBackend, faults: Faults) -> None:
    faults.fill_memory(2)
    with pytest.raises(OutOfMemoryError, match=r"create the texture 'canvas' \(rgba8_unorm 64x64\)") as caught:
        backend.create_texture(INFO, "canvas")
    assert "use smaller or fewer textures" in caught.value.hint


def test_an_allocation_is_tried_again_when_the_device_is_idle(backend: OpenGLBackend, faults: Faults) -> None:
    faults.fill_memory(1)
    assert backend.create_texture(INFO, "canvas").info == INFO


def test_a_heap_without_room_leaves_nothing_behind(backend: OpenGLBackend, faults: Faults) -> None:
    needs = backend.texture_needs(INFO)
    before = len(backend._objects)
    faults.fill_memory(2)
    with pytest.raises(OutOfMemoryError):
        backend.create_heap(needs.memory_class, 4 * needs.size, "heap")
    assert len(backend._objects) == before


def test_a_reset_context_is_a_lost_device(backend: OpenGLBackend, faults: Faults) -> None:
    run_frame(backend, lambda recorder: recorder.full_barrier())
    faults.answers["glGetGraphicsResetStatus"] = [0x8253]
    with pytest.raises(DeviceLostError, match="the OpenGL context is lost"):
        backend.begin_frame(0)


def test_a_headless_context_tells_resets(backend: OpenGLBackend) -> None:
    lose_context_on_reset, reset_notification_strategy = 0x8252, 0x8256
    assert backend._device.api.integer(reset_notification_strategy) == lose_context_on_reset


def test_two_backends_do_not_disturb_each_other(backend: OpenGLBackend) -> None:
    info = texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED, Usage.COPY_SRC)
    dark, light = (np.full((4, 4, 4), value, np.uint8) for value in (10, 200))
    texture, kept = (backend.create_texture(info, name, dark) for name in ("canvas", "kept"))
    with closing(OpenGLBackend()) as other:
        others = other.create_texture(info, "canvas of another", light)
        backend.destroy(texture)
        backend.wait_idle()
        run_frame(other, lambda recorder: recorder.full_barrier())
        run_frame(backend, lambda recorder: recorder.full_barrier())
        assert np.array_equal(other.read_texture(others, Layout.SHADER_READ_ONLY), light)
    assert np.array_equal(backend.read_texture(kept, Layout.SHADER_READ_ONLY), dark)


def test_a_device_that_is_not_there_is_named() -> None:
    with pytest.raises(BackendError, match='there is no OpenGL device "toaster"'):
        OpenGLBackend("toaster")
    with pytest.raises(BackendError, match='there is no OpenGL device "99"'):
        OpenGLBackend("99")


def test_a_device_without_progress_hangs() -> None:
    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return (lambda *_: gl.TIMEOUT_EXPIRED) if name == "glClientWaitSync" and stuck else function

    stuck = [True]
    backend = OpenGLBackend(wrap=wrap, wait_seconds=0.01)
    run_frame(backend, lambda recorder: recorder.full_barrier())
    with pytest.raises(DeviceHungError, match=r"has made no progress for 0\.01 s"):
        backend.wait_idle()
    stuck.clear()
    backend._device.api.glFinish()


def test_wrong_calls_are_told_at_the_end_of_the_frame(backend: OpenGLBackend, faults: Faults) -> None:
    buffer = backend.create_buffer(buffer_info(16, Usage.STORAGE), "numbers")
    faults.answers["glGetError"] = [0x0502]
    with pytest.raises(Exception, match="cannot submit a frame: GL_INVALID_OPERATION"):
        run_frame(backend, lambda recorder: recorder.fill_buffer(buffer))

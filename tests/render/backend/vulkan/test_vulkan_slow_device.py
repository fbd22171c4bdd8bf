"""Waits that give up on a slow device, which uses what it was given until it has finished.

The validation layer objects to what is destroyed or recorded again too early, and the driver crashes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from vulkan_faults import Faults
from vulkan_slow import slow

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.errors import DeviceHungError
from renderwright.render.sync.flags import Layout
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, buffer_info, change, run_frame, texture_info, use

pytestmark = pytest.mark.vulkan

DATA = bytes(range(256)) * 4096
PIXELS = np.arange(512 * 512 * 4, dtype=np.uint8).reshape(512, 512, 4)


class Things:
    """What the waits are for."""

    def __init__(self, backend: VulkanBackend) -> None:
        self.backend = backend
        self.info = texture_info("rgba8_unorm", (512, 512), Usage.SAMPLED, mips=4)
        self.texture: VulkanTexture = backend.create_texture(self.info, "texture", PIXELS)
        self.buffer: VulkanBuffer = backend.create_buffer(buffer_info(len(DATA), Usage.STORAGE), "buffer", DATA)

    def read_texture(self) -> None:
        """Through a staging buffer that the device writes to."""
        assert np.array_equal(self.backend.read_texture(self.texture, Layout.SHADER_READ_ONLY), PIXELS)

    def read_buffer(self) -> None:
        """The same for a buffer."""
        assert self.backend.read_buffer(self.buffer) == DATA

    def create_texture(self) -> None:
        """From a staging buffer, and its mips are made from each other."""
        made = self.backend.create_texture(self.info, "made", PIXELS)
        assert np.array_equal(self.backend.read_texture(made, Layout.SHADER_READ_ONLY), PIXELS)
        self.backend.destroy(made)

    def create_buffer(self) -> None:
        """From a staging buffer."""
        made = self.backend.create_buffer(buffer_info(len(DATA), Usage.STORAGE), "made", DATA)
        assert self.backend.read_buffer(made) == DATA
        self.backend.destroy(made)

    def stream_texture(self) -> None:
        """Through the staging ring."""
        streamed = self.backend.stream_texture(self.info, "streamed", PIXELS)
        try:
            streamed.wait()
            assert np.array_equal(self.backend.read_texture(streamed.asset, Layout.SHADER_READ_ONLY), PIXELS)
        finally:
            self.backend.destroy(streamed.asset)

    def begin_frame(self) -> None:
        """Of the slot whose frame is still on the device."""
        run_frame(self.backend, self._fill)
        run_frame(self.backend, self._fill)

    def wait_idle(self) -> None:
        """For the last frame."""
        run_frame(self.backend, self._fill, slot=1)
        self.backend.wait_idle()

    def background(self) -> None:
        """Work beside the frames, destroyed after it was given up on."""
        made = self.backend.create_buffer(buffer_info(len(DATA), Usage.COPY_DST), "filled beside")
        work = self.backend.background(compute=False)
        try:
            work.begin(0)
            recorder = work.recorder(0)
            recorder.fill_buffer(made, 7)
            commands = work.create_commands(0, "slice")
            self.backend.record(commands, [recorder.take()])
            work.follow_frames()
            work.submit(0, [QueuedCommands((commands,))])
            work.wait()
        finally:
            self.backend.destroy(made)
            self.backend.destroy(work)

    def _fill(self, recorder: VulkanRecorder) -> None:
        made = self.backend.create_texture(self.info, "filled")
        recorder.barriers([change(made, FRESH, use(Usage.COPY_DST))])
        recorder.clear_texture(made, Layout.TRANSFER_DST, (1.0, 1.0, 1.0, 1.0))
        self.backend.destroy(made)


WAITS: list[Callable[[Things], None]] = [
    Things.read_texture,
    Things.read_buffer,
    Things.create_texture,
    Things.create_buffer,
    Things.stream_texture,
    Things.begin_frame,
    Things.wait_idle,
    Things.background,
]


def name_of(wait: Callable[[Things], None]) -> str:
    return wait.__name__


@pytest.mark.parametrize("wait", WAITS, ids=name_of)
def test_a_wait_that_gives_up_leaves_everything_to_the_device(wait: Callable[[Things], None]) -> None:
    faults = Faults()
    backend = VulkanBackend(validate=True, wrap=faults.wrap)
    things = Things(backend)
    with slow(backend):
        for _ in range(2):  # the second attempt finds the first one on the device
            with pytest.raises(DeviceHungError):
                wait(things)
    wait(things)
    things.read_texture()
    things.read_buffer()
    backend.close()
    assert [message.text for message in backend.validation_messages] == []
    assert faults.living() == {}


@pytest.mark.parametrize("wait", WAITS, ids=name_of)
def test_an_interrupted_wait_leaves_everything_to_the_device(wait: Callable[[Things], None]) -> None:
    """Ctrl-C arrives while the host waits."""
    faults, interrupts = Faults(), [False]

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        inner = faults.wrap(name, function)
        if name != "vkWaitSemaphores":
            return inner

        def interrupted(*arguments: Any) -> Any:
            if interrupts[0]:
                raise KeyboardInterrupt
            return inner(*arguments)

        return interrupted

    backend = VulkanBackend(validate=True, wrap=wrap)
    things = Things(backend)
    with slow(backend):
        interrupts[0] = True
        with pytest.raises(KeyboardInterrupt):
            wait(things)
        interrupts[0] = False
    wait(things)
    backend.close()
    assert [message.text for message in backend.validation_messages] == []
    assert faults.living() == {}


@pytest.mark.parametrize("wait", WAITS, ids=name_of)
def test_an_interrupt_right_behind_a_submission(wait: Callable[[Things], None]) -> None:
    """Ctrl-C arrives when the driver has taken a submission and nothing here has noted it yet."""
    faults, interrupts = Faults(), [False]

    def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        inner = faults.wrap(name, function)
        if name != "vkQueueSubmit2":
            return inner

        def interrupted(*arguments: Any) -> Any:
            result = inner(*arguments)
            if interrupts[0]:
                interrupts[0] = False
                raise KeyboardInterrupt
            return result

        return interrupted

    backend = VulkanBackend(validate=True, wrap=wrap)
    things = Things(backend)
    with slow(backend):
        interrupts[0] = True
        with pytest.raises(KeyboardInterrupt):
            wait(things)
        backend.destroy(things.texture)
        backend.destroy(things.buffer)
    backend.close()
    assert [message.text for message in backend.validation_messages] == []
    assert faults.living() == {}

"""A slow device is told from one that hangs by its progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from vulkan_slow import LIMIT, Gate, slow

from renderwright.render.backend.progress import LONGEST, SLOWER, Progress
from renderwright.render.backend.vulkan.api import lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.defects import waits_for_queries
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.errors import DeviceHungError
from tests.on_devices import run_frame

pytestmark = pytest.mark.vulkan


class Stepping:
    """A dispatch wrapper that lets something happen whenever a wait has come to its end in vain; ``vain`` counts."""

    def __init__(self) -> None:
        self.vain = 0
        self.then: Callable[[], None] = lambda: None

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if name != "vkWaitSemaphores":
            return function

        def wait(*arguments: Any) -> Any:
            result = function(*arguments)
            if result == lib.VK_TIMEOUT:
                self.vain += 1
                self.then()
            return result

        return wait


def stamped(recorder: VulkanRecorder) -> None:
    recorder.timestamp(0)
    recorder.full_barrier()
    recorder.timestamp(1)


def test_a_slow_device_that_makes_progress_is_waited_for() -> None:
    stepping = Stepping()
    backend = VulkanBackend(validate=True, wrap=stepping.wrap)
    gate = Gate(backend)
    for _ in range(20):
        gate.shut()
    run_frame(backend, stamped)
    progress = backend._device.progress
    patience, progress.limit = progress.limit, LIMIT
    vain_at_gates = 0

    def go_on() -> None:
        nonlocal vain_at_gates
        if not gate.is_open:
            vain_at_gates += 1
            gate.let_pass()
        else:  # a busy machine may let the frame itself wait
            progress.limit = patience

    stepping.then = go_on
    backend.wait_idle()
    assert vain_at_gates == 20, "each wait alone was too short"
    stepping.then = lambda: None
    gate.remove()
    backend.close()
    assert backend.validation_messages == []


def test_without_progress_it_hangs() -> None:
    stepping = Stepping()
    backend = VulkanBackend(validate=True, wrap=stepping.wrap)
    with slow(backend):
        run_frame(backend, stamped)
        with pytest.raises(DeviceHungError, match=r"has made no progress for 0\.01 s"):
            backend.wait_idle()
        assert 2 <= stepping.vain <= 8, "it looks for progress several times"
    backend.close()
    assert backend.validation_messages == []


def test_frames_that_were_slow_before_get_more_time() -> None:
    progress = Progress()
    progress.limit = 100
    assert progress.patience == 100
    progress.measured(90)
    assert progress.patience == 90 * SLOWER
    progress.measured(10**9)
    assert progress.patience == 100 * LONGEST
    progress.measured(1)
    assert progress.patience == 100


def test_timestamps_say_how_far_a_frame_is(backend: VulkanBackend) -> None:
    run_frame(backend, stamped)
    backend.wait_idle()
    assert all(backend.timestamps(0))
    assert list(backend.passed(0)) == [True, True]
    with slow(backend):
        run_frame(backend, stamped)
        assert list(backend.passed(0)) == [False, False]
    assert list(backend.passed(0)) == [True, True]
    assert list(backend.passed(1)) == []


def test_drivers_that_wait_for_the_device_when_asked_for_queries(backend: VulkanBackend) -> None:
    """Here a wait without end: the answer comes when the device goes on."""
    queries = backend._slots[0].queries
    run_frame(backend, stamped)
    backend.wait_idle()
    assert all(backend.timestamps(0))
    found: list[list[bool]] = []
    with slow(backend):
        run_frame(backend, stamped)
        asking = threading.Thread(target=lambda: found.append(list(queries.available())))
        asking.start()
        asking.join(0.1)
        assert asking.is_alive() == waits_for_queries(backend.capabilities.driver)
    asking.join()
    assert len(found[0]) == 2

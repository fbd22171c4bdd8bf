"""A submission of nothing: what a bounded wait for the end of a queue waits for."""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import NULL
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.timeline import Timeline
from renderwright.render.errors import OutOfMemoryError
from renderwright.render.sync.flags import Stage


class EmptySubmission:
    """Signals the timeline behind everything that the graphics queue was given, presentation included.

    vkQueueWaitIdle waits for the same and has no time limit.
    """

    def __init__(self, device: Device, timeline: Timeline) -> None:
        self._device = device
        self._timeline = timeline
        self._arena = arena = Arena()
        self._signal = arena.new(
            "VkSemaphoreSubmitInfo", semaphore=timeline.semaphore, stageMask=int(Stage.ALL_COMMANDS)
        )
        self._submit = arena.new("VkSubmitInfo2", signalSemaphoreInfoCount=1, pSignalSemaphoreInfos=self._signal)

    def wait(self, action: str) -> None:
        """Submit it and wait (bounded) until the device has come so far; ``action`` is what an error names.

        Where there is no memory for a submission, wait for what was submitted before.
        """
        self._signal.value = self._timeline.submitted + 1
        try:
            check(self._device.dispatch.vkQueueSubmit2(self._device.queue, 1, self._submit, NULL), action)
            self._timeline.submitted += 1
        except OutOfMemoryError:
            pass
        self._timeline.wait(self._timeline.submitted)

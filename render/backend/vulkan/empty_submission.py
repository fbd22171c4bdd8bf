"""An empty submission, for a bounded wait for the end of a queue."""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import NULL
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.timeline import Timeline
from renderwright.render.errors import OutOfMemoryError
from renderwright.render.sync.flags import Stage


class EmptySubmission:
    """Signals the timeline after all work of the graphics queue, including presentation.

    vkQueueWaitIdle waits for the same but has no time limit.
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
        """Submit it and wait (bounded) until the device has finished it; errors name the ``action``.

        If there is no memory for the submission, wait for the earlier submissions.
        """
        try:
            with self._timeline.signalling() as value:
                self._signal.value = value
                check(self._device.dispatch.vkQueueSubmit2(self._device.queue, 1, self._submit, NULL), action)
        except OutOfMemoryError:
            pass
        self._timeline.wait(self._timeline.submitted)

"""The fences that say how far the device has come."""

from __future__ import annotations

from collections import deque

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import CData
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check, check_alive
from renderwright.render.backend.timeline import DeviceTimeline
from renderwright.render.errors import DeviceLostError

_REACHED = (gl.ALREADY_SIGNALED, gl.CONDITION_SATISFIED)


class FenceTimeline(DeviceTimeline):
    """Counts submissions, with a fence behind each that the device has not passed."""

    def __init__(self, device: Device) -> None:
        super().__init__(device.progress, device.name)
        self._device = device
        self._fences: deque[tuple[int, CData]] = deque()
        self._completed = 0
        device.progress.watch(self.completed)

    def signal(self) -> int:
        """Put a fence behind all commands so far; returns its value."""
        api = self._device.api
        with self.signalling() as value:
            fence = api.glFenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
            check(api, "submit a frame")
        self._fences.append((value, fence))
        api.glFlush()
        return value

    def completed(self) -> int:
        """The value that the device has reached."""
        while self._fences and self._passes(self._fences[0][1], 0):
            self._forget_first()
        return self._completed

    def _reaches(self, value: int, nanoseconds: int) -> bool:
        while self._completed < value:
            _, fence = next(each for each in self._fences if each[0] >= value)
            with self._device.waiting():
                passed = self._passes(fence, nanoseconds)
            if not passed:
                return False
            while self._fences and self._fences[0][0] <= value:
                self._forget_first()
        return True

    def _passes(self, fence: CData, nanoseconds: int) -> bool:
        api = self._device.api
        result = api.glClientWaitSync(fence, gl.SYNC_FLUSH_COMMANDS if nanoseconds else 0, nanoseconds)
        if result == gl.WAIT_FAILED:
            check_alive(api)
            check(api, "wait for the device")
            raise DeviceLostError("the device cannot be waited for", hint="the driver gave up on the device")
        return result in _REACHED

    def _forget_first(self) -> None:
        value, fence = self._fences.popleft()
        self._completed = value
        self._device.api.glDeleteSync(fence)

    def release(self) -> None:
        """Delete the fences."""
        self._device.progress.ignore(self.completed)
        for _, fence in self._fences:
            self._device.api.glDeleteSync(fence)
        self._fences.clear()

"""The timestamp queries of a frame slot."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.device import Device


class SlotQueries:
    """The queries of a frame, by number, created at their first use. Those that a frame does not write are 0."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._names: list[int] = []
        self._written: set[int] = set()
        self._times: list[int] = []

    def use(self, number: int) -> int:
        """Have a query with this number; returns the number."""
        while len(self._names) <= number:
            self._names.append(self._device.api.create_name("Queries"))
        return number

    def write(self, number: int) -> None:
        """Write the time at which all earlier commands have finished."""
        self._written.add(number)
        self._device.api.glQueryCounter(self._names[number], gl.TIMESTAMP)

    def reset(self) -> None:
        """A frame is submitted; the slot's last one has left the device."""
        self._written.clear()
        self._times = []

    def times(self) -> list[int]:
        """Nanoseconds by query number of a frame that the device has finished; 0 where it wrote none."""
        if self._written and not self._times:
            value = ffi.new("GLuint64*")
            for number, name in enumerate(self._names):
                value[0] = 0
                if number in self._written:
                    self._device.api.glGetQueryObjectui64v(name, gl.QUERY_RESULT, value)
                self._times.append(int(value[0]))
            written = [time for time in self._times if time]
            if written:
                self._device.progress.measured(max(written) - min(written))
        return self._times

    def passed(self) -> Sequence[bool]:
        """For each query, whether the device has passed it."""
        there = ffi.new("GLuint*")
        found = []
        for number, name in enumerate(self._names):
            there[0] = 0
            if number in self._written:
                self._device.api.glGetQueryObjectuiv(name, gl.QUERY_RESULT_AVAILABLE, there)
            found.append(there[0] != 0)
        return found

    def release(self) -> None:
        """Delete the queries."""
        for name in self._names:
            self._device.api.delete("Queries", name)
        self._names.clear()

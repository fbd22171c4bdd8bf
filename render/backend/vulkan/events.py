"""The events of a frame slot, which implement split barriers."""

from __future__ import annotations

from typing import Any

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check

Call = tuple[Any, ...]
"""A prepared call without its command buffer: a function and its arguments."""


class SlotEvents:
    """Events by number, created at the first use. A frame sets each at most once.

    Under the validation layer, each frame ``renews`` events instead of resetting them. Newer layers (1.4 and later)
    ignore resets by the host and by commands when they check a submission, so they give each later wait the source
    scope of the event's first use.
    """

    def __init__(self, device: Device, slot: int) -> None:
        self._device = device
        self._name = f"event of frame slot {slot}"
        self.renews = device.instance.validates
        self._arena = Arena()
        self._info = self._arena.new("VkEventCreateInfo")
        self._events: list[CData] = []
        self._used: set[int] = set()

    def set_call(self, number: int, info: CData) -> Call:
        """The call that sets an event with the dependencies ``info``."""
        self._make(number)
        if self.renews:
            return self._set, number, info
        return self._device.dispatch.vkCmdSetEvent2, self._events[number], info

    def wait_call(self, number: int, info: CData, arena: Arena) -> Call:
        """The call that waits for an event with the same dependencies; the arena must outlive the call."""
        self._make(number)
        if self.renews:
            return self._wait, number, info
        return self._device.dispatch.vkCmdWaitEvents2, 1, arena.array("VkEvent", [self._events[number]]), info

    def _set(self, buffer: CData, number: int, info: CData) -> None:
        self._used.add(number)
        self._device.dispatch.vkCmdSetEvent2(buffer, self._events[number], info)

    def _wait(self, buffer: CData, number: int, info: CData) -> None:
        self._device.dispatch.vkCmdWaitEvents2(buffer, 1, ffi.new("VkEvent[]", [self._events[number]]), info)

    def _make(self, number: int) -> None:
        while len(self._events) <= number:
            self._events.append(self._new(len(self._events)))

    def _new(self, number: int) -> CData:
        event, vk = ffi.new("VkEvent*"), self._device.dispatch
        check(vk.vkCreateEvent(self._device.handle, self._info, NULL, event), f"create an {self._name}")
        self._device.name(lib.VK_OBJECT_TYPE_EVENT, event[0], f"{self._name}, {number}")
        return event[0]

    def reset(self) -> None:
        """Reset all events on the host, after the device has finished the slot's frame; no command waits for it."""
        vk, device = self._device.dispatch, self._device.handle
        if self.renews:
            for number in sorted(self._used):
                fresh = self._new(number)
                vk.vkDestroyEvent(device, self._events[number], NULL)
                self._events[number] = fresh
            self._used.clear()
            return
        for event in self._events:
            check(vk.vkResetEvent(device, event), "reset an event")

    def release(self) -> None:
        """Destroy the events."""
        for event in self._events:
            self._device.dispatch.vkDestroyEvent(self._device.handle, event, NULL)
        self._events.clear()

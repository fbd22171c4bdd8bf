"""Loses the device at the nth call that can find it lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vulkan_faults import Faults

from renderwright.render.backend.vulkan.api import lib

FATAL = (
    "vkQueueSubmit2",
    "vkWaitSemaphores",
    "vkGetSemaphoreCounterValue",
    "vkGetQueryPoolResults",
    "vkAcquireNextImageKHR",
    "vkQueuePresentKHR",
    "vkCreateSwapchainKHR",
    "vkGetEventStatus",
)
"""Functions that return VK_ERROR_DEVICE_LOST."""


class LostDevices:
    """A dispatch wrapper under which devices are lost. A lost device stays so; the next one is as good as new.

    ``calls`` are the fatal calls since ``lose_at``; ``lost`` counts the devices, ``faults`` what is alive.
    """

    def __init__(self) -> None:
        self.faults = Faults()
        self.calls: list[str] = []
        self.lost = 0
        self._at = -1
        self._every = False
        self._function = ""
        self._is_lost = False
        self._device: Any = None

    def lose_at(self, number: int, *, every: bool = False) -> None:
        """Lose the device at fatal call ``number`` (from 0; -1: never), and ``every`` one after it as well."""
        self.calls, self._at, self._every, self._function = [], number, every, ""

    def lose_in(self, function: str) -> None:
        """Lose the device at the next call of this function."""
        self.lose_at(-1)
        self._function = function

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        inner = self.faults.wrap(name, function)
        if name == "vkCreateDevice":
            return lambda *arguments: self._create(inner, arguments)
        if name in FATAL:
            return lambda *arguments: self._call(name, inner, arguments)
        return inner

    def _create(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        result = function(*arguments)
        self._is_lost = False
        self._device = arguments[-1][0]
        return result

    def _call(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        number = len(self.calls)
        self.calls.append(name)
        due = number == self._at or (self._every and number > self._at) or name == self._function
        if due and not self._is_lost:
            self._function = ""
            # The real device is fine, and must not be at work any more when its objects go.
            lib.vkDeviceWaitIdle(self._device)
            self._is_lost = True
            self.lost += 1
        return lib.VK_ERROR_DEVICE_LOST if self._is_lost else function(*arguments)

"""Fails the nth Vulkan call that can fail, and counts what was made and destroyed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from renderwright.render.backend.vulkan.api import NULL, lib

FALLIBLE = ("vkCreate", "vkAllocate", "vkMapMemory", "vkBind", "vkBeginCommandBuffer", "vkEnd", "vkQueueSubmit2")
# These die with their pools.
POOLED = ("vkAllocateCommandBuffers", "vkAllocateDescriptorSets")


LONGEST_WAIT = 10_000_000_000
"""Nanoseconds. A device that needs longer hangs, and no game may hang with it."""

# The positions of their timeouts.
_WAITS = {"vkWaitSemaphores": 2, "vkAcquireNextImageKHR": 2, "vkWaitForFences": 4}
_ENDLESS = ("vkQueueWaitIdle", "vkDeviceWaitIdle")


def bounded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, unless it waits, or may wait, for ever: then an ``AssertionError`` when it is called."""
    if name not in _WAITS and name not in _ENDLESS:
        return function

    def called(*arguments: Any) -> Any:
        assert name not in _ENDLESS, f"{name} waits without a limit"
        assert arguments[_WAITS[name]] <= LONGEST_WAIT, f"{name} waits too long"
        return function(*arguments)

    return called


class Faults:
    """A dispatch wrapper that counts what is alive, and fails a call when it is ``armed``.

    ``calls`` are the fallible calls since it was armed, ``failed`` is the one that failed.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.failed = ""
        self.alive: Counter[str] = Counter()
        self._fail = -1
        self._lasting = False

    @contextmanager
    def armed(self, fail: int = -1, *, lasting: bool = False) -> Iterator[None]:
        """Inside, call number ``fail`` (from 0) of the fallible ones returns out-of-memory instead.

        ``lasting``: and so do all later calls of the same function.
        """
        self.calls, self.failed, self._fail, self._lasting = [], "", fail, lasting
        try:
            yield
        finally:
            self._fail, self._lasting = -1, False

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        function = bounded(name, function)
        if name.startswith("vkCmd"):
            return function
        if name.startswith(("vkDestroy", "vkFreeMemory")):
            return lambda *arguments: self._destroy(name, function, arguments)
        if name.startswith(FALLIBLE):
            return lambda *arguments: self._attempt(name, function, arguments)
        return function

    def living(self) -> dict[str, int]:
        """How many objects of each kind have been made and not destroyed."""
        return {kind: count for kind, count in self.alive.items() if count}

    def _attempt(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        number = len(self.calls)
        self.calls.append(name)
        if number == self._fail or (self._lasting and name == self.failed):
            self.failed = name
            return lib.VK_ERROR_OUT_OF_HOST_MEMORY
        result = function(*arguments)
        if result == lib.VK_SUCCESS and name.startswith(("vkCreate", "vkAllocate")) and name not in POOLED:
            self.alive[_kind(name)] += 1
        return result

    def _destroy(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        assert arguments[-2] != NULL, f"{name} of nothing"
        self.alive[_kind(name)] -= 1
        return function(*arguments)


def _kind(name: str) -> str:
    for prefix in ("vkCreate", "vkAllocate", "vkDestroy", "vkFree"):
        name = name.removeprefix(prefix)
    return "Pipeline" if name.endswith("Pipelines") else name.replace("XlibSurfaceKHR", "SurfaceKHR")

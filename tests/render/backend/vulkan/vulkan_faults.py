"""Fails the nth Vulkan call that can fail, and counts what was made and destroyed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from render.backend.vulkan.api import NULL, lib

FALLIBLE = ("vkCreate", "vkAllocate", "vkMapMemory", "vkBind", "vkBeginCommandBuffer", "vkEnd", "vkQueueSubmit2")
# These die with their pools.
POOLED = ("vkAllocateCommandBuffers", "vkAllocateDescriptorSets")


class Faults:
    """A dispatch wrapper; call number ``fail`` (from 0) of the fallible ones returns out-of-memory instead."""

    def __init__(self, fail: int) -> None:
        self.calls = 0
        self.failed = ""
        self.alive: Counter[str] = Counter()
        self._fail = fail

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        if name.startswith("vkCmd"):
            return function
        if name.startswith(("vkDestroy", "vkFreeMemory")):
            return lambda *arguments: self._destroy(name, function, arguments)
        if name.startswith(FALLIBLE):
            return lambda *arguments: self._attempt(name, function, arguments)
        return function

    def leaked(self) -> dict[str, int]:
        """Kinds of objects that were not destroyed as often as they were made."""
        return {kind: count for kind, count in self.alive.items() if count}

    def _attempt(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        number, self.calls = self.calls, self.calls + 1
        if number == self._fail:
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

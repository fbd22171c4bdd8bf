"""A dispatch wrapper that counts allocations by Vulkan calls, for tests and benchmarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from renderwright.render.backend.vulkan.api import ffi

_KINDS = {"Memory": "vkAllocateMemory", "Image": "vkCreateImage", "ImageView": "vkCreateImageView"}
_KINDS |= {"Buffer": "vkCreateBuffer"}
_MAKERS = {maker: kind for kind, maker in _KINDS.items()}
_ENDS = {"vkFreeMemory": "Memory", "vkDestroyImage": "Image", "vkDestroyImageView": "ImageView"}
_ENDS |= {"vkDestroyBuffer": "Buffer"}
_IDLE = ("vkDeviceWaitIdle", "vkQueueWaitIdle")
_PIPELINES = ("vkCreateGraphicsPipelines", "vkCreateComputePipelines")


class MemoryLedger:
    """Allocated ``bytes`` of device memory, objects ``alive`` by kind, and the number of calls of each function."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.alive: Counter[str] = Counter()
        self._sizes: dict[int, int] = {}

    @property
    def bytes(self) -> int:
        """Allocated device memory."""
        return sum(self._sizes.values())

    @property
    def waits(self) -> int:
        """Waits for the whole device."""
        return sum(self.calls[name] for name in _IDLE)

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, wrapped."""
        if name not in (*_MAKERS, *_ENDS, *_IDLE, *_PIPELINES):
            return function

        def call(*arguments: Any) -> Any:
            self.calls[name] += 1
            if name in _ENDS:
                if arguments[1] == ffi.NULL:
                    return function(*arguments)
                self.alive[_ENDS[name]] -= 1
                if name == "vkFreeMemory":
                    del self._sizes[_number(arguments[1])]
                return function(*arguments)
            result = function(*arguments)
            if name in _MAKERS and result == 0:
                self.alive[_MAKERS[name]] += 1
                if name == "vkAllocateMemory":
                    self._sizes[_number(arguments[3][0])] = int(arguments[1].allocationSize)
            return result

        return call


def _number(handle: Any) -> int:
    return int(ffi.cast("uintptr_t", handle))

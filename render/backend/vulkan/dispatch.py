"""The table of all Vulkan functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.errors import BackendError

Wrapper = Callable[[str, Any], Any]
"""Takes a function's name and the C function, and returns the function to call in its place."""

_DEVICE_OBJECTS = tuple(ffi.typeof(name) for name in ("VkDevice", "VkQueue", "VkCommandBuffer"))
_INSTANCE_OBJECTS = tuple(ffi.typeof(name) for name in ("VkInstance", "VkPhysicalDevice"))


class Dispatch:
    """Attributes named like Vulkan's functions, resolved at their level (global, instance, device) at the first use.

    All calls of the backend go through one such object, so ``wrap`` applies to all functions.
    """

    def __init__(self, wrap: Wrapper | None = None) -> None:
        self._instance: CData = NULL
        self._device: CData = NULL
        self._wrap = wrap

    @property
    def wrapped(self) -> bool:
        """Whether something looks at the calls."""
        return self._wrap is not None

    def use_instance(self, instance: CData) -> None:
        """Resolve instance-level functions from ``instance`` on."""
        self._instance = instance

    def use_device(self, device: CData) -> None:
        """Resolve device-level functions directly from ``device``, bypassing the loader's dispatch."""
        self._device = device

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("vk"):
            raise AttributeError(name)
        address = self._address(name)
        if address == NULL:
            raise BackendError(f"the Vulkan driver lacks {name}", hint="update the driver")
        function = ffi.cast(f"PFN_{name}", address)
        if self._wrap is not None:
            function = self._wrap(name, function)
        setattr(self, name, function)
        return function

    def _address(self, name: str) -> CData:
        first = ffi.typeof(f"PFN_{name}").args[0]
        encoded = name.encode()
        if first in _DEVICE_OBJECTS and name != "vkGetDeviceProcAddr":
            return self.vkGetDeviceProcAddr(self._device, encoded)
        if first in _INSTANCE_OBJECTS or name == "vkGetDeviceProcAddr":
            return lib.vkGetInstanceProcAddr(self._instance, encoded)
        return lib.vkGetInstanceProcAddr(NULL, encoded)

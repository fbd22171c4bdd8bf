"""All Vulkan functions behind one object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.errors import BackendError

Wrapper = Callable[[str, Any], Any]
"""Given a function's name and the C function, returns what is called in its place."""

_DEVICE_OBJECTS = tuple(ffi.typeof(name) for name in ("VkDevice", "VkQueue", "VkCommandBuffer"))
_INSTANCE_OBJECTS = tuple(ffi.typeof(name) for name in ("VkInstance", "VkPhysicalDevice"))


class Dispatch:
    """Attributes named like Vulkan's functions, each resolved once at its proper level when first used.

    Every call of the backend goes through one such object, so a ``wrap`` sees them all.
    """

    def __init__(self, wrap: Wrapper | None = None) -> None:
        self._instance: CData = NULL
        self._device: CData = NULL
        self._wrap = wrap

    def use_instance(self, instance: CData) -> None:
        """Resolve instance-level functions from ``instance`` on."""
        self._instance = instance

    def use_device(self, device: CData) -> None:
        """Resolve device-level functions directly from ``device``, past the loader's own dispatch."""
        self._device = device

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("vk"):
            raise AttributeError(name)
        address = self._address(name)
        if address == NULL:
            raise BackendError(f"the Vulkan driver has no {name}", hint="update the driver")
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

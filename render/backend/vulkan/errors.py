"""VkResult values as typed errors."""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import ffi, lib
from renderwright.render.errors import BackendError, DeviceLostError, OutOfMemoryError, SurfaceLostError

_NAMES: dict[int, str] = {}
for _name, _value in ffi.typeof("VkResult").relements.items():
    # Aliases share a value; the shortest name is the core one, without a vendor suffix.
    if _value not in _NAMES or len(_name) < len(_NAMES[_value]):
        _NAMES[_value] = _name

_OUT_OF_MEMORY = (lib.VK_ERROR_OUT_OF_HOST_MEMORY, lib.VK_ERROR_OUT_OF_DEVICE_MEMORY)


def result_name(result: int) -> str:
    """The name of a VkResult, or its number if the headers lack it."""
    return _NAMES.get(result, f"VkResult {result}")


def failure(result: int, action: str) -> BackendError:
    """The error of a failed ``action`` ("create the buffer 'x'")."""
    message = f"cannot {action}: {result_name(result)}"
    if result in _OUT_OF_MEMORY:
        return OutOfMemoryError(message, hint="use smaller or fewer textures, or close other programs on this device")
    if result == lib.VK_ERROR_DEVICE_LOST:
        return DeviceLostError(
            message, hint="the driver gave up on the device; a shader may take too long or never end"
        )
    if result == lib.VK_ERROR_SURFACE_LOST_KHR:
        return SurfaceLostError(f"{message}: the window is gone", hint="close the target before its window")
    return BackendError(message)


def check(result: int, action: str) -> None:
    """Raise the error of a result other than VK_SUCCESS."""
    if result != lib.VK_SUCCESS:
        raise failure(result, action)

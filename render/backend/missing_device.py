"""Errors where a device or its driver is missing, alike for each graphics API."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.errors import BackendError

INSTALL_VULKAN = (
    "install a driver with Vulkan 1.3; on Debian or Ubuntu: sudo apt install libvulkan1 mesa-vulkan-drivers"
)
INSTALL_OPENGL = "install a driver with OpenGL 4.5; on Debian or Ubuntu: sudo apt install libegl1 libgl1-mesa-dri"


def no_driver(api: str, install: str, why: str = "") -> BackendError:
    """The error where a machine has no driver; ``why`` is what the system says about it."""
    return BackendError(f"there is no {api} driver on this machine" + (f": {why}" if why else ""), hint=install)


def no_such_device(api: str, name: str, devices: Sequence[str]) -> BackendError:
    """The error where no device has a number or a part of a name; ``devices`` are lines of number and name."""
    listing = "; ".join(devices) or "none"
    return BackendError(
        f'there is no {api} device "{name}"',
        hint=f"devices: {listing}; give a number or a part of a name, or leave it out",
    )

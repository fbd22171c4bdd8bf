"""The C declarations and the loader library of the ``vulkan`` package.

The backend uses nothing else of the package: its struct constructors lose owners of nested pointers, and its wrapped
functions cost microseconds a call.
"""

from __future__ import annotations

from typing import Any

from renderwright.render.errors import BackendError

try:
    from vulkan import ffi as _ffi
    from vulkan import lib as _lib
except OSError as error:
    raise BackendError(
        "there is no Vulkan loader on this machine",
        hint="install the loader and a driver; on Debian or Ubuntu: sudo apt install libvulkan1 mesa-vulkan-drivers",
    ) from error

CData = Any
"""A C value: a handle, a pointer to a struct, or an array."""

ffi: Any = _ffi
lib: Any = _lib
"""The loader; used for its enum constants and ``vkGetInstanceProcAddr`` only."""

NULL: CData = ffi.NULL

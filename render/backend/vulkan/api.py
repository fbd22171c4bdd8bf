"""The two things that the backend takes from the ``vulkan`` package: its C declarations and the loader library.

Everything else of that package (struct constructors, wrapped functions) loses owners of nested pointers and costs
microseconds a call, so nothing else of it may be used.
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
        hint="install one and a driver; on Debian or Ubuntu: sudo apt install libvulkan1 mesa-vulkan-drivers",
    ) from error

CData = Any
"""A C value: a handle, a pointer to a struct, or an array."""

ffi: Any = _ffi
lib: Any = _lib
"""The loader; used for its enum constants and ``vkGetInstanceProcAddr`` only."""

NULL: CData = ffi.NULL

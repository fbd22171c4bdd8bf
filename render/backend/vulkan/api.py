"""The C declarations and the loader library of the ``vulkan`` package.

The backend uses nothing else of the package: its struct constructors lose owners of nested pointers, and its wrapped
functions cost microseconds a call.
"""

from __future__ import annotations

from typing import Any

from renderwright.render.backend.missing_device import INSTALL_VULKAN, no_driver

try:
    from vulkan import ffi as _ffi
    from vulkan import lib as _lib
except OSError as error:
    raise no_driver("Vulkan", INSTALL_VULKAN, "the loader is missing") from error

CData = Any
"""A C value: a handle, a pointer to a struct, or an array."""

ffi: Any = _ffi
lib: Any = _lib
"""The loader; used for its enum constants and ``vkGetInstanceProcAddr`` only."""

NULL: CData = ffi.NULL

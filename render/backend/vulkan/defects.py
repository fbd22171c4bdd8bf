"""Features that drivers report but render incorrectly.

Each entry has a test that reproduces the defect (tests/render/backend/vulkan/test_vulkan_defects.py), so that it can be
removed once drivers are fixed.
"""

from __future__ import annotations

import re

_LLVMPIPE = re.compile(r"llvmpipe Mesa (\d+)\.(\d+)")
_MULTIVIEW_WORKS = (25, 0)
"""The first llvmpipe version known to draw clipped triangles to the layer of their view; 22.3 picks any layer."""
_ANISOTROPY_WORKS = (25, 0)
"""The first llvmpipe version that is trusted with anisotropic filtering; 22.3 does not interpolate magnified texels."""

_COPIED_SHADERS = (22, 3)
"""The newest llvmpipe seen to do so."""


def copies_shaders(driver: str) -> bool:
    """Whether the driver compiles a shader anew for the values of uniforms that alone decide its control flow, whenever
    a uniform block was written, and keeps every copy."""
    version = _LLVMPIPE.match(driver)
    return version is not None and (int(version[1]), int(version[2])) <= _COPIED_SHADERS


def waits_for_queries(driver: str) -> bool:
    """Whether the driver waits for the device before it says that a query is not there yet."""
    return _LLVMPIPE.match(driver) is not None


def skips_first_barrier(driver: str) -> bool:
    """Whether the driver ignores barriers that begin or end a command buffer while it draws what came before."""
    return _LLVMPIPE.match(driver) is not None


def draws_views_wrong(driver: str) -> bool:
    """Whether the multiview of a driver (name and version, see ``PhysicalDevice.driver``) is defective."""
    return _is_llvmpipe_before(_MULTIVIEW_WORKS, driver)


def filters_anisotropy_wrong(driver: str) -> bool:
    """Whether the anisotropic filtering of a driver is defective."""
    return _is_llvmpipe_before(_ANISOTROPY_WORKS, driver)


def _is_llvmpipe_before(works: tuple[int, int], driver: str) -> bool:
    version = _LLVMPIPE.match(driver)
    return version is not None and (int(version[1]), int(version[2])) < works

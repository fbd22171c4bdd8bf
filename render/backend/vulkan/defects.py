"""What drivers say that they can do and were seen to do wrong.

Each entry has a test that draws what goes wrong (tests/render/backend/vulkan/test_vulkan_defects.py), so that it can go
when drivers are right.
"""

from __future__ import annotations

import re

_LLVMPIPE = re.compile(r"llvmpipe Mesa (\d+)\.(\d+)")
_MULTIVIEW_WORKS = (25, 0)
"""The first llvmpipe seen to draw triangles that must be clipped to the layer of their view; in 22.3 they go to any."""


def draws_views_wrong(driver: str) -> bool:
    """Whether the driver (by its name and version, as ``PhysicalDevice.driver``) cannot be trusted with multiview."""
    version = _LLVMPIPE.match(driver)
    return version is not None and (int(version[1]), int(version[2])) < _MULTIVIEW_WORKS

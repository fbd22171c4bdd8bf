"""Devices with few units for vertex and pixel shaders beside their compute units."""

from __future__ import annotations

import re

from renderwright.render.types.fullscreen import Fullscreen

_FEW_GRAPHICS_UNITS = re.compile(r"NVIDIA (?:H20|H800|[HB][123]\d0|GH200|GB[23]00)\b")
"""NVIDIA's Hopper and Blackwell boards for data centres.

Of the 66 and more TPCs of an H100 two run vertex and pixel shaders ("NVIDIA H100 Tensor Core GPU Architecture", 2022),
so a full-screen pass takes 14 to 32 times as long as a compute shader (``renderwright bench fullscreen``). On other
devices attachments are compressed and passes merge, which is worth more than a dispatch.
"""


def faster_fullscreen(device_name: str) -> Fullscreen:
    """How full-screen shaders run faster on a device, by its kind."""
    return Fullscreen.COMPUTE if _FEW_GRAPHICS_UNITS.match(device_name) else Fullscreen.FRAGMENT

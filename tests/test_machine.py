"""What the tests need of the machine. A missing piece fails here, with the way to get it."""

from __future__ import annotations

import pytest

from renderwright.engine.machine import TOOLS, Tool, find_tool

INSTRUCTION = "run `scripts/install-system-packages --tests`"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_tool_is_installed(tool: Tool) -> None:
    assert find_tool(tool).path, f"{tool.name} is missing; {INSTRUCTION}"


@pytest.mark.vulkan
def test_vulkan_driver_and_validation_layer_are_installed() -> None:
    from renderwright.render.backend.vulkan.describe import describe_devices

    devices = [device for device in describe_devices() if not device.lacks]
    assert devices, f"no usable Vulkan device; {INSTRUCTION}"
    assert "VK_LAYER_KHRONOS_validation" in devices[0].layers, f"no Vulkan validation layer; {INSTRUCTION}"

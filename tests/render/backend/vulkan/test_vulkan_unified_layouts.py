"""A driver that appears to have VK_KHR_unified_image_layouts is asked for the feature, and told that it is used."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from renderwright.render.backend.vulkan import unified_layouts
from renderwright.render.backend.vulkan.api import NULL, ffi
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, change, run_frame, texture_info

pytestmark = pytest.mark.vulkan


class Unified:
    """Adds the extension to those of the driver, with the feature or ``without``; what is enabled is noted, and taken
    out again before the driver sees it."""

    def __init__(self, *, feature: bool) -> None:
        self._feature = feature
        self.enabled: list[str] = []
        self.switches: list[int] = []

    def wrap(self, name: str, function: Any) -> Any:
        own = getattr(self, name, None)
        return function if own is None else lambda *arguments: own(function, *arguments)

    def vkEnumerateDeviceExtensionProperties(  # noqa: N802
        self, real: Any, physical: Any, layer: Any, count: Any, items: Any
    ) -> int:
        if items == NULL:
            result = int(real(physical, layer, count, items))
            count[0] += 1
            return result
        count[0] -= 1
        result = int(real(physical, layer, count, items))
        ffi.memmove(items[count[0]].extensionName, unified_layouts.EXTENSION.encode() + b"\0", 29)
        count[0] += 1
        return result

    def vkGetPhysicalDeviceFeatures2(self, real: Any, physical: Any, features: Any) -> None:  # noqa: N802
        struct = _own(features.pNext)
        if struct is not None:
            struct[4] = int(self._feature)
            return
        real(physical, features)

    def vkCreateDevice(self, real: Any, physical: Any, info: Any, hooks: Any, device: Any) -> int:  # noqa: N802
        self.enabled = [
            ffi.string(info.ppEnabledExtensionNames[at]).decode() for at in range(info.enabledExtensionCount)
        ]
        struct = _own(info.pNext)
        if struct is not None:
            self.switches = [int(struct[4]), int(struct[5])]
            info.enabledExtensionCount -= 1
            info.pNext = ffi.cast("void **", info.pNext)[1]
        return int(real(physical, info, hooks, device))


def _own(pointer: Any) -> Any:
    """The extension's struct as 32-bit words, if it is one: sType, a gap, pNext, the two features."""
    words = ffi.cast("uint32_t *", pointer)
    return words if pointer != NULL and words[0] == unified_layouts.STRUCTURE_TYPE else None


def test_the_feature_is_found_and_switched_on() -> None:
    driver = Unified(feature=True)
    with closing(VulkanBackend(wrap=driver.wrap)) as backend:
        assert backend.capabilities.unified_layouts
    assert unified_layouts.EXTENSION in driver.enabled
    assert driver.switches == [1, 0]


def test_the_extension_alone_is_not_enough() -> None:
    driver = Unified(feature=False)
    with closing(VulkanBackend(wrap=driver.wrap)) as backend:
        assert not backend.capabilities.unified_layouts
    assert unified_layouts.EXTENSION not in driver.enabled
    assert driver.switches == []


def test_clears_and_copies_in_the_general_layout(backend: VulkanBackend) -> None:
    """No layer has anything to say of it, not even that it might be slower."""
    info = texture_info("r32_sfloat", (4, 4), Usage.SAMPLED)
    source, target = backend.create_texture(info, "source"), backend.create_texture(info, "target")
    copying = Stage.COPY | Stage.CLEAR, Access.TRANSFER_READ | Access.TRANSFER_WRITE
    general = Scope(*copying, Layout.GENERAL)

    def record(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(source, FRESH, general), change(target, FRESH, general)])
        recorder.clear_texture(source, Layout.GENERAL, (0.5, 0.0, 0.0, 0.0))
        recorder.barriers([change(source, general, general)])
        recorder.copy_texture(source, target, layouts=(Layout.GENERAL, Layout.GENERAL))

    run_frame(backend, record)
    assert np.all(backend.read_texture(target, Layout.GENERAL) == 0.5)

"""``check`` opens a device on which accesses out of bounds do no harm, or lets a layer that can report them do so."""

from __future__ import annotations

import logging
from contextlib import closing
from typing import Any

import pytest

from renderwright.render.backend.vulkan import describe, robustness
from renderwright.render.backend.vulkan.api import NULL, ffi, lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.constants import API_VERSION_1_3, API_VERSION_1_4, VALIDATION_LAYER
from renderwright.render.backend.vulkan.dispatch import Dispatch

pytestmark = pytest.mark.vulkan


class Watched:
    """Notes the features and extensions with which instance and device are created.

    ``lacks`` the extension, or has the layer in another ``version``. GPU-assisted validation is taken out again before
    the layer sees it.
    """

    def __init__(self, *, lacks: bool = False, version: int = 0) -> None:
        self._lacks = lacks
        self._version = version
        self.extensions: list[str] = []
        self.core = 0
        self.further: tuple[int, int] = (0, 0)
        self.assisted = False

    def wrap(self, name: str, function: Any) -> Any:
        own = getattr(self, name, None)
        return function if own is None else lambda *arguments: own(function, *arguments)

    def vkEnumerateInstanceLayerProperties(self, real: Any, count: Any, items: Any) -> int:  # noqa: N802
        result = int(real(count, items))
        for number in range(count[0] if items != NULL and self._version else 0):
            if ffi.string(items[number].layerName).decode() == VALIDATION_LAYER:
                items[number].specVersion = self._version
        return result

    def vkEnumerateDeviceExtensionProperties(  # noqa: N802
        self, real: Any, physical: Any, layer: Any, count: Any, items: Any
    ) -> int:
        result = int(real(physical, layer, count, items))
        for number in range(count[0] if items != NULL and self._lacks else 0):
            if ffi.string(items[number].extensionName).decode() == robustness.EXTENSION:
                ffi.memmove(items[number].extensionName, b"VK_none\0", 8)
        return result

    def vkCreateInstance(self, real: Any, info: Any, hooks: Any, instance: Any) -> int:  # noqa: N802
        if info.pNext != NULL:
            features = ffi.cast("VkValidationFeaturesEXT *", info.pNext)
            wanted = [
                features.pEnabledValidationFeatures[number] for number in range(features.enabledValidationFeatureCount)
            ]
            self.assisted = lib.VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT in wanted
            features.enabledValidationFeatureCount = 1
        return int(real(info, hooks, instance))

    def vkCreateDevice(self, real: Any, physical: Any, info: Any, hooks: Any, device: Any) -> int:  # noqa: N802
        count = info.enabledExtensionCount
        self.extensions = [ffi.string(info.ppEnabledExtensionNames[number]).decode() for number in range(count)]
        following = info.pNext
        while following != NULL:
            struct = ffi.cast("VkPhysicalDeviceFeatures2 *", following)
            if struct.sType == lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
                self.core = int(struct.features.robustBufferAccess)
            if struct.sType == lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT:
                further = ffi.cast("VkPhysicalDeviceRobustness2FeaturesEXT *", following)
                self.further = int(further.robustBufferAccess2), int(further.robustImageAccess2)
            following = struct.pNext
        return int(real(physical, info, hooks, device))


def opened(driver: Watched, **options: Any) -> Watched:
    with closing(VulkanBackend(wrap=driver.wrap, **options)):
        return driver


def test_a_check_opens_a_robust_device() -> None:
    driver = opened(Watched(), check=True)
    assert robustness.EXTENSION in driver.extensions
    assert (driver.core, driver.further) == (1, (1, 1))


def test_without_the_extension_buffers_are_robust() -> None:
    driver = opened(Watched(lacks=True), check=True)
    assert robustness.EXTENSION not in driver.extensions
    assert (driver.core, driver.further) == (1, (0, 0))


def test_without_a_check_nothing_is_robust() -> None:
    driver = opened(Watched(), validate=True)
    assert robustness.EXTENSION not in driver.extensions
    assert (driver.core, driver.further, driver.assisted) == (0, (0, 0), False)


def test_a_layer_that_can_report_accesses_gets_a_device_that_is_not_robust() -> None:
    driver = opened(Watched(version=API_VERSION_1_4), validate=True, check=True)
    assert driver.assisted
    assert (driver.core, driver.further) == (0, (0, 0))


def test_an_older_layer_is_not_asked_to_and_only_the_debug_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "renderwright.vulkan"):
        driver = opened(Watched(version=API_VERSION_1_3), validate=True, check=True)
    assert not driver.assisted
    assert (driver.core, driver.further) == (1, (1, 1))
    told = [record for record in caplog.records if "Vulkan 1.4, and this one is for 1.3.0" in record.message]
    assert [record.levelno for record in told] == [logging.DEBUG]


@pytest.mark.parametrize(("version", "limited"), [(API_VERSION_1_3, True), (API_VERSION_1_4, False)])
def test_the_description_of_the_machine_says_what_a_layer_does_not_report(
    version: int, limited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = Watched(version=version)
    monkeypatch.setattr(describe, "Dispatch", lambda: Dispatch(driver.wrap))
    limits = {device.layer_limit for device in describe.describe_devices()}
    assert all(limit.startswith("accesses out of bounds are not reported") == limited for limit in limits)
    assert limits

"""Messages of the validation layer, as values."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from renderwright.render.backend.vulkan.api import CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena

_SLOWER_LAYOUT = "UNASSIGNED-CoreValidation-DrawState-InvalidImageLayout"
"""Older layers report copies in the general layout as a performance warning; as an error it is a wrong layout."""

_logger = logging.getLogger("renderwright.vulkan")


@dataclass(frozen=True)
class ValidationMessage:
    """One message: ``severity`` is ``error`` or ``warning``, ``id`` the layer's name for the rule."""

    severity: str
    id: str
    text: str


class ValidationLog:
    """Collects the layer's warnings and errors, and logs them to ``renderwright.vulkan``.

    Performance warnings about the general layout are ignored: the compiler decides on layouts by the device's report.
    """

    def __init__(self) -> None:
        self.messages: list[ValidationMessage] = []
        self._callback = ffi.callback("PFN_vkDebugUtilsMessengerCallbackEXT", self._receive)

    def messenger_info(self, arena: Arena) -> CData:
        """The create info of a messenger that reports to this log, which must outlive it."""
        return arena.new(
            "VkDebugUtilsMessengerCreateInfoEXT",
            messageSeverity=lib.VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
            | lib.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            messageType=lib.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
            | lib.VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
            pfnUserCallback=self._callback,
        )

    def _receive(self, severity: int, types: int, data: Any, _user: Any) -> int:
        error = severity >= lib.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
        rule = ffi.string(data.pMessageIdName).decode() if data.pMessageIdName else ""
        if rule == _SLOWER_LAYOUT and types == lib.VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT:
            return 0
        text = ffi.string(data.pMessage).decode(errors="replace")
        message = ValidationMessage("error" if error else "warning", rule, text)
        self.messages.append(message)
        _logger.log(logging.ERROR if error else logging.WARNING, "%s: %s", rule, text)
        return 0


def synchronization_validation(arena: Arena, following: CData) -> CData:
    """The struct that enables synchronisation validation, chained in front of ``following``."""
    features = arena.array(
        "VkValidationFeatureEnableEXT", [lib.VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT]
    )
    return arena.new(
        "VkValidationFeaturesEXT", enabledValidationFeatureCount=1, pEnabledValidationFeatures=features, pNext=following
    )

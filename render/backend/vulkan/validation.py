"""Messages of the validation layer, as values."""

from __future__ import annotations

import logging
from typing import Any

from renderwright.render.backend.validation_message import ValidationMessage
from renderwright.render.backend.vulkan.api import CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena

_SLOWER_LAYOUT = "UNASSIGNED-CoreValidation-DrawState-InvalidImageLayout"
"""Older layers report copies in the general layout as a performance warning; as an error it is a wrong layout."""

_SETTINGS = frozenset({"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"})
"""With GPU-assisted validation the layer reports that it is slow, and which features it enables for itself."""

_logger = logging.getLogger("renderwright.vulkan")


class ValidationLog:
    """Collects the layer's warnings and errors, and logs them to ``renderwright.vulkan``.

    Performance warnings about the general layout are ignored: the compiler decides on layouts by the device's report.
    So are messages about the layer's own settings.
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
        if rule in _SETTINGS:
            return 0
        text = ffi.string(data.pMessage).decode(errors="replace")
        message = ValidationMessage("error" if error else "warning", rule, text)
        self.messages.append(message)
        _logger.log(logging.ERROR if error else logging.WARNING, "%s: %s", rule, text)
        return 0


def validation_features(arena: Arena, following: CData, assisted: bool) -> CData:
    """The struct that enables synchronisation validation and, if ``assisted``, GPU-assisted validation.

    It is chained in front of ``following``.
    """
    wanted = [lib.VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT]
    if assisted:
        wanted.append(lib.VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT)
    return arena.new(
        "VkValidationFeaturesEXT",
        enabledValidationFeatureCount=len(wanted),
        pEnabledValidationFeatures=arena.array("VkValidationFeatureEnableEXT", wanted),
        pNext=following,
    )

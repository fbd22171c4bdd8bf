"""The Vulkan instance, with optional debug utilities and validation."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from renderwright.render.backend.missing_device import INSTALL_VULKAN, no_driver
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import (
    API_VERSION_1_3,
    API_VERSION_1_4,
    DEBUG_UTILS,
    SURFACE,
    VALIDATION_FEATURES,
    VALIDATION_LAYER,
    XLIB_SURFACE,
    version_text,
)
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.loaded_drivers import keep_drivers_loaded
from renderwright.render.backend.vulkan.validation import ValidationLog, validation_features
from renderwright.render.errors import BackendError

_logger = logging.getLogger("renderwright.vulkan")


def present_layers(dispatch: Dispatch) -> tuple[str, ...]:
    """Names of the layers installed on this machine."""
    return _names(dispatch.vkEnumerateInstanceLayerProperties, "VkLayerProperties", "layerName")


def layer_version(dispatch: Dispatch, layer: str) -> int:
    """The Vulkan version that a layer is written for; 0 if it is not installed."""
    items = _properties(dispatch.vkEnumerateInstanceLayerProperties, "VkLayerProperties")
    return max((int(item.specVersion) for item in items if _text(item.layerName) == layer), default=0)


def layer_limit(version: int) -> str:
    """What a validation layer written for that Vulkan version does not report, '' if it reports everything."""
    if version >= API_VERSION_1_4:
        return ""
    return (
        "accesses out of bounds are not reported: that needs a validation layer for Vulkan 1.4, and this one is for "
        + version_text(version)
    )


def present_extensions(dispatch: Dispatch) -> tuple[str, ...]:
    """Names of the instance extensions of loader and drivers."""

    def enumerate_(count: CData, items: CData) -> int:
        return int(dispatch.vkEnumerateInstanceExtensionProperties(NULL, count, items))

    return _names(enumerate_, "VkExtensionProperties", "extensionName")


class Instance:
    """A VkInstance; ``further`` extensions are enabled as well. ``debug`` is whether it has names and labels.

    With ``validate`` and ``assist`` shaders are instrumented to find accesses out of bounds, if the layer can do so:
    ``assisted`` is whether it does. Raises ``BackendError`` if there is no driver, or no layer for ``validate``.
    """

    def __init__(
        self, dispatch: Dispatch, *, validate: bool, further: Sequence[str] = (), assist: bool = False
    ) -> None:
        self.dispatch = dispatch
        self.validates = validate
        self.log = ValidationLog()
        if validate and VALIDATION_LAYER not in present_layers(dispatch):
            raise BackendError(
                f"validation is not possible: the layer {VALIDATION_LAYER} is not installed",
                hint="on Debian or Ubuntu: sudo apt install vulkan-validationlayers",
            )
        self.assisted = validate and assist and _assists(layer_version(dispatch, VALIDATION_LAYER))
        present = present_extensions(dispatch)
        extensions = [name for name in (DEBUG_UTILS, SURFACE, XLIB_SURFACE) if name in present]
        if validate:
            extensions += [DEBUG_UTILS, VALIDATION_FEATURES]
        extensions = list(dict.fromkeys([*extensions, *further]))
        self.extensions = frozenset(extensions)
        self.debug = DEBUG_UTILS in extensions
        self._arena = Arena()
        self.handle = self._create(extensions, validate)
        dispatch.use_instance(self.handle)
        self._messenger: CData = NULL
        if validate:
            try:
                self._messenger = self._create_messenger()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Destroy the instance."""
        if self._messenger != NULL:
            self.dispatch.vkDestroyDebugUtilsMessengerEXT(self.handle, self._messenger, NULL)
        self.dispatch.vkDestroyInstance(self.handle, NULL)

    def _create(self, extensions: list[str], validate: bool) -> CData:
        arena = self._arena
        application = arena.new(
            "VkApplicationInfo", pApplicationName="renderwright", pEngineName="renderwright", apiVersion=API_VERSION_1_3
        )
        layers = [VALIDATION_LAYER] if validate else []
        # The chained messenger reports the creation and destruction of the instance itself.
        chain = validation_features(arena, self.log.messenger_info(arena), self.assisted) if validate else NULL
        info = arena.new(
            "VkInstanceCreateInfo",
            pNext=chain,
            pApplicationInfo=application,
            enabledLayerCount=len(layers),
            ppEnabledLayerNames=arena.strings(layers),
            enabledExtensionCount=len(extensions),
            ppEnabledExtensionNames=arena.strings(extensions),
        )
        instance = arena.out("VkInstance")
        result = self.dispatch.vkCreateInstance(info, NULL, instance)
        if result == lib.VK_ERROR_INCOMPATIBLE_DRIVER:
            raise no_driver("Vulkan", INSTALL_VULKAN)
        check(result, "create a Vulkan instance")
        keep_drivers_loaded()
        return instance[0]

    def _create_messenger(self) -> CData:
        arena = Arena()
        messenger = arena.out("VkDebugUtilsMessengerEXT")
        info = self.log.messenger_info(arena)
        check(
            self.dispatch.vkCreateDebugUtilsMessengerEXT(self.handle, info, NULL, messenger),
            "listen to the validation layer",
        )
        return messenger[0]


def _assists(version: int) -> bool:
    """Whether a validation layer of that version can instrument the shaders of frames: layers before Vulkan 1.4 wait
    for ever at a timeline semaphore."""
    limit = layer_limit(version)
    if limit:  # ``renderwright info`` says it: a run cannot change it
        _logger.debug("%s", limit)
    return not limit


def _names(enumerate_: CData, ctype: str, field: str) -> tuple[str, ...]:
    return tuple(_text(getattr(item, field)) for item in _properties(enumerate_, ctype))


def _text(characters: CData) -> str:
    return str(ffi.string(characters).decode())


def _properties(enumerate_: CData, ctype: str) -> CData:
    """An array of that type, which owns its items."""
    count = ffi.new("uint32_t*")
    check(enumerate_(count, NULL), f"list {ctype}")
    items = ffi.new(f"{ctype}[]", count[0])
    check(enumerate_(count, items), f"list {ctype}")
    return items

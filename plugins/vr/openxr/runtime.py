"""The OpenXR runtime: the XrInstance, its headset, and its requirements on Vulkan (XR_KHR_vulkan_enable)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from renderwright.plugins.vr.openxr.errors import InstanceLostError, OpenXrError, calling
from renderwright.render import Extent

VULKAN = "XR_KHR_vulkan_enable"
OUR_VULKAN = (1, 3)
"""Vulkan API version of the backend's instance."""


class Runtime:
    """An XrInstance and the XrSystemId of a stereo headset. ``xr`` is the module of pyopenxr.

    ``extents`` are the recommended sizes of the left and right eye's pictures, in texels. Raises subclasses of
    ``OpenXrError``: no runtime, no headset, or a missing feature.
    """

    def __init__(self, xr: Any) -> None:
        self.xr = xr
        self.instance = self._create()
        try:
            self.system = self.find_headset()
            with calling(xr, "query the headset"):
                self.name = _text(xr.get_system_properties(self.instance, self.system).system_name)
                self.stereo = xr.ViewConfigurationType.PRIMARY_STEREO
                views = xr.enumerate_view_configuration_views(self.instance, self.system, self.stereo)
                modes = list(xr.enumerate_environment_blend_modes(self.instance, self.system, self.stereo))
            self.extents: tuple[Extent, ...] = tuple(
                (int(view.recommended_image_rect_width), int(view.recommended_image_rect_height)) for view in views
            )
            opaque = xr.EnvironmentBlendMode.OPAQUE
            # The runtime lists blend modes in its order of preference.
            self.blend_mode = opaque if opaque in modes else modes[0]
        except BaseException:
            self.close()
            raise

    def find_headset(self) -> Any:
        """The XrSystemId of the headset. Raises ``HeadsetMissingError`` while none is connected."""
        xr = self.xr
        with calling(xr, "find a headset"):
            return xr.get_system(self.instance, xr.SystemGetInfo(form_factor=xr.FormFactor.HEAD_MOUNTED_DISPLAY))

    def _create(self) -> Any:
        xr = self.xr
        with calling(xr, "find an OpenXR runtime"):
            offered = {_text(one.extension_name) for one in xr.enumerate_instance_extension_properties()}
        if VULKAN not in offered:
            raise OpenXrError(
                f"the OpenXR runtime has no {VULKAN}",
                hint="use a runtime that supports Vulkan, such as SteamVR or Monado, or vr.device=simulated",
                result="ERROR_EXTENSION_NOT_PRESENT",
            )
        application = xr.ApplicationInfo(application_name="renderwright", api_version=xr.Version(1, 0, 0))
        with calling(xr, "open the OpenXR runtime"):
            return xr.create_instance(
                xr.InstanceCreateInfo(application_info=application, enabled_extension_names=[VULKAN])
            )

    # Vulkan ---------------------------------------------------------------------------------------------------------

    def instance_extensions(self) -> tuple[str, ...]:
        """Required VkInstance extensions. Raises ``OpenXrError`` if the runtime requires a newer Vulkan version."""
        xr = self.xr
        self._require_version()
        with calling(xr, "query the Vulkan instance extensions"):
            return _names(xr.get_vulkan_instance_extensions_khr(self.instance, self.system))

    def device_extensions(self) -> tuple[str, ...]:
        """Required VkDevice extensions."""
        xr = self.xr
        with calling(xr, "ask for Vulkan's device extensions"):
            return _names(xr.get_vulkan_device_extensions_khr(self.instance, self.system))

    def physical_device(self, instance: int) -> int:
        """The VkPhysicalDevice that the headset is connected to, of a VkInstance."""
        xr = self.xr
        handle = self.vulkan_handle("instance", instance)
        with calling(xr, "query the headset's GPU"):
            found = xr.get_vulkan_graphics_device_khr(self.instance, self.system, handle)
        return int(ctypes.cast(found, ctypes.c_void_p).value or 0)

    def _require_version(self) -> None:
        # xrCreateSession fails unless this query has been made before.
        with calling(self.xr, "query the required Vulkan version"):
            requirements = self.xr.get_vulkan_graphics_requirements_khr(self.instance, self.system)
        least = requirements.min_api_version_supported
        if (least.major, least.minor) > OUR_VULKAN:
            raise OpenXrError(
                f"the OpenXR runtime needs Vulkan {least.major}.{least.minor}, and the game uses "
                f"{OUR_VULKAN[0]}.{OUR_VULKAN[1]}",
                hint="use an older version of the runtime, or vr.device=simulated",
            )

    def vulkan_handle(self, field: str, handle: int) -> Any:
        """A Vulkan handle cast to pyopenxr's type of ``field`` in the graphics binding."""
        kind = dict(self.xr.GraphicsBindingVulkanKHR._fields_)[field]
        return ctypes.cast(ctypes.c_void_p(handle), kind)

    # events ---------------------------------------------------------------------------------------------------------

    def session_states(self) -> Iterator[tuple[Any, Any]]:
        """Session handles with their state changes since the last call, possibly of sessions that have ended.

        Raises ``InstanceLostError`` when the runtime shuts down.
        """
        xr = self.xr
        while True:
            try:
                with calling(xr, "poll events"):
                    event = xr.poll_event(self.instance)
            except OpenXrError as error:
                if error.result == "EVENT_UNAVAILABLE":
                    return
                raise
            kind = xr.StructureType(event.type)
            if kind == xr.StructureType.EVENT_DATA_INSTANCE_LOSS_PENDING:
                raise InstanceLostError("the OpenXR runtime is shutting down", hint="restart it and the game")
            if kind == xr.StructureType.EVENT_DATA_SESSION_STATE_CHANGED:
                changed = ctypes.cast(ctypes.byref(event), ctypes.POINTER(xr.EventDataSessionStateChanged)).contents
                yield changed.session, xr.SessionState(changed.state)

    def close(self) -> None:
        """Destroy the instance and all its objects."""
        with calling(self.xr, "close the OpenXR runtime"):
            self.xr.destroy_instance(self.instance)


def _names(listed: str) -> tuple[str, ...]:
    return tuple(listed.replace("\0", " ").split())


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)

"""The OpenXR runtime: the XrInstance, its headset, and what it asks of Vulkan (XR_KHR_vulkan_enable)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from renderwright.plugins.vr.openxr.errors import InstanceLostError, OpenXrError, calling
from renderwright.render import Extent

VULKAN = "XR_KHR_vulkan_enable"
OUR_VULKAN = (1, 3)
"""The version of Vulkan that the backend's instance is made for."""


class Runtime:
    """An XrInstance with the system of a headset for two eyes. ``xr`` is the module of pyopenxr.

    ``extents`` are what the runtime recommends for the pictures of the left and the right eye, in texels. Raises
    ``OpenXrError``, by its kind: no runtime, no headset, or one that does not do what is needed.
    """

    def __init__(self, xr: Any) -> None:
        self.xr = xr
        self.instance = self._create()
        try:
            self.system = self.find_headset()
            with calling(xr, "ask what the headset is"):
                self.name = _text(xr.get_system_properties(self.instance, self.system).system_name)
                self.stereo = xr.ViewConfigurationType.PRIMARY_STEREO
                views = xr.enumerate_view_configuration_views(self.instance, self.system, self.stereo)
                modes = list(xr.enumerate_environment_blend_modes(self.instance, self.system, self.stereo))
            self.extents: tuple[Extent, ...] = tuple(
                (int(view.recommended_image_rect_width), int(view.recommended_image_rect_height)) for view in views
            )
            opaque = xr.EnvironmentBlendMode.OPAQUE
            # The runtime lists them in the order of its own preference.
            self.blend_mode = opaque if opaque in modes else modes[0]
        except BaseException:
            self.close()
            raise

    def find_headset(self) -> Any:
        """The XrSystemId of the headset; ``HeadsetMissingError`` while it is not there."""
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
                hint="use one that works with Vulkan, such as SteamVR or Monado, or vr.device=simulated",
                result="ERROR_EXTENSION_NOT_PRESENT",
            )
        application = xr.ApplicationInfo(application_name="renderwright", api_version=xr.Version(1, 0, 0))
        with calling(xr, "open the OpenXR runtime"):
            return xr.create_instance(
                xr.InstanceCreateInfo(application_info=application, enabled_extension_names=[VULKAN])
            )

    # Vulkan ---------------------------------------------------------------------------------------------------------

    def instance_extensions(self) -> tuple[str, ...]:
        """What the VkInstance must have; ``OpenXrError`` if the runtime wants a newer Vulkan than there is."""
        xr = self.xr
        self._require_version()
        with calling(xr, "ask for Vulkan's instance extensions"):
            return _names(xr.get_vulkan_instance_extensions_khr(self.instance, self.system))

    def device_extensions(self) -> tuple[str, ...]:
        """What the VkDevice must have."""
        xr = self.xr
        with calling(xr, "ask for Vulkan's device extensions"):
            return _names(xr.get_vulkan_device_extensions_khr(self.instance, self.system))

    def physical_device(self, instance: int) -> int:
        """The VkPhysicalDevice that the headset is connected to, of a VkInstance."""
        xr = self.xr
        handle = self.vulkan_handle("instance", instance)
        with calling(xr, "ask for the headset's graphics card"):
            found = xr.get_vulkan_graphics_device_khr(self.instance, self.system, handle)
        return int(ctypes.cast(found, ctypes.c_void_p).value or 0)

    def _require_version(self) -> None:
        # Sessions can only be made when this has been asked.
        with calling(self.xr, "ask for Vulkan's version"):
            wanted = self.xr.get_vulkan_graphics_requirements_khr(self.instance, self.system)
        least = wanted.min_api_version_supported
        if (least.major, least.minor) > OUR_VULKAN:
            raise OpenXrError(
                f"the OpenXR runtime needs Vulkan {least.major}.{least.minor}, and the game uses "
                f"{OUR_VULKAN[0]}.{OUR_VULKAN[1]}",
                hint="use an older version of the runtime, or vr.device=simulated",
            )

    def vulkan_handle(self, field: str, handle: int) -> Any:
        """A handle of Vulkan as pyopenxr types that ``field`` of the graphics binding."""
        kind = dict(self.xr.GraphicsBindingVulkanKHR._fields_)[field]
        return ctypes.cast(ctypes.c_void_p(handle), kind)

    # events ---------------------------------------------------------------------------------------------------------

    def session_states(self) -> Iterator[tuple[Any, Any]]:
        """Sessions with the states that they have come to since the last call; ``InstanceLostError`` when all is lost.

        There may be news of a session that is over.
        """
        xr = self.xr
        while True:
            try:
                with calling(xr, "ask for events"):
                    event = xr.poll_event(self.instance)
            except OpenXrError as error:
                if error.result == "EVENT_UNAVAILABLE":
                    return
                raise
            kind = xr.StructureType(event.type)
            if kind == xr.StructureType.EVENT_DATA_INSTANCE_LOSS_PENDING:
                raise InstanceLostError("the OpenXR runtime goes away", hint="restart it and the game")
            if kind == xr.StructureType.EVENT_DATA_SESSION_STATE_CHANGED:
                changed = ctypes.cast(ctypes.byref(event), ctypes.POINTER(xr.EventDataSessionStateChanged)).contents
                yield changed.session, xr.SessionState(changed.state)

    def close(self) -> None:
        """Destroy the instance, and with it all that was made from it."""
        with calling(self.xr, "close the OpenXR runtime"):
            self.xr.destroy_instance(self.instance)


def _names(listed: str) -> tuple[str, ...]:
    return tuple(listed.replace("\0", " ").split())


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)

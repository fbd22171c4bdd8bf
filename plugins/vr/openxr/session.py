"""An OpenXR session on the game's device, and its frames."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from renderwright.plugins.vr.headset import Look
from renderwright.plugins.vr.openxr.errors import OpenXrError, calling
from renderwright.plugins.vr.openxr.poses import frustum_of, look_of, pose_of
from renderwright.plugins.vr.openxr.runtime import Runtime
from renderwright.plugins.vr.openxr.swapchain import EyeSwapchain, choose_format
from renderwright.render.backend.interop import SharingBackend

_log = logging.getLogger("renderwright.vr")


@dataclass(frozen=True)
class SessionFrame:
    """A frame that has begun: its predicted display time (XrTime), head and eyes, and the located XrViews.

    ``look`` is None and ``views`` is empty if nothing is to be rendered for the headset.
    """

    time: int
    look: Look | None = None
    views: Sequence[Any] = ()


class Session:
    """An XrSession with a swapchain for each eye, on the device of ``backend``.

    The order of calls in a frame is: ``begin_frame``, which waits for the runtime and acquires the eyes' images; the
    submission of the work that renders to them; ``end_frame``. All come from the thread that submits, because these
    OpenXR calls may use the queue given at creation, which needs external synchronisation.
    """

    def __init__(self, runtime: Runtime, backend: SharingBackend) -> None:
        xr = self._xr = runtime.xr
        self._runtime = runtime
        self._running = False
        self._views: Sequence[Any] = ()
        self.swapchains: list[EyeSwapchain] = []
        native = backend.native
        runtime.system = runtime.find_headset()
        runtime.instance_extensions()  # xrCreateSession requires the version query before each session
        if runtime.physical_device(native.instance) != native.physical:
            raise OpenXrError(
                f"{runtime.name} is connected to another GPU than the one that the game runs on",
                hint="restart the game",
                result="ERROR_GRAPHICS_DEVICE_INVALID",
            )
        binding = xr.GraphicsBindingVulkanKHR(
            instance=runtime.vulkan_handle("instance", native.instance),
            physical_device=runtime.vulkan_handle("physical_device", native.physical),
            device=runtime.vulkan_handle("device", native.device),
            queue_family_index=native.queue_family,
            queue_index=native.queue_index,
        )
        info = xr.SessionCreateInfo(
            system_id=runtime.system, next=ctypes.cast(ctypes.pointer(binding), ctypes.c_void_p)
        )
        with calling(xr, "begin a session"):
            self.handle = xr.create_session(runtime.instance, info)
        try:
            with calling(xr, "create the reference space"):
                seat = xr.ReferenceSpaceCreateInfo(reference_space_type=xr.ReferenceSpaceType.LOCAL)
                self._seat = xr.create_reference_space(self.handle, seat)
            with calling(xr, "query swapchain formats"):
                self.format = choose_format(xr.enumerate_swapchain_formats(self.handle))
            for eye, extent in zip(("left", "right"), runtime.extents, strict=True):
                name = f"{eye} eye"
                self.swapchains.append(EyeSwapchain(xr, self.handle, backend, self.format, extent, name))
        except BaseException:
            self.close()
            raise

    @property
    def running(self) -> bool:
        """Whether the session accepts frames."""
        return self._running

    def begin(self) -> None:
        """Begin to show frames. Call when the session state is READY."""
        info = self._xr.SessionBeginInfo(primary_view_configuration_type=self._runtime.stereo)
        with calling(self._xr, "show frames"):
            self._xr.begin_session(self.handle, info)
        self._running = True

    def end(self) -> None:
        """Stop showing frames. Call when the session state is STOPPING."""
        self._running = False
        with calling(self._xr, "stop showing frames"):
            self._xr.end_session(self.handle)

    # frames ---------------------------------------------------------------------------------------------------------

    def begin_frame(self) -> SessionFrame:
        """Wait for the runtime, begin the next frame, acquire its images and locate the eyes."""
        xr = self._xr
        with calling(xr, "wait for a frame"):
            state = xr.wait_frame(self.handle, xr.FrameWaitInfo())
        try:
            with calling(xr, "begin a frame"):
                xr.begin_frame(self.handle, xr.FrameBeginInfo())
        except OpenXrError as error:
            if error.result != "FRAME_DISCARDED":  # concerns the previous frame, which was never ended
                raise
        time = int(state.predicted_display_time)
        views: Sequence[Any] = ()
        if state.should_render and all(swapchain.acquire() for swapchain in self.swapchains):
            views = self._located(time)
        if not views:
            return SessionFrame(time)
        return SessionFrame(time, look_of([(pose_of(view.pose), frustum_of(view.fov)) for view in views]), views)

    def _located(self, time: int) -> Sequence[Any]:
        """XrViews of the eyes at a time; the last known ones while tracking is lost, empty if never tracked."""
        xr = self._xr
        info = xr.ViewLocateInfo(view_configuration_type=self._runtime.stereo, display_time=time, space=self._seat)
        with calling(xr, "locate the eyes"):
            state, views = xr.locate_views(self.handle, info)
        valid = int(xr.ViewStateFlags.POSITION_VALID_BIT | xr.ViewStateFlags.ORIENTATION_VALID_BIT)
        if (int(state.view_state_flags) & valid) == valid and len(views) == len(self.swapchains):
            self._views = views
        return self._views

    def end_frame(self, frame: SessionFrame, *, rendered: bool) -> None:
        """Release the images and submit the frame, with the eyes' pictures if they have been ``rendered``."""
        xr = self._xr
        for swapchain in self.swapchains:
            swapchain.release()
        layers = []
        if rendered and frame.views:
            projected = [self._projected(*pair) for pair in zip(frame.views, self.swapchains, strict=True)]
            layer = xr.CompositionLayerProjection(space=self._seat, views=projected)
            layers.append(ctypes.cast(ctypes.pointer(layer), ctypes.POINTER(xr.CompositionLayerBaseHeader)))
        info = xr.FrameEndInfo(
            display_time=frame.time, environment_blend_mode=self._runtime.blend_mode, layers=layers or None
        )
        with calling(xr, "end a frame"):
            xr.end_frame(self.handle, info)

    def _projected(self, view: Any, swapchain: EyeSwapchain) -> Any:
        xr = self._xr
        width, height = swapchain.extent
        part = xr.SwapchainSubImage(
            swapchain=swapchain.handle, image_rect=xr.Rect2Di(xr.Offset2Di(0, 0), xr.Extent2Di(width, height))
        )
        return xr.CompositionLayerProjectionView(pose=view.pose, fov=view.fov, sub_image=part)

    def close(self) -> None:
        """Destroy the session and its swapchains, in any state. Failures are only logged."""
        self._running = False
        for close in (*(swapchain.close for swapchain in self.swapchains), self._destroy):
            try:
                close()
            except OpenXrError as error:
                _log.debug("closing a session: %s", error)
        self.swapchains.clear()

    def _destroy(self) -> None:
        with calling(self._xr, "end a session"):
            self._xr.destroy_session(self.handle)

"""A headset that an OpenXR runtime tracks.

The runtime tells where head and eyes are and what each eye sees. The pictures are shown side by side on the output, as
the simulated headset's are, and not handed to the runtime: its session is one without graphics (``XR_MND_headless``).
"""

from __future__ import annotations

import ctypes
import math
import time as clock
from functools import lru_cache
from importlib import import_module
from typing import Any

from pyglm import glm

from engine.views import Frustum
from plugins.vr.headset import Eye, Lens, Look, Pose
from render.errors import BackendError, UsageError
from render.graph.resources import Extent

EXTENSIONS = ("XR_MND_headless", "XR_KHR_convert_timespec_time")
AHEAD = 0.02
"""Seconds from asking for a pose until the picture made for it is seen: about two frames of a display."""
_NO_TURN = glm.quat(1.0, 0.0, 0.0, 0.0)


@lru_cache(maxsize=1)
def open_headset() -> OpenXrHeadset:
    """The runtime's headset. OpenXR allows a process one session at a time, so there is one for all who ask."""
    return OpenXrHeadset(_binding())


def _binding() -> Any:
    try:
        return import_module("xr")
    except ImportError as error:
        raise UsageError(
            f"OpenXR needs the package pyopenxr: {error}",
            hint='install it with `pip install "framewright[vr]"`, or use vr.device=simulated',
        ) from error


class OpenXrHeadset:
    """Tracked by the runtime that ``xr`` (the module of pyopenxr) finds.

    ``UsageError`` where there is no runtime or no headset, ``BackendError`` where the runtime lacks something.
    """

    lens = Lens()

    def __init__(self, xr: Any) -> None:
        self._xr = xr
        self._instance = self._make_instance()
        try:
            system = self._find_system()
            self._stereo = xr.ViewConfigurationType.PRIMARY_STEREO
            view = xr.enumerate_view_configuration_views(self._instance, system, self._stereo)[0]
            self.display: Extent = (view.recommended_image_rect_width, view.recommended_image_rect_height)
            self.name: str = _text(xr.get_system_properties(self._instance, system).system_name)
            self._session = xr.create_session(self._instance, xr.SessionCreateInfo(system_id=system))
            self._seat = xr.create_reference_space(
                self._session, xr.ReferenceSpaceCreateInfo(reference_space_type=xr.ReferenceSpaceType.LOCAL)
            )
        except BaseException:
            xr.destroy_instance(self._instance)
            raise
        self._runs = False
        self._last = _straight_ahead()

    def _make_instance(self) -> Any:
        xr = self._xr
        try:
            offered = {_text(one.extension_name) for one in xr.enumerate_instance_extension_properties()}
        except xr.exception.RuntimeUnavailableError as error:
            raise UsageError(
                "no OpenXR runtime was found",
                hint="start one (SteamVR, Monado, ...) and make it the active runtime, or set XR_RUNTIME_JSON to its "
                "manifest; vr.device=simulated needs none",
            ) from error
        missing = [name for name in EXTENSIONS if name not in offered]
        if missing:
            raise BackendError(
                f"the OpenXR runtime has no {' and no '.join(missing)}",
                hint="use a runtime that has it, such as Monado, or vr.device=simulated",
            )
        application = xr.ApplicationInfo(application_name="framewright", api_version=xr.Version(1, 0, 0))
        return xr.create_instance(
            xr.InstanceCreateInfo(application_info=application, enabled_extension_names=list(EXTENSIONS))
        )

    def _find_system(self) -> Any:
        xr = self._xr
        try:
            return xr.get_system(self._instance, xr.SystemGetInfo(form_factor=xr.FormFactor.HEAD_MOUNTED_DISPLAY))
        except (xr.exception.FormFactorUnavailableError, xr.exception.FormFactorUnsupportedError) as error:
            raise UsageError(
                "the OpenXR runtime has no headset", hint="connect it and switch it on, or use vr.device=simulated"
            ) from error

    def look(self, time: float) -> Look:
        """Where it is a moment from now, whatever the game's time; where it was last while it is not tracked."""
        self._follow_events()
        if self._runs:
            self._last = self._located() or self._last
        return self._last

    def _follow_events(self) -> None:
        xr = self._xr
        while True:
            try:
                event = xr.poll_event(self._instance)
            except xr.exception.EventUnavailable:
                return
            if xr.StructureType(event.type) != xr.StructureType.EVENT_DATA_SESSION_STATE_CHANGED:
                continue
            changed = ctypes.cast(ctypes.byref(event), ctypes.POINTER(xr.EventDataSessionStateChanged)).contents
            state = xr.SessionState(changed.state)
            if state == xr.SessionState.READY:
                xr.begin_session(self._session, xr.SessionBeginInfo(primary_view_configuration_type=self._stereo))
                self._runs = True
            elif state == xr.SessionState.STOPPING:
                self._runs = False
                xr.end_session(self._session)
            elif state in (xr.SessionState.EXITING, xr.SessionState.LOSS_PENDING):
                self._runs = False

    def _located(self) -> Look | None:
        xr = self._xr
        seconds, part = divmod(clock.clock_gettime_ns(clock.CLOCK_MONOTONIC) + int(AHEAD * 1e9), 1_000_000_000)
        moment = xr.convert_timespec_time_to_time_khr(self._instance, xr.timespec(tv_sec=seconds, tv_nsec=part))
        state, views = xr.locate_views(
            self._session,
            xr.ViewLocateInfo(view_configuration_type=self._stereo, display_time=moment, space=self._seat),
        )
        known = int(xr.ViewStateFlags.POSITION_VALID_BIT | xr.ViewStateFlags.ORIENTATION_VALID_BIT)
        if (int(state.view_state_flags) & known) != known or len(views) != 2:
            return None
        return look_of([(_pose(view.pose), _frustum(view.fov)) for view in views])


def look_of(eyes: list[tuple[Pose, Frustum]]) -> Look:
    """The head between two eyes whose poses are relative to the seat."""
    (left, _), (right, _) = eyes
    head = Pose(0.5 * (left.position + right.position), glm.slerp(left.rotation, right.rotation, 0.5))
    back = glm.conjugate(head.rotation)
    first, second = (
        Eye(Pose(glm.vec3(back * (pose.position - head.position)), back * pose.rotation), frustum)
        for pose, frustum in eyes
    )
    return Look(head, (first, second))


def _pose(pose: Any) -> Pose:
    place, turn = pose.position, pose.orientation
    return Pose(glm.vec3(place.x, place.y, place.z), glm.quat(turn.w, turn.x, turn.y, turn.z))


def _frustum(fov: Any) -> Frustum:
    """Angles are positive to the right and upwards."""
    left, right, down, up = (math.tan(a) for a in (-fov.angle_left, fov.angle_right, -fov.angle_down, fov.angle_up))
    return Frustum(left, right, down, up)


def _straight_ahead() -> Look:
    half, frustum = 0.0315, Frustum(1.0, 1.0, 1.0, 1.0)
    return look_of([(Pose(glm.vec3(x, 0.0, 0.0), _NO_TURN), frustum) for x in (-half, half)])


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)

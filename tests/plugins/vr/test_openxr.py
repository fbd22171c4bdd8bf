"""The OpenXR headset on a stand-in for a runtime, and what is said where there is none."""

from __future__ import annotations

import ctypes
import math
import sys
from enum import IntEnum, IntFlag
from types import SimpleNamespace
from typing import Any

import pytest
from pyglm import glm

from engine.scene import Camera
from engine.views import ViewSet
from plugins.vr import VrSettings, framewright_views
from plugins.vr.openxr import EXTENSIONS, OpenXrHeadset
from plugins.vr.settings import Device
from render.errors import BackendError, UsageError


class EventUnavailableError(Exception):
    pass


class RuntimeUnavailableError(Exception):
    pass


class FormFactorUnavailableError(Exception):
    pass


class FormFactorUnsupportedError(Exception):
    pass


class StructureType(IntEnum):
    EVENT_DATA_SESSION_STATE_CHANGED = 18
    OTHER = 40


class SessionState(IntEnum):
    READY = 2
    STOPPING = 6
    LOSS_PENDING = 7
    EXITING = 8


class Flags(IntFlag):
    ORIENTATION_VALID_BIT = 1
    POSITION_VALID_BIT = 2


class SessionStateChanged(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("state", ctypes.c_int))


class Buffer(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("rest", ctypes.c_byte * 64))


def event(state: int, kind: int = StructureType.EVENT_DATA_SESSION_STATE_CHANGED) -> Buffer:
    buffer = Buffer(kind)
    ctypes.cast(ctypes.byref(buffer), ctypes.POINTER(SessionStateChanged)).contents.state = state
    return buffer


def view(x: float, yaw: float, outer_left: bool) -> SimpleNamespace:
    turn = glm.angleAxis(yaw, glm.vec3(0, 1, 0))
    fov = (-0.9, 0.7) if outer_left else (-0.7, 0.9)
    return SimpleNamespace(
        pose=SimpleNamespace(
            position=SimpleNamespace(x=x, y=1.5, z=0.2),
            orientation=SimpleNamespace(x=turn.x, y=turn.y, z=turn.z, w=turn.w),
        ),
        fov=SimpleNamespace(angle_left=fov[0], angle_right=fov[1], angle_down=-0.8, angle_up=0.85),
    )


class StandIn:
    """The functions of pyopenxr that are used, over a runtime that lives in this object."""

    exception = SimpleNamespace(
        EventUnavailable=EventUnavailableError,
        RuntimeUnavailableError=RuntimeUnavailableError,
        FormFactorUnavailableError=FormFactorUnavailableError,
        FormFactorUnsupportedError=FormFactorUnsupportedError,
    )
    FormFactor = SimpleNamespace(HEAD_MOUNTED_DISPLAY=1)
    ViewConfigurationType = SimpleNamespace(PRIMARY_STEREO=2)
    ReferenceSpaceType = SimpleNamespace(LOCAL=2)
    StructureType, SessionState, ViewStateFlags = StructureType, SessionState, Flags
    EventDataSessionStateChanged = SessionStateChanged
    ApplicationInfo = InstanceCreateInfo = SystemGetInfo = SessionCreateInfo = SimpleNamespace
    ReferenceSpaceCreateInfo = SessionBeginInfo = ViewLocateInfo = timespec = SimpleNamespace

    def __init__(self) -> None:
        self.extensions = [name.encode() for name in EXTENSIONS]
        self.runtime = self.headset = True
        self.events: list[Buffer] = []
        self.calls: list[str] = []
        self.flags = Flags.ORIENTATION_VALID_BIT | Flags.POSITION_VALID_BIT
        self.views = [view(-0.03, 0.3, True), view(0.03, 0.3, False)]

    def Version(self, *numbers: int) -> tuple[int, ...]:  # noqa: N802
        return numbers

    def enumerate_instance_extension_properties(self) -> list[Any]:
        if not self.runtime:
            raise RuntimeUnavailableError
        return [SimpleNamespace(extension_name=name) for name in self.extensions]

    def create_instance(self, info: Any) -> str:
        assert set(info.enabled_extension_names) == set(EXTENSIONS)
        return "instance"

    def destroy_instance(self, instance: str) -> None:
        self.calls.append("destroy_instance")

    def get_system(self, instance: str, info: Any) -> int:
        if not self.headset:
            raise FormFactorUnavailableError
        return 7

    def get_system_properties(self, instance: str, system: int) -> Any:
        return SimpleNamespace(system_name=b"Stand-in")

    def enumerate_view_configuration_views(self, instance: str, system: int, kind: int) -> list[Any]:
        return [SimpleNamespace(recommended_image_rect_width=1000, recommended_image_rect_height=1100)] * 2

    def create_session(self, instance: str, info: Any) -> str:
        assert info.system_id == 7
        return "session"

    def create_reference_space(self, session: str, info: Any) -> str:
        return "seat"

    def poll_event(self, instance: str) -> Buffer:
        if not self.events:
            raise EventUnavailableError
        return self.events.pop(0)

    def begin_session(self, session: str, info: Any) -> None:
        self.calls.append("begin_session")

    def end_session(self, session: str) -> None:
        self.calls.append("end_session")

    def convert_timespec_time_to_time_khr(self, instance: str, time: Any) -> int:
        assert 0 <= time.tv_nsec < 1_000_000_000
        return int(time.tv_sec * 1_000_000_000 + time.tv_nsec)

    def locate_views(self, session: str, info: Any) -> tuple[Any, list[Any]]:
        assert self.calls[-1:] == ["begin_session"], "views exist in a running session only"
        assert (info.space, info.view_configuration_type) == ("seat", 2)
        return SimpleNamespace(view_state_flags=self.flags), self.views


def test_head_and_eyes_are_where_the_runtime_says() -> None:
    xr = StandIn()
    headset = OpenXrHeadset(xr)
    assert (headset.name, headset.display) == ("Stand-in", (1000, 1100))
    xr.events = [event(0, StructureType.OTHER), event(SessionState.READY)]
    look = headset.look(0.0)
    assert glm.distance(look.head.position, glm.vec3(0.0, 1.5, 0.2)) < 1e-6
    for eye, seen in zip(look.eyes, xr.views, strict=True):
        # Back in the seat's space the eye is where the runtime has put it.
        back = look.head.then(eye.pose)
        place = seen.pose.position
        assert glm.distance(back.position, glm.vec3(place.x, place.y, place.z)) < 1e-6
        assert eye.frustum.left == pytest.approx(math.tan(-seen.fov.angle_left))
        assert eye.frustum.up == pytest.approx(math.tan(0.85))
    assert look.eyes[0].frustum.left > look.eyes[0].frustum.right


def test_it_stays_where_it_was_while_it_is_not_tracked() -> None:
    xr = StandIn()
    headset = OpenXrHeadset(xr)
    before = headset.look(0.0)
    assert before.head.position == glm.vec3(0.0)
    xr.events = [event(SessionState.READY)]
    tracked = headset.look(0.0)
    assert tracked != before
    xr.views = [view(0.5, 0.0, True), view(0.6, 0.0, False)]
    xr.flags = Flags.ORIENTATION_VALID_BIT
    assert headset.look(0.0) == tracked
    xr.flags, xr.events = Flags(3), [event(SessionState.STOPPING)]
    assert headset.look(0.0) == tracked
    assert xr.calls == ["begin_session", "end_session"]


def test_what_is_missing_is_said() -> None:
    xr = StandIn()
    xr.runtime = False
    with pytest.raises(UsageError, match="no OpenXR runtime") as refused:
        OpenXrHeadset(xr)
    assert "XR_RUNTIME_JSON" in refused.value.hint
    xr = StandIn()
    xr.extensions = []
    with pytest.raises(BackendError, match="XR_MND_headless"):
        OpenXrHeadset(xr)
    xr = StandIn()
    xr.headset = False
    with pytest.raises(UsageError, match="no headset"):
        OpenXrHeadset(xr)
    assert xr.calls == ["destroy_instance"]


def test_without_the_package_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xr", None)
    with pytest.raises(UsageError, match="pyopenxr") as refused:
        framewright_views(ViewSet.of((Camera(),), (64, 64)), VrSettings(device=Device.OPENXR))
    assert "framewright[vr]" in refused.value.hint

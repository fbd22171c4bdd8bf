"""What of OpenXR needs no runtime: poses and fields of view in the plugin's words, and what is said of errors."""

from __future__ import annotations

import math
import sys
from enum import Enum
from types import SimpleNamespace

import pytest
from pyglm import glm

from renderwright.plugins.vr.headset import Pose
from renderwright.plugins.vr.openxr import OpenXrHeadset
from renderwright.plugins.vr.openxr.errors import (
    HeadsetMissingError,
    InstanceLostError,
    OpenXrError,
    RuntimeMissingError,
    SessionLostError,
    calling,
    explained,
)
from renderwright.plugins.vr.openxr.poses import frustum_of, look_of, pose_of
from renderwright.plugins.vr.openxr.swapchain import choose_format
from renderwright.render.errors import UsageError
from renderwright.render.formats import FORMATS


def test_head_and_eyes_are_where_the_runtime_says() -> None:
    turn = glm.angleAxis(0.3, glm.vec3(0, 1, 0))
    poses = [
        pose_of(
            SimpleNamespace(
                position=SimpleNamespace(x=x, y=1.5, z=0.2),
                orientation=SimpleNamespace(x=turn.x, y=turn.y, z=turn.z, w=turn.w),
            )
        )
        for x in (-0.03, 0.03)
    ]
    frustum = frustum_of(SimpleNamespace(angle_left=-0.9, angle_right=0.7, angle_down=-0.8, angle_up=0.85))
    assert (frustum.left, frustum.right) == (pytest.approx(math.tan(0.9)), pytest.approx(math.tan(0.7)))
    assert (frustum.down, frustum.up) == (pytest.approx(math.tan(0.8)), pytest.approx(math.tan(0.85)))
    look = look_of([(pose, frustum) for pose in poses])
    assert glm.distance(look.head.position, glm.vec3(0.0, 1.5, 0.2)) < 1e-6
    for eye, pose in zip(look.eyes, poses, strict=True):
        back: Pose = look.head.then(eye.pose)
        assert glm.distance(back.position, pose.position) < 1e-6
        assert eye.frustum == frustum


def test_without_the_package_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xr", None)
    with pytest.raises(UsageError, match="pyopenxr") as refused:
        OpenXrHeadset().instance_extensions(frozenset())
    assert "renderwright[vr]" in refused.value.hint


class ResultError(Exception):
    def __init__(self, name: str) -> None:
        self._result = Enum("Result", {name: 1})[name]

    def get_result_enum(self) -> Enum:
        return self._result


@pytest.mark.parametrize(
    ("result", "kind", "said"),
    [
        ("ERROR_RUNTIME_UNAVAILABLE", RuntimeMissingError, "no OpenXR runtime was found"),
        ("ERROR_FORM_FACTOR_UNAVAILABLE", HeadsetMissingError, "headset is not connected"),
        ("ERROR_SESSION_LOST", SessionLostError, "the headset's session is lost"),
        ("SESSION_LOSS_PENDING", SessionLostError, "the headset's session is lost"),
        ("ERROR_INSTANCE_LOST", InstanceLostError, "the OpenXR runtime is lost"),
        ("ERROR_LIMIT_REACHED", OpenXrError, "is in use by another program"),
        ("ERROR_POSE_INVALID", OpenXrError, "an OpenXR call failed"),
    ],
)
def test_errors_have_kinds_and_say_what_to_do(result: str, kind: type[OpenXrError], said: str) -> None:
    error = explained(ResultError(result), "do something")
    assert type(error) is kind
    assert error.result == result
    assert said in error.message
    assert f"(XR_{result}, trying to do something)" in error.message
    assert error.hint


def test_only_what_openxr_raises_is_explained() -> None:
    xr = SimpleNamespace(exception=SimpleNamespace(ResultException=ResultError))
    with pytest.raises(OpenXrError, match="trying to dance"), calling(xr, "dance"):
        raise ResultError("ERROR_RUNTIME_FAILURE")
    with pytest.raises(KeyError), calling(xr, "dance"):
        raise KeyError


def test_formats_are_chosen_for_the_eye_not_by_the_runtime_s_preference() -> None:
    offered = [FORMATS[name].vk for name in ("rgba8_unorm", "rgba16_sfloat", "bgra8_srgb")]
    assert choose_format(offered) == "bgra8_srgb"
    assert choose_format(offered[:2]) == "rgba16_sfloat"
    with pytest.raises(OpenXrError, match="supports no swapchain format"):
        choose_format([124])

"""OpenXR errors in words: the failed call, its result, and a hint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from renderwright.render import BackendError, UsageError

_SIMULATED = "vr.device=simulated needs none"


class OpenXrError(BackendError):
    """An OpenXR failure. ``result`` is the name of the failed call's XrResult, or '' if no call failed."""

    def __init__(self, message: str, *, hint: str = "", result: str = "") -> None:
        super().__init__(message, hint=hint)
        self.result = result


class RuntimeMissingError(OpenXrError):
    """No OpenXR runtime is installed, or it cannot be loaded."""


class HeadsetMissingError(OpenXrError):
    """The runtime supports no headset, or none is connected."""


class SessionLostError(OpenXrError):
    """The session is lost. A new one can be created once the headset is connected again."""


class InstanceLostError(OpenXrError):
    """The runtime is lost. None of its objects can be used any more."""


_START = (
    "start one (SteamVR, Monado, ...) and make it the active runtime, or set XR_RUNTIME_JSON to its manifest; "
    + _SIMULATED
)
_RESTART = "restart the OpenXR runtime and the game"
_KNOWN: dict[str, tuple[type[OpenXrError], str, str]] = {
    "ERROR_RUNTIME_UNAVAILABLE": (RuntimeMissingError, "no OpenXR runtime was found", _START),
    "ERROR_FILE_ACCESS_ERROR": (RuntimeMissingError, "the OpenXR runtime's library or manifest cannot be read", _START),
    "ERROR_FILE_CONTENTS_INVALID": (RuntimeMissingError, "the OpenXR runtime's manifest is invalid", _START),
    "ERROR_INITIALIZATION_FAILED": (RuntimeMissingError, "the OpenXR runtime failed to start", _START),
    "ERROR_FORM_FACTOR_UNAVAILABLE": (
        HeadsetMissingError,
        "the OpenXR runtime's headset is not connected",
        f"connect it and switch it on; {_SIMULATED}",
    ),
    "ERROR_FORM_FACTOR_UNSUPPORTED": (
        HeadsetMissingError,
        "the OpenXR runtime supports no headset",
        f"use the runtime of your headset; {_SIMULATED}",
    ),
    "ERROR_SESSION_LOST": (SessionLostError, "the headset's session is lost", "connect the headset again"),
    "SESSION_LOSS_PENDING": (SessionLostError, "the headset's session is lost", "connect the headset again"),
    "ERROR_INSTANCE_LOST": (InstanceLostError, "the OpenXR runtime is lost", _RESTART),
    "ERROR_API_VERSION_UNSUPPORTED": (OpenXrError, "the OpenXR runtime is too old", "update it"),
    "ERROR_LIMIT_REACHED": (
        OpenXrError,
        "the OpenXR runtime is in use by another program",
        "close other programs that use the headset",
    ),
    "ERROR_GRAPHICS_DEVICE_INVALID": (
        OpenXrError,
        "the OpenXR runtime cannot use the GPU that the game runs on",
        "connect the headset to that GPU, or omit --device and RENDERWRIGHT_DEVICE",
    ),
    "ERROR_OUT_OF_MEMORY": (OpenXrError, "the OpenXR runtime is out of memory", "close other programs"),
    "ERROR_RUNTIME_FAILURE": (OpenXrError, "the OpenXR runtime has failed", _RESTART),
}


def load_binding() -> Any:
    """The module ``xr`` of pyopenxr. Raises ``UsageError`` if it is not installed or fails to load."""
    try:
        return import_module("xr")
    except (ImportError, OSError, NotImplementedError) as error:
        raise UsageError(
            f"OpenXR needs the package pyopenxr: {error}",
            hint='install it with `pip install "renderwright[vr]"`, or use vr.device=simulated',
        ) from error


@contextmanager
def calling(xr: Any, what: str) -> Iterator[None]:
    """Convert pyopenxr exceptions to ``OpenXrError``. ``what`` describes the call, such as "begin a frame"."""
    try:
        yield
    except xr.exception.ResultException as error:
        raise explained(error, what) from error


def explained(error: Any, what: str) -> OpenXrError:
    """The ``OpenXrError`` for an exception of pyopenxr."""
    result = error.get_result_enum()
    name = result.name if result is not None else type(error).__name__
    kind, said, hint = _KNOWN.get(name, (OpenXrError, "an OpenXR call failed", _RESTART))
    return kind(f"{said} (XR_{name}, trying to {what})", hint=hint, result=name)

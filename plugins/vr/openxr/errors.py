"""What goes wrong in OpenXR, in words: which call failed, with which result, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from renderwright.render import BackendError, UsageError

_SIMULATED = "vr.device=simulated needs none"


class OpenXrError(BackendError):
    """A call to the OpenXR runtime has failed; ``result`` is the name of its XrResult, '' where no call is to blame."""

    def __init__(self, message: str, *, hint: str = "", result: str = "") -> None:
        super().__init__(message, hint=hint)
        self.result = result


class RuntimeMissingError(OpenXrError):
    """There is no OpenXR runtime, or it cannot be loaded."""


class HeadsetMissingError(OpenXrError):
    """The runtime has no headset, or not now."""


class SessionLostError(OpenXrError):
    """The session is over; another one can be made when the headset is there again."""


class InstanceLostError(OpenXrError):
    """The runtime has gone; nothing of it can be used any more."""


_START = (
    "start one (SteamVR, Monado, ...) and make it the active runtime, or set XR_RUNTIME_JSON to its manifest; "
    + _SIMULATED
)
_RESTART = "restart the OpenXR runtime and the game"
_KNOWN: dict[str, tuple[type[OpenXrError], str, str]] = {
    "ERROR_RUNTIME_UNAVAILABLE": (RuntimeMissingError, "no OpenXR runtime was found", _START),
    "ERROR_FILE_ACCESS_ERROR": (RuntimeMissingError, "the OpenXR runtime's library or manifest cannot be read", _START),
    "ERROR_FILE_CONTENTS_INVALID": (RuntimeMissingError, "the OpenXR runtime's manifest is wrong", _START),
    "ERROR_INITIALIZATION_FAILED": (RuntimeMissingError, "the OpenXR runtime does not start", _START),
    "ERROR_FORM_FACTOR_UNAVAILABLE": (
        HeadsetMissingError,
        "the OpenXR runtime's headset is not there",
        f"connect it and switch it on; {_SIMULATED}",
    ),
    "ERROR_FORM_FACTOR_UNSUPPORTED": (
        HeadsetMissingError,
        "the OpenXR runtime knows no headset",
        f"use the runtime of your headset; {_SIMULATED}",
    ),
    "ERROR_SESSION_LOST": (SessionLostError, "the headset's session is lost", "connect the headset again"),
    "SESSION_LOSS_PENDING": (SessionLostError, "the headset's session is lost", "connect the headset again"),
    "ERROR_INSTANCE_LOST": (InstanceLostError, "the OpenXR runtime has gone", _RESTART),
    "ERROR_API_VERSION_UNSUPPORTED": (OpenXrError, "the OpenXR runtime is too old", "update it"),
    "ERROR_LIMIT_REACHED": (
        OpenXrError,
        "the OpenXR runtime serves somebody else",
        "end other programs that use the headset",
    ),
    "ERROR_GRAPHICS_DEVICE_INVALID": (
        OpenXrError,
        "the OpenXR runtime cannot use the graphics card that the game runs on",
        "connect the headset to that card, or leave out --device and RENDERWRIGHT_DEVICE",
    ),
    "ERROR_OUT_OF_MEMORY": (OpenXrError, "the OpenXR runtime has no memory left", "end other programs"),
    "ERROR_RUNTIME_FAILURE": (OpenXrError, "the OpenXR runtime has failed", _RESTART),
}


def load_binding() -> Any:
    """The module ``xr`` of pyopenxr; ``UsageError`` where it is not installed or does not work."""
    try:
        return import_module("xr")
    except (ImportError, OSError, NotImplementedError) as error:
        raise UsageError(
            f"OpenXR needs the package pyopenxr: {error}",
            hint='install it with `pip install "renderwright[vr]"`, or use vr.device=simulated',
        ) from error


@contextmanager
def calling(xr: Any, what: str) -> Iterator[None]:
    """What OpenXR raises within is raised as an ``OpenXrError``; ``what`` is being done, such as "begin a frame"."""
    try:
        yield
    except xr.exception.ResultException as error:
        raise explained(error, what) from error


def explained(error: Any, what: str) -> OpenXrError:
    """The error that says what an exception of pyopenxr means."""
    result = error.get_result_enum()
    name = result.name if result is not None else type(error).__name__
    kind, said, hint = _KNOWN.get(name, (OpenXrError, "the OpenXR runtime objects", _RESTART))
    return kind(f"{said} (XR_{name}, trying to {what})", hint=hint, result=name)

"""Which backend plays a game, and how it is opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from renderwright.engine.options import BackendName, PlayOptions
from renderwright.render.backend.interop import Interop
from renderwright.render.backend.missing_device import INSTALL_VULKAN
from renderwright.render.backend.protocol import Backend
from renderwright.render.disk_cache import cache_folder
from renderwright.render.errors import BackendError, UsageError
from renderwright.render.suggest import did_you_mean

if TYPE_CHECKING:
    from renderwright.engine.window import GameWindow
    from renderwright.render.backend.vulkan.recording import StreamRecorder

VARIABLE = "RENDERWRIGHT_BACKEND"

DEVICE_TURN = "RENDERWRIGHT_DEVICE_TURN"
"""The variable by which processes share equal Vulkan devices: a number that counts round through them. A farm sets it
for each worker of this machine."""

TILE_PATIENCE = 120.0
"""Seconds that the device may work on one tile of a large screenshot: software drivers take long for millions of
texels."""


@dataclass(frozen=True)
class ChosenBackend:
    """A backend, and in words why it is not Vulkan, if nobody has asked for it."""

    name: BackendName
    reason: str = ""


def choose_backend(asked: BackendName | None, why_no_vulkan: Callable[[], str] | None = None) -> ChosenBackend:
    """The backend that is ``asked`` for, else that of ``RENDERWRIGHT_BACKEND``, else Vulkan, else OpenGL.

    ``why_no_vulkan`` says why Vulkan cannot be used, '' if it can; None asks the machine. Raises ``UsageError`` if the
    variable names no backend.
    """
    if asked is not None:
        return ChosenBackend(asked)
    named = os.environ.get(VARIABLE, "")
    if named:
        try:
            return ChosenBackend(BackendName(named))
        except ValueError:
            names = [each.value for each in BackendName]
            hint = did_you_mean(named, names) or f"it is one of {', '.join(names)}"
            raise UsageError(f'{VARIABLE} is "{named}", which is no backend', hint=hint) from None
    reason = (why_no_vulkan or vulkan_is_missing)()
    return ChosenBackend(BackendName.OPENGL, reason) if reason else ChosenBackend(BackendName.VULKAN)


def vulkan_is_missing() -> str:
    """Why no device of this machine can be used with Vulkan; '' if one can."""
    try:
        from renderwright.render.backend.vulkan.describe import describe_devices

        devices = describe_devices()
    except BackendError as error:
        return error.message
    if any(not device.lacks for device in devices):
        return ""
    if not devices:
        return "there is no Vulkan driver on this machine"
    return "; ".join(f"{device.name} lacks {', '.join(device.lacks)}" for device in devices)


def opengl_is_missing() -> str:
    """Why no device of this machine can be used with OpenGL; '' if one can."""
    from renderwright.render.backend.opengl.context import open_headless

    try:
        open_headless().release()
    except BackendError as error:
        return error.message
    return ""


def way_to_vulkan(instead: BackendName) -> str:
    """A hint for what needs Vulkan, where a game plays on another backend ``instead``."""
    if vulkan_is_missing():
        return INSTALL_VULKAN
    if os.environ.get(VARIABLE) == instead:
        return f"unset {VARIABLE}, or play with --backend vulkan"
    return f"leave out --backend {instead}"


def make_backend(
    options: PlayOptions,
    recording: StreamRecorder | None = None,
    interops: Sequence[Interop] = (),
    window: GameWindow | None = None,
) -> Backend:
    """The backend of the options. ``recording`` records its Vulkan calls, ``interops`` share its Vulkan device, and a
    ``window`` has the OpenGL context."""
    name = choose_backend(options.backend).name
    if name is not BackendName.VULKAN:
        for interop in interops:
            interop.refused(UsageError(f"{interop.name} needs a Vulkan device", hint=way_to_vulkan(name)))
    match name:
        case BackendName.VULKAN:
            with _another_way("opengl", vulkan_is_missing, opengl_is_missing):
                return _vulkan(options, recording, interops)
        case BackendName.OPENGL:
            with _another_way("vulkan", opengl_is_missing, vulkan_is_missing):
                return _opengl(options, window)
        case BackendName.NULL:
            return _null()
        case _:
            assert_never(name)


@contextmanager
def _another_way(other: str, is_missing: Callable[[], str], other_is_missing: Callable[[], str]) -> Iterator[None]:
    """Where a driver is missing, say whether games can be played on the ``other`` backend."""
    try:
        yield
    except BackendError as error:
        if not is_missing():
            raise
        if not (why := other_is_missing()):
            raise BackendError(error.message, hint=f"{error.hint}; or play with --backend {other}") from error
        raise BackendError(f"{error.message}; and {why}", hint=error.hint) from error


def _null() -> Backend:
    from renderwright.render.backend.null.backend import NullBackend

    return NullBackend()


def _device(options: PlayOptions) -> str:
    return options.device or os.environ.get("RENDERWRIGHT_DEVICE", "")


def _turn() -> int:
    turn = os.environ.get(DEVICE_TURN, "0")
    return int(turn) if turn.isdecimal() else 0


def _patience(options: PlayOptions) -> float | None:
    return options.hang_after or (TILE_PATIENCE if options.tiles is not None else None)


def _opengl(options: PlayOptions, window: GameWindow | None) -> Backend:
    from renderwright.render.backend.opengl import OpenGLBackend
    from renderwright.render.backend.opengl.context import open_of_window

    if window is not None:
        window.enter_context()
    return OpenGLBackend(
        _device(options),
        validate=options.validate,
        context=open_of_window() if window is not None else None,
        wait_seconds=_patience(options),
    )


def _vulkan(options: PlayOptions, recording: StreamRecorder | None, interops: Sequence[Interop]) -> Backend:
    from renderwright.render.backend.vulkan.backend import VulkanBackend

    return VulkanBackend(
        _device(options),
        validate=options.validate,
        wrap=recording.wrap if recording is not None else None,
        cache_folder=cache_folder("pipelines"),
        queues=options.queues,
        wait_seconds=_patience(options),
        interops=interops,
        check=options.check is not None,
        turn=_turn(),
    )

"""Contexts: without a window by EGL, or the current one of a window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import glcontext
import moderngl

from renderwright.render.backend.missing_device import INSTALL_OPENGL, no_such_device
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.egl import EglContext, count_devices
from renderwright.render.errors import BackendError

VERSION = 450

_CURRENT_OF_WINDOWS = "glXGetCurrentContext"


class Context:
    """An OpenGL context, which belongs to the thread that opened it.

    ``moderngl`` tells its driver and extensions, ``name`` its device.
    ``native`` has the interface of ``glcontext``; ``is_current`` tells whether it is the calling thread's context.
    """

    def __init__(self, native: Any, is_current: Callable[[], bool]) -> None:
        self._native = native
        self._is_current = is_current
        self._thread = threading.get_ident()
        self.load: Callable[[str], int] = native.load_opengl_function
        self.moderngl: Any = moderngl.create_context(require=VERSION, context=native)
        self.name = str(self.moderngl.info["GL_RENDERER"])

    @property
    def is_here(self) -> bool:
        """Whether the caller's thread may use the context."""
        return threading.get_ident() == self._thread

    def enter(self) -> None:
        """Make the context current, unless it is."""
        if not self._is_current():
            if not self.is_here:
                raise BackendError("an OpenGL context is used on another thread", hint="use it where it was opened")
            self._native.__enter__()

    def release(self) -> None:
        """Destroy the context, unless it belongs to a window."""
        self.enter()
        self.moderngl.release()


def open_headless(device: str = "", *, debug: bool = False) -> Context:
    """A context without a window, on a device by its index or a part of its name; '' for the first that has one.

    A ``debug`` context tells more about wrong calls. Raises ``BackendError`` if there is none, with the devices that
    are there.
    """
    devices = range(count_devices())
    failures = []
    for number in [each for each in devices if not device.isdecimal() or each == int(device)]:
        try:
            context = _open_egl(number, debug)
        except BackendError as error:
            failures.append(error)
            continue
        if device.isdecimal() or device.casefold() in context.name.casefold():
            return context
        context.release()
    if len(failures) == len(devices) or (failures and device.isdecimal()):
        raise failures[0]
    raise no_such_device("OpenGL", device, [_line(number) for number in devices])


def open_of_window() -> Context:
    """The context that is current on this thread, which a window made."""
    try:
        native = glcontext.default_backend()(glversion=VERSION, mode="detect")
        return Context(native, _is_current_on_x11(native))
    except Exception as error:  # glcontext raises bare exceptions
        message = f"the window has no OpenGL {VERSION / 100:.1f} context: {error}"
        raise BackendError(message, hint=INSTALL_OPENGL) from error


def _is_current_on_x11(native: Any) -> Callable[[], bool]:
    """Whether a window's context is current. Where nothing tells, no other context is expected."""
    address = native.load_opengl_function(_CURRENT_OF_WINDOWS)
    if not address:
        return lambda: True
    current = ffi.cast("void*(*)(void)", address)
    own = current()
    return lambda: bool(current() == own)


def _open_egl(number: int, debug: bool) -> Context:
    native = EglContext(number, debug=debug)
    try:
        return Context(native, lambda: native.is_current)
    except Exception as error:  # moderngl raises bare exceptions
        native.release()
        raise BackendError(
            f"no OpenGL {VERSION / 100:.1f} context can be opened: {error}", hint=INSTALL_OPENGL
        ) from error


def _line(number: int) -> str:
    """A device's number and name, or why it cannot be opened."""
    try:
        context = _open_egl(number, debug=False)
    except BackendError as error:
        return f"{number} ({error.message})"
    context.release()
    return f"{number} {context.name}"

"""Contexts: without a window by EGL, or the current one of a window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import glcontext
import moderngl

from renderwright.render.backend.opengl.api import ffi
from renderwright.render.errors import BackendError

VERSION = 450

_MOST_DEVICES = 16
_CURRENT = ("eglGetCurrentContext", "glXGetCurrentContext")
_HINT = "install a driver with OpenGL 4.5; on Debian or Ubuntu: sudo apt install libegl1 libgl1-mesa-dri"


class Context:
    """An OpenGL context, which belongs to the thread that opened it. ``moderngl`` tells its driver and extensions."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self.load: Callable[[str], int] = native.load_opengl_function
        self.moderngl: Any = moderngl.create_context(require=VERSION, context=native)
        self._thread = threading.get_ident()
        self._current = self._ask_current()
        self._own = self._current()

    def _ask_current(self) -> Callable[[], Any]:
        for name in _CURRENT:
            address = self.load(name)
            if address and ffi.cast("void*(*)(void)", address)() != ffi.NULL:
                function: Callable[[], Any] = ffi.cast("void*(*)(void)", address)
                return function
        return lambda: ffi.NULL  # nothing tells: no other context is expected

    @property
    def is_here(self) -> bool:
        """Whether the caller's thread may use the context."""
        return threading.get_ident() == self._thread

    def enter(self) -> None:
        """Make the context current, unless it is."""
        if self._current() != self._own:
            if not self.is_here:
                raise BackendError("an OpenGL context is used on another thread", hint="use it where it was opened")
            self._native.__enter__()

    def release(self) -> None:
        """Destroy the context, unless it belongs to a window."""
        self.moderngl.release()


def open_headless(device: str = "") -> Context:
    """A context without a window, on a device by its index or a part of its name; '' for EGL's first one.

    Raises ``BackendError`` if there is none, with the devices that are there.
    """
    if device.isdecimal():
        return _open_egl(int(device))
    if not device:
        return _open_egl(0)
    names = []
    for number in range(_MOST_DEVICES):
        try:
            context = _open_egl(number)
        except BackendError:
            break
        names.append(str(context.moderngl.info["GL_RENDERER"]))
        if device.lower() in names[-1].lower():
            return context
        context.release()
    raise BackendError(f'no OpenGL device is called "{device}"', hint=f"the devices are {', '.join(names) or 'none'}")


def open_of_window() -> Context:
    """The context that is current on this thread, which a window made."""
    try:
        return Context(glcontext.default_backend()(glversion=VERSION, mode="detect"))
    except Exception as error:
        raise BackendError(f"the window has no OpenGL {VERSION / 100:.1f} context: {error}", hint=_HINT) from error


def _open_egl(number: int) -> Context:
    try:
        native = glcontext.get_backend_by_name("egl")(glversion=VERSION, mode="standalone", device_index=number)
        return Context(native)
    except BackendError:
        raise
    except Exception as error:  # glcontext raises bare exceptions
        raise BackendError(f"no OpenGL {VERSION / 100:.1f} context can be opened: {error}", hint=_HINT) from error

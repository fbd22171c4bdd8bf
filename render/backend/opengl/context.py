"""Contexts: without a window by EGL, or the current one of a window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import glcontext
import moderngl

from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.egl import HINT, EglContext
from renderwright.render.errors import BackendError

VERSION = 450

_MOST_DEVICES = 16
_CURRENT_OF_WINDOWS = "glXGetCurrentContext"


class Context:
    """An OpenGL context, which belongs to the thread that opened it. ``moderngl`` tells its driver and extensions.

    ``native`` has the interface of ``glcontext``; ``is_current`` tells whether it is the calling thread's context.
    """

    def __init__(self, native: Any, is_current: Callable[[], bool]) -> None:
        self._native = native
        self._is_current = is_current
        self._thread = threading.get_ident()
        self.load: Callable[[str], int] = native.load_opengl_function
        self.moderngl: Any = moderngl.create_context(require=VERSION, context=native)

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
    """A context without a window, on a device by its index or a part of its name; '' for EGL's first one.

    A ``debug`` context tells more about wrong calls. Raises ``BackendError`` if there is none, with the devices that
    are there.
    """
    if not device or device.isdecimal():
        return _open_egl(int(device or 0), debug)
    names = []
    for number in range(_MOST_DEVICES):
        try:
            context = _open_egl(number, debug)
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
        native = glcontext.default_backend()(glversion=VERSION, mode="detect")
        return Context(native, _is_current_on_x11(native))
    except Exception as error:  # glcontext raises bare exceptions
        raise BackendError(f"the window has no OpenGL {VERSION / 100:.1f} context: {error}", hint=HINT) from error


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
        raise BackendError(f"no OpenGL {VERSION / 100:.1f} context can be opened: {error}", hint=HINT) from error

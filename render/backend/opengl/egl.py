"""Contexts without a window, by EGL: robust, so that a reset of the device is told and does not end the process.

Source: EGL 1.5, and the extensions EGL_EXT_device_enumeration and EGL_EXT_platform_device.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cffi

from renderwright.render.backend.missing_device import INSTALL_OPENGL, no_driver
from renderwright.render.errors import BackendError

_LIBRARIES = ("libEGL.so.1", "libEGL.so", "libEGL.dll")
_DECLARATIONS = """
typedef void *EGLDisplay; typedef void *EGLConfig; typedef void *EGLContext; typedef void *EGLSurface;
typedef unsigned int EGLBoolean; typedef unsigned int EGLenum; typedef int EGLint;
void *eglGetProcAddress(const char *name);
EGLDisplay eglGetDisplay(void *native);
EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor);
EGLBoolean eglBindAPI(EGLenum api);
EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *wanted, EGLConfig *configs, EGLint most, EGLint *count);
EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attributes);
EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context);
EGLContext eglGetCurrentContext(void);
EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context);
EGLint eglGetError(void);
"""
_OPENGL_API = 0x30A2
_PLATFORM_DEVICE = 0x313F
_NONE = 0x3038
_WANTED = (0x3033, 0, 0x3040, 0x0008, _NONE)  # any surface, OpenGL
_VERSION = (0x3098, 4, 0x30FB, 5, 0x30FD, 0x1)  # 4.5, core profile
_ROBUST = (0x31B2, 1, 0x31BD, 0x31BF)  # robust access, lose the context on a reset
_DEBUG = (0x31B0, 1)
_MOST_DEVICES = 32

ffi: Any = cffi.FFI()
ffi.cdef(_DECLARATIONS)


class EglContext:
    """An OpenGL 4.5 context of the device with this number, with the interface that moderngl expects.

    Numbers are below ``count_devices()``. Raises ``BackendError`` if the device has no such context.
    """

    def __init__(self, number: int, *, debug: bool = False) -> None:
        self._lib = _library()
        self._display = self._open_display(number)
        if not self._lib.eglInitialize(self._display, ffi.NULL, ffi.NULL) or not self._lib.eglBindAPI(_OPENGL_API):
            raise no_driver("OpenGL", INSTALL_OPENGL, f"EGL error {self._lib.eglGetError():#06x}")
        config, count = ffi.new("EGLConfig*"), ffi.new("EGLint*")
        wanted = ffi.new("EGLint[]", _WANTED)
        if not self._lib.eglChooseConfig(self._display, wanted, config, 1, count) or not count[0]:
            raise self._failure("there is no OpenGL configuration")
        self._context = self._create(config[0], debug)
        self.__enter__()

    def load(self, name: str) -> int:
        """The address of a function, 0 if there is none."""
        return int(ffi.cast("uintptr_t", self._lib.eglGetProcAddress(name.encode())))

    load_opengl_function = load

    @property
    def is_current(self) -> bool:
        """Whether it is the calling thread's context."""
        return bool(self._lib.eglGetCurrentContext() == self._context)

    def __enter__(self) -> EglContext:
        if not self._lib.eglMakeCurrent(self._display, ffi.NULL, ffi.NULL, self._context):
            raise self._failure("the context cannot be made current")
        return self

    def __exit__(self, *_: object) -> None:
        """Stay current: there is one context to a thread, nearly always."""

    def release(self) -> None:
        """Destroy the context. The display stays open, since others may use it."""
        if self.is_current:
            self._lib.eglMakeCurrent(self._display, ffi.NULL, ffi.NULL, ffi.NULL)
        self._lib.eglDestroyContext(self._display, self._context)

    def _create(self, config: Any, debug: bool) -> Any:
        for attributes in _attributes(debug):
            made = self._lib.eglCreateContext(self._display, config, ffi.NULL, ffi.new("EGLint[]", attributes))
            if made != ffi.NULL:
                return made
        raise self._failure("the driver has no OpenGL 4.5")

    def _open_display(self, number: int) -> Any:
        devices = _devices(self._lib)
        if not devices:
            return self._lib.eglGetDisplay(ffi.NULL)
        open_display = _extension(self._lib, "eglGetPlatformDisplayEXT", "EGLDisplay(*)(EGLenum, void*, const EGLint*)")
        return open_display(_PLATFORM_DEVICE, devices[number], ffi.NULL)

    def _failure(self, what: str) -> BackendError:
        return BackendError(f"{what} (EGL error {self._lib.eglGetError():#06x})", hint=INSTALL_OPENGL)


def count_devices() -> int:
    """The number of EGL's devices; 1 where it does not list them. Raises ``BackendError`` if there is no EGL."""
    return max(1, len(_devices(_library())))


def _devices(lib: Any) -> list[Any]:
    query = _extension(lib, "eglQueryDevicesEXT", "EGLBoolean(*)(EGLint, void**, EGLint*)")
    if query is None:
        return []
    found, count = ffi.new("void*[]", _MOST_DEVICES), ffi.new("EGLint*")
    return list(found[0 : count[0]]) if query(_MOST_DEVICES, found, count) else []


def _extension(lib: Any, name: str, signature: str) -> Any:
    address = lib.eglGetProcAddress(name.encode())
    return ffi.cast(signature, address) if address != ffi.NULL else None


def _attributes(debug: bool) -> Iterator[tuple[int, ...]]:
    """The attributes to try, in order: not every driver has robust contexts."""
    further = _DEBUG if debug else ()
    yield (*_VERSION, *_ROBUST, *further, _NONE)
    yield (*_VERSION, *further, _NONE)
    yield (*_VERSION, _NONE)


def _library() -> Any:
    for name in _LIBRARIES:
        try:
            return ffi.dlopen(name)
        except OSError:
            continue
    raise no_driver("OpenGL", INSTALL_OPENGL, "the EGL library is missing")

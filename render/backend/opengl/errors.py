"""OpenGL's error codes as typed errors."""

from __future__ import annotations

from renderwright.render.backend.opengl.api import Api
from renderwright.render.backend.opengl.enums import CONTEXT_LOST, NO_ERROR, OUT_OF_MEMORY
from renderwright.render.errors import BackendError, DeviceLostError, OutOfMemoryError

_NAMES = {
    0x0500: "GL_INVALID_ENUM",
    0x0501: "GL_INVALID_VALUE",
    0x0502: "GL_INVALID_OPERATION",
    0x0503: "GL_STACK_OVERFLOW",
    0x0504: "GL_STACK_UNDERFLOW",
    OUT_OF_MEMORY: "GL_OUT_OF_MEMORY",
    0x0506: "GL_INVALID_FRAMEBUFFER_OPERATION",
    CONTEXT_LOST: "GL_CONTEXT_LOST",
}
_MOST_ERRORS = 16
"""A lost context may report its loss at every question."""


def failure(code: int, action: str) -> BackendError:
    """The error of a failed ``action`` ("create the buffer 'x'")."""
    message = f"cannot {action}: {_NAMES.get(code, f'OpenGL error {code:#06x}')}"
    if code == OUT_OF_MEMORY:
        return OutOfMemoryError(message, hint="use smaller or fewer textures, or close other programs on this device")
    if code == CONTEXT_LOST:
        return lost(message)
    return BackendError(message)


def lost(message: str) -> DeviceLostError:
    """The error of a lost context."""
    return DeviceLostError(message, hint="the driver gave up on the device; a shader may take too long or never end")


def check(api: Api, action: str) -> None:
    """Raise the first error since the last check, if any. Losses and full memory come before other errors."""
    codes = []
    for _ in range(_MOST_ERRORS):
        code = api.glGetError()
        if code == NO_ERROR:
            break
        codes.append(code)
    if codes:
        worst = next((code for code in (CONTEXT_LOST, OUT_OF_MEMORY) if code in codes), codes[0])
        raise failure(worst, action)


def check_alive(api: Api) -> None:
    """Raise ``DeviceLostError`` if the context has been reset."""
    if api.glGetGraphicsResetStatus() != NO_ERROR:
        raise lost("the OpenGL context is lost")

"""Messages of the driver about wrong calls, as values."""

from __future__ import annotations

import logging
from typing import Any

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import NULL, ffi
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.validation_message import ValidationMessage

_logger = logging.getLogger("renderwright.opengl")
_WRONG = {gl.DEBUG_TYPE_ERROR: "error", gl.DEBUG_TYPE_UNDEFINED_BEHAVIOR: "warning"}


class DebugLog:
    """Collects the driver's errors, and logs them to ``renderwright.opengl``; hints on speed are left out."""

    def __init__(self, device: Device) -> None:
        self.messages: list[ValidationMessage] = []
        self._device = device
        signature = "void(GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar*, const void*)"
        self._callback = ffi.callback(signature, self._receive)
        device.api.glEnable(gl.DEBUG_OUTPUT)
        device.api.glEnable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
        device.api.glDebugMessageCallback(ffi.cast("void*", self._callback), NULL)

    def _receive(self, source: int, kind: int, rule: int, severity: int, length: int, text: Any, _user: Any) -> None:
        if kind not in _WRONG or source == gl.DEBUG_SOURCE_APPLICATION:
            return
        message = ValidationMessage(_WRONG[kind], f"OpenGL {rule}", ffi.string(text).decode(errors="replace"))
        self.messages.append(message)
        _logger.log(logging.ERROR if kind == gl.DEBUG_TYPE_ERROR else logging.WARNING, "%s", message.text)

    def release(self) -> None:
        """Take the callback away from the driver."""
        self._device.api.glDebugMessageCallback(NULL, NULL)

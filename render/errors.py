"""Errors for users.

An error has a message, the location of the declaration, and a hint; the command line prints exactly these.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SourceLocation:
    """A location in a source file (line and column start at 1; column 0 is unknown)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


CODE_FAILURES = (Exception, SystemExit)
"""What code of plugins may raise without ending the game. KeyboardInterrupt comes from the user."""


class RenderwrightError(Exception):
    """Base of all errors for users.

    ``hint`` suggests a repair; ``where`` is the declaration that caused the error.
    """

    def __init__(self, message: str, *, hint: str = "", where: SourceLocation | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}\n  {self.hint}" if self.hint else text


class GraphError(RenderwrightError):
    """An invalid request or edit of the frame graph."""


class CompileError(RenderwrightError):
    """The graph has no valid plan; the running plan stays.

    ``node`` is the name of the node at fault, or '' if no single node is.
    """

    def __init__(self, message: str, *, hint: str = "", where: SourceLocation | None = None, node: str = "") -> None:
        super().__init__(message, hint=hint, where=where)
        self.node = node


class ShaderError(RenderwrightError):
    """A shader does not compile, or does not match the requests of its node."""


class MissingShaderError(ShaderError):
    """The file of a shader does not exist."""


class MissingToolError(ShaderError):
    """The shader compiler is not installed or has no room for its files; no shader is at fault."""


class BackendError(RenderwrightError):
    """The graphics API or its driver does not support a request."""


class CheckError(RenderwrightError):
    """A node leaves undefined what it declares, makes NaN or infinity, or is stable by mistake."""


class OutOfMemoryError(BackendError):
    """An allocation failed."""


class DeviceLostError(BackendError):
    """The device is lost, with everything on it."""


class DeviceHungError(DeviceLostError):
    """The device has not finished in time, and may still use all submitted resources."""


class SurfaceLostError(BackendError):
    """The surface of the window is lost."""


class SkeletonError(RenderwrightError):
    """A skeleton file is invalid."""


class PluginError(RenderwrightError):
    """A plugin cannot be loaded, configured or run."""


class AssetError(RenderwrightError):
    """A model, image or data file cannot be used."""


class UsageError(RenderwrightError):
    """The command line or a setting is invalid."""

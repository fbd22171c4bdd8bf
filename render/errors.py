"""Every error that a person may have to read.

An error carries what happened, where it was declared, and what to do about it; the command line prints these three and
nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SourceLocation:
    """The place in a file where a person wrote something (line and column start at 1; column 0 is unknown)."""

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


class RenderwrightError(Exception):
    """Base of all errors whose message is meant for a person.

    ``hint`` says what to do; ``where`` is the declaration that caused it.
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
    """A request or an edit of the frame graph that can never be right."""


class CompileError(RenderwrightError):
    """The graph has no valid plan; the plan that runs stays.

    ``node`` is the declared name of the node to blame, or '' when it is nobody's request.
    """

    def __init__(self, message: str, *, hint: str = "", where: SourceLocation | None = None, node: str = "") -> None:
        super().__init__(message, hint=hint, where=where)
        self.node = node


class ShaderError(RenderwrightError):
    """A shader does not compile, or does not fit the requests of its node."""


class MissingToolError(ShaderError):
    """A program that compiles shaders is not installed; no shader is to blame."""


class BackendError(RenderwrightError):
    """The graphics API or its driver cannot do what was asked."""


class OutOfMemoryError(BackendError):
    """An allocation failed."""


class DeviceLostError(BackendError):
    """The device stopped answering: everything on it is gone."""


class DeviceHungError(DeviceLostError):
    """The device has not finished in time, and may still be using everything that it was given."""


class SurfaceLostError(BackendError):
    """The window can no longer be drawn to."""


class SkeletonError(RenderwrightError):
    """A skeleton graph file is wrong."""


class PluginError(RenderwrightError):
    """A plugin cannot be loaded, configured or run."""


class AssetError(RenderwrightError):
    """A model, image or data file cannot be used."""


class UsageError(RenderwrightError):
    """The command line or a setting is wrong."""

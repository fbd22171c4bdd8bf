"""Notes the calls of a recorder, so that two recordings of a node can be compared."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from renderwright.render.backend.protocol import Recorder


@dataclass(frozen=True)
class NotedCall:
    """One call of a recorder: its command, and the arguments by their names, with defaults."""

    command: str
    arguments: tuple[tuple[str, Any], ...]


class NotingRecorder:
    """A recorder that notes each call and passes it on."""

    def __init__(self, recorder: Recorder) -> None:
        self.calls: list[NotedCall] = []
        self._recorder = recorder

    def __getattr__(self, command: str) -> Callable[..., None]:
        function, signature = getattr(self._recorder, command), _signature(command)

        def noted(*arguments: Any, **named: Any) -> None:
            function(*arguments, **named)
            bound = signature.bind(self, *arguments, **named)
            bound.apply_defaults()
            given = list(bound.arguments.items())[1:]
            self.calls.append(NotedCall(command, tuple((name, _copy(value)) for name, value in given)))

        return noted

    def as_recorder(self) -> Recorder:
        """The same, as a recorder."""
        return cast(Recorder, self)


@cache
def _signature(command: str) -> inspect.Signature:
    return inspect.signature(getattr(Recorder, command))


def _copy(value: Any) -> Any:
    """An argument that its owner cannot change any more."""
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    return tuple(map(_copy, value)) if isinstance(value, list) else value

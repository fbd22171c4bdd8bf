"""What a runtime does and when, for traces: compiles, uploads. Nothing is kept until somebody asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Span(NamedTuple):
    """Something that took from ``begin`` to ``end``, in seconds of ``time.perf_counter``, on a ``thread``."""

    what: str
    begin: float
    end: float
    thread: str


class Spans:
    """Keeps spans while it is ``kept``."""

    def __init__(self) -> None:
        self.kept = False
        self._found: list[Span] = []

    def call(self, what: str, function: Callable[P, T], *arguments: P.args, **more: P.kwargs) -> T:
        """Call a function, also one that raises, and note when."""
        if not self.kept:
            return function(*arguments, **more)
        begin = time.perf_counter()
        try:
            return function(*arguments, **more)
        finally:
            self._found.append(Span(what, begin, time.perf_counter(), threading.current_thread().name))

    def take(self) -> list[Span]:
        """The spans since the last time."""
        found, self._found = self._found, []
        return found

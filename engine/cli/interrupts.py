"""Tracking of Ctrl-C."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any


class Interrupts:
    """A context manager that raises ``KeyboardInterrupt`` on Ctrl-C, as Python does, and sets ``seen``.

    Only the main thread can handle signals; in other threads it does nothing.
    """

    def __init__(self) -> None:
        self.seen = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        # A process that ignores Ctrl-C, such as a background process of a script, keeps ignoring it.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                self._before = signal.signal(signal.SIGINT, self._on_signal)
            except ValueError:
                self._before = None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        signal.default_int_handler(number, frame)

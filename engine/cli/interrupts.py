"""Tracking of Ctrl-C and of a request to end (SIGTERM)."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
"""What ends the process in order, with the handler that Python starts with."""

_SHELL_CODE = 128
"""A shell reports a process that a signal ended by this number plus that of the signal."""


class Interrupts:
    """A context manager that raises ``KeyboardInterrupt`` on Ctrl-C and on SIGTERM, and keeps the last one in ``seen``.

    Only the main thread can handle signals; in other threads it does nothing.
    """

    def __init__(self) -> None:
        self.seen: int | None = None
        self._before: dict[signal.Signals, Any] = {}

    @property
    def exit_code(self) -> int:
        """130 after Ctrl-C, 143 after SIGTERM."""
        return _SHELL_CODE + (self.seen or signal.SIGINT)

    def __enter__(self) -> Interrupts:
        for number, default in _SIGNALS.items():
            # A process that ignores a signal, such as a background process of a script, keeps ignoring it.
            if signal.getsignal(number) is default:
                try:
                    self._before[number] = signal.signal(number, self._on_signal)
                except ValueError:
                    break
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.seen = number
        signal.default_int_handler(number, frame)

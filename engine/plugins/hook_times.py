"""Times of the calls of plugins' hooks.

They are always measured: a call of a hook takes far longer than two looks at the clock, and a frame has few.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from renderwright.engine.text_table import text_table

IMPORT = "import"
"""Stands for a hook in the times: the import of the plugin's code."""


@dataclass(frozen=True)
class HookTime:
    """The calls of one hook of one plugin: their number, their sum and the longest, in seconds."""

    hook: str
    plugin: str
    calls: int = 0
    total: float = 0.0
    longest: float = 0.0

    def plus(self, other: HookTime) -> HookTime:
        """These calls and others of the same hook."""
        longest = max(self.longest, other.longest)
        return HookTime(self.hook, self.plugin, self.calls + other.calls, self.total + other.total, longest)


class HookCall(NamedTuple):
    """One call of a hook of a plugin: when it began, and how long it took, in seconds."""

    hook: str
    plugin: str
    begin: float
    seconds: float


MOST_CALLS = 4096


class HookTimes:
    """Collects times of hooks. ``clock`` returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._times: dict[tuple[str, str], HookTime] = {}
        self.calls: deque[HookCall] = deque(maxlen=MOST_CALLS)
        """The last calls, for who takes them away from here."""

    def timed(self, plugin: str, hook: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function`` with its calls measured, also those that raise."""

        def call(*arguments: Any) -> Any:
            begin = self._clock()
            try:
                return function(*arguments)
            finally:
                seconds = self._clock() - begin
                self._add(HookTime(hook, plugin, 1, seconds, seconds))
                self.calls.append(HookCall(hook, plugin, begin, seconds))

        return call

    def rows(self) -> tuple[HookTime, ...]:
        """The times by hook and plugin, the largest total first."""
        return tuple(sorted(self._times.values(), key=lambda row: (-row.total, row.plugin, row.hook)))

    def include(self, other: HookTimes) -> None:
        """Add the times that another one has collected."""
        for row in other.rows():
            # The code is imported once: the first import of the other one has found it there.
            known = row.hook == IMPORT and (row.plugin, row.hook) in self._times
            self._add(replace(row, calls=row.calls - 1) if known else row)

    def _add(self, row: HookTime) -> None:
        key = (row.plugin, row.hook)
        before = self._times.get(key)
        self._times[key] = row if before is None else before.plus(row)


def hook_table(collected: Iterable[HookTimes]) -> str:
    """All collected times as one table for the terminal, in milliseconds."""
    total = HookTimes()
    for times in collected:
        total.include(times)
    cells = [("hook", "plugin", "calls", "total ms", "longest ms")]
    cells += [
        (row.hook, row.plugin, str(row.calls), f"{row.total * 1e3:.3f}", f"{row.longest * 1e3:.3f}")
        for row in total.rows()
    ]
    if len(cells) == 1:
        return "No plugin has been called."
    return text_table(cells, names=2)

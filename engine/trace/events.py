"""The Chrome trace format, as far as it is used: slices, counters, marks and names.

After Google, "Trace Event Format" (the object form).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]

PROCESS = 1


@dataclass
class TraceEvents:
    """Events of one process. Times are seconds of one clock; in the file they are microseconds from ``origin`` on."""

    origin: float
    events: list[Event] = field(default_factory=list)
    _threads: dict[str, int] = field(default_factory=dict)

    def slice(
        self, thread: str, name: str, begin: float, seconds: float, category: str, more: Mapping[str, Any] | None = None
    ) -> None:
        """Something that lasts. Slices of one thread nest, or follow each other."""
        self._add("X", thread, name, begin, category, dur=_micro(seconds), args=dict(more or {}))

    def mark(self, thread: str, name: str, at: float, category: str, more: Mapping[str, Any] | None = None) -> None:
        """Something that happens at a moment."""
        self._add("i", thread, name, at, category, s="t", args=dict(more or {}))

    def counter(self, name: str, at: float, values: Mapping[str, float]) -> None:
        """Values over time."""
        self.events.append({"ph": "C", "name": name, "pid": PROCESS, "ts": self._at(at), "args": dict(values)})

    def document(self, process: str, order: Sequence[str], other: Mapping[str, str]) -> dict[str, Any]:
        """The whole file. Threads come in the given ``order``, others behind them."""
        names: list[Event] = [_named("process_name", 0, {"name": process})]
        for thread, number in self._threads.items():
            at = order.index(thread) if thread in order else len(order) + number
            names.append(_named("thread_name", number, {"name": thread}))
            names.append(_named("thread_sort_index", number, {"sort_index": at}))
        events = sorted(self.events, key=lambda event: (event["ts"], -event.get("dur", 0.0)))
        return {"traceEvents": [*names, *events], "displayTimeUnit": "ms", "otherData": dict(other)}

    def _add(self, phase: str, thread: str, name: str, at: float, category: str, **more: Any) -> None:
        number = self._threads.setdefault(thread, len(self._threads) + 1)
        self.events.append(
            {"ph": phase, "name": name, "cat": category, "pid": PROCESS, "tid": number, "ts": self._at(at), **more}
        )

    def _at(self, seconds: float) -> float:
        return _micro(seconds - self.origin)


def _named(what: str, thread: int, args: Mapping[str, Any]) -> Event:
    return {"ph": "M", "name": what, "pid": PROCESS, "tid": thread, "args": dict(args)}


def _micro(seconds: float) -> float:
    return round(seconds * 1e6, 3)

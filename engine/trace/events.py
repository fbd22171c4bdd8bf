"""The Chrome trace format, as far as it is used: slices, counters, marks and names.

After Google, "Trace Event Format" (the object form). Slices of a thread have to nest or follow each other, to the
nanosecond: Perfetto leaves others out, or moves them elsewhere (``slice_drop_overlapping_complete_event``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]

PROCESS = 1
_LANES = 100
"""Room between the sort indices of threads for the lanes beside them."""


@dataclass
class TraceEvents:
    """Events of one process. Times are seconds of one clock; in the file they are microseconds from ``origin`` on."""

    origin: float
    events: list[Event] = field(default_factory=list)
    _slices: dict[str, list[Event]] = field(default_factory=lambda: defaultdict(list))
    _threads: dict[tuple[str, int], int] = field(default_factory=dict)

    def slice(
        self, thread: str, name: str, begin: float, seconds: float, category: str, more: Mapping[str, Any] | None = None
    ) -> None:
        """Something that lasts. What crosses the end of another slice is shown on a thread beside: a queue may run
        several nodes at once."""
        at = self._at(begin)
        more = {"ts": at, "dur": self._at(begin + seconds) - at, "args": dict(more or {})}
        self._slices[thread].append({"ph": "X", "name": name, "cat": category, "pid": PROCESS, **more})

    def mark(self, thread: str, name: str, at: float, category: str, more: Mapping[str, Any] | None = None) -> None:
        """Something that happens at a moment."""
        event = {"ph": "i", "name": name, "cat": category, "pid": PROCESS, "tid": self._number(thread), "s": "t"}
        self.events.append({**event, "ts": self._at(at), "args": dict(more or {})})

    def counter(self, name: str, at: float, values: Mapping[str, float]) -> None:
        """Values over time."""
        self.events.append({"ph": "C", "name": name, "pid": PROCESS, "ts": self._at(at), "args": dict(values)})

    def document(self, process: str, order: Sequence[str], other: Mapping[str, str]) -> dict[str, Any]:
        """The whole file. Threads come in the given ``order``, others behind them."""
        events = [*self.events, *self._nested()]
        names: list[Event] = [_named("process_name", 0, {"name": process})]
        for (thread, lane), number in self._threads.items():
            at = order.index(thread) if thread in order else len(order)
            names.append(_named("thread_name", number, {"name": f"{thread}, {lane + 1}" if lane else thread}))
            names.append(_named("thread_sort_index", number, {"sort_index": at * _LANES + lane}))
        events.sort(key=lambda event: (event["ts"], -event.get("dur", 0)))
        for event in events:
            event |= {key: event[key] / 1e3 for key in ("ts", "dur") if key in event}
        return {"traceEvents": [*names, *events], "displayTimeUnit": "ms", "otherData": dict(other)}

    def _nested(self) -> Iterator[Event]:
        """The slices, each on the first thread of its name where it nests."""
        for thread, slices in self._slices.items():
            lanes: list[list[int]] = []
            for event in sorted(slices, key=lambda one: (one["ts"], -one["dur"])):
                lane = _lane_of(event["ts"], event["ts"] + event["dur"], lanes)
                yield {**event, "tid": self._number(thread, lane)}

    def _number(self, thread: str, lane: int = 0) -> int:
        return self._threads.setdefault((thread, lane), len(self._threads) + 1)

    def _at(self, seconds: float) -> int:
        """Nanoseconds from the origin on. Begin and end are rounded by themselves, so that what nests still does."""
        return round((seconds - self.origin) * 1e9)


def _lane_of(begin: int, end: int, lanes: list[list[int]]) -> int:
    """The first lane where a slice nests. Lanes have the ends of the slices that are open, the innermost last."""
    for number, ends in enumerate(lanes):
        while ends and ends[-1] <= begin:
            ends.pop()
        if not ends or end <= ends[-1]:
            ends.append(end)
            return number
    lanes.append([end])
    return len(lanes) - 1


def _named(what: str, thread: int, args: Mapping[str, Any]) -> Event:
    return {"ph": "M", "name": what, "pid": PROCESS, "tid": thread, "args": dict(args)}

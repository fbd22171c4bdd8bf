"""The Chrome trace format: what each event must have, by its description, and slices that nest."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from renderwright.engine.trace.events import TraceEvents

FIELDS = {
    "X": {"name", "cat", "ts", "dur", "pid", "tid", "args"},
    "i": {"name", "cat", "ts", "s", "pid", "tid", "args"},
    "C": {"name", "ts", "pid", "args"},
    "M": {"name", "pid", "tid", "args"},
}


def check(document: dict[str, Any]) -> None:
    """Object form; each phase has its fields, times are numbers from 0 on, slices of a thread nest."""
    assert set(document) == {"traceEvents", "displayTimeUnit", "otherData"}
    assert document["displayTimeUnit"] in ("ms", "ns")
    open_until: dict[int, list[float]] = defaultdict(list)
    last = 0.0
    for event in document["traceEvents"]:
        assert set(event) - {"ph"} == FIELDS[event["ph"]], event
        assert isinstance(event["args"], dict)
        if event["ph"] == "M":
            continue
        assert event["ts"] >= last, "events come in order"
        last = event["ts"]
        if event["ph"] == "C":
            assert all(isinstance(value, int | float) for value in event["args"].values())
        if event["ph"] == "X":
            stack = open_until[event["tid"]]
            while stack and stack[-1] <= event["ts"]:
                stack.pop()
            end = event["ts"] + event["dur"]
            assert not stack or end <= stack[-1] + 0.01, f"{event['name']} crosses the end of the slice that it is in"
            stack.append(end)
    json.dumps(document, allow_nan=False)


def test_all_kinds_of_events() -> None:
    events = TraceEvents(10.0)
    events.slice("main", "frame 0", 10.5, 0.25, "frame", {"frame": 0})
    events.slice("queue", "light", 10.6, 0.1, "engine")
    events.mark("main", "another plan", 10.5, "plan")
    events.counter("nodes", 10.5, {"nodes": 3})
    document = events.document("a game", ["queue", "main"], {"device": "none"})
    check(document)
    frame = next(event for event in document["traceEvents"] if event["name"] == "frame 0")
    assert (frame["ts"], frame["dur"]) == (500_000.0, 250_000.0)
    names = {event["args"].get("name") for event in document["traceEvents"] if event["name"] == "thread_name"}
    assert names == {"main", "queue"}
    order = [event["args"]["sort_index"] for event in document["traceEvents"] if event["name"] == "thread_sort_index"]
    assert order == [1, 0]


def test_a_longer_slice_comes_before_those_in_it() -> None:
    events = TraceEvents(0.0)
    events.slice("main", "inner", 1.0, 0.1, "a")
    events.slice("main", "outer", 1.0, 0.5, "a")
    check(events.document("a game", [], {}))

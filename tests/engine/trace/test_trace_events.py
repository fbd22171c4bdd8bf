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
    """Object form; each phase has its fields, times are numbers from 0 on, slices of a thread nest to the nanosecond,
    and each thread has one name and one place."""
    assert set(document) == {"traceEvents", "displayTimeUnit", "otherData"}
    assert document["displayTimeUnit"] in ("ms", "ns")
    open_until: dict[int, list[int]] = defaultdict(list)
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
            begin, length = (round(event[key] * 1000) for key in ("ts", "dur"))
            assert length >= 0
            while stack and stack[-1] <= begin:
                stack.pop()
            assert not stack or begin + length <= stack[-1], f"{event['name']} crosses the end of the slice around it"
            stack.append(begin + length)
    named = [(event["name"], event["tid"]) for event in document["traceEvents"] if event["ph"] == "M"]
    assert len(set(named)) == len(named)
    used = {event["tid"] for event in document["traceEvents"] if event["ph"] in "Xi"}
    assert used == {tid for name, tid in named if name == "thread_name"}
    assert used == {tid for name, tid in named if name == "thread_sort_index"}
    assert all(type(event[key]) is int for event in document["traceEvents"] for key in ("pid", "tid") if key in event)
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
    assert order[0] > order[1]


def test_a_longer_slice_comes_before_those_in_it() -> None:
    events = TraceEvents(0.0)
    events.slice("main", "inner", 1.0, 0.1, "a")
    events.slice("main", "outer", 1.0, 0.5, "a")
    check(events.document("a game", [], {}))


def test_what_nests_still_does_when_times_are_rounded() -> None:
    """Begin and length were rounded by themselves: a slice could end a nanosecond behind the one around it."""
    events = TraceEvents(0.0)
    for number in range(200):
        begin = number + 0.1 + number * 1e-10
        events.slice("main", "outer", begin, 0.5, "a")
        events.slice("main", "inner", begin + 0.4999999997, 0.0000000003, "a")
        events.slice("main", "all of it", begin, 0.5, "a")
    document = events.document("a game", [], {})
    check(document)
    assert {event["tid"] for event in document["traceEvents"] if event["ph"] == "X"} == {1}


def test_nodes_that_a_queue_runs_at_once_are_shown_beside_each_other() -> None:
    events = TraceEvents(0.0)
    events.slice("graphics queue", "light", 1.0, 0.5, "a")
    events.slice("graphics queue", "sky", 1.4, 0.3, "a")
    events.slice("graphics queue", "bloom", 1.6, 0.2, "a")
    events.slice("graphics queue", "show", 2.0, 0.1, "a")
    events.slice("copy queue", "upload", 1.0, 0.1, "a")
    document = events.document("a game", ["graphics queue", "copy queue"], {})
    check(document)
    names = {event["tid"]: event["args"]["name"] for event in document["traceEvents"] if event["name"] == "thread_name"}
    places = {event["name"]: names[event["tid"]] for event in document["traceEvents"] if event["ph"] == "X"}
    assert places["light"] == places["bloom"] == places["show"] == "graphics queue"
    assert places["sky"] == "graphics queue, 2"
    order = {
        names[event["tid"]]: event["args"]["sort_index"]
        for event in document["traceEvents"]
        if event["name"] == "thread_sort_index"
    }
    assert sorted(order, key=lambda name: order[name]) == ["graphics queue", "graphics queue, 2", "copy queue"]

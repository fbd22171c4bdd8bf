"""What nobody needs does not run, and runs again once somebody does."""

from __future__ import annotations

import pytest
from value_graph import ValueGraph

Frame = tuple[dict[str, str | None], list[str], dict[str, str]]
"""Edits, the nodes that then run in order, and why each other one does not."""

CASES: dict[str, list[Frame]] = {
    "a maker becomes useless, then useful again": [
        ({"a": "create x", "r": "read x"}, ["a", "r"], {}),
        ({"r": "sink"}, ["r"], {"a": "nothing reads `x`"}),
        ({"r": "read x"}, ["a", "r"], {}),
    ],
    "a whole branch goes with its last reader": [
        ({"a": "create x", "b": "create y, read x", "c": "modify y", "r": "read y"}, ["a", "b", "c", "r"], {}),
        (
            {"r": "sink"},
            ["r"],
            {
                "a": "`x` is read only by `b`, which nothing needs",
                "b": "`y` is read only by `c`, which nothing needs",
                "c": "nothing reads `y`",
            },
        ),
    ],
    "a maker with side effects stays without readers": [({"a": "create x, sink"}, ["a"], {})],
    "one of two results is enough": [({"a": "create x, create y", "r": "read y"}, ["a", "r"], {})],
    "of two readers one is needed": [
        ({"a": "create x", "b": "create y, read x", "r": "read x"}, ["a", "r"], {"b": "nothing reads `y`"}),
    ],
    "modifiers of what is needed stay, those of what is not leave": [
        (
            {"a": "create x, create y", "m": "modify x", "n": "modify y", "r": "read x"},
            ["a", "m", "r"],
            {"n": "nothing reads `y`"},
        ),
    ],
    "a rename keeps its maker": [
        ({"a": "create x", "n": "rename x y", "r": "read y"}, ["a", "n", "r"], {}),
        ({"r": "sink"}, ["r"], {"a": "`x` is read only by `n`, which nothing needs", "n": "nothing reads `y`"}),
    ],
    "a history keeps its maker": [
        ({"a": "create x", "r": "history x"}, ["a", "r"], {}),
        ({"r": "sink"}, ["r"], {"a": "nothing reads `x`"}),
    ],
    "a reader of its own history is not needed for that": [
        ({"a": "create x, history x"}, [], {"a": "nothing reads `x`"}),
    ],
    "order alone keeps nobody": [
        ({"a": "create x", "r": "sink, after a"}, ["r"], {"a": "nothing reads `x`"}),
    ],
    "what is broken breaks others, and stays away until it is whole": [
        (
            {"a": "create x, read w", "b": "create y, read x", "r": "read y"},
            [],
            {
                "a": "it needs `w`, which nobody creates",
                "b": "it needs `x`, whose creator `a` was removed",
                "r": "it needs `y`, whose creator `b` was removed",
            },
        ),
        ({"w": "create w"}, ["w", "a", "b", "r"], {}),
    ],
    "what a broken reader needed dangles": [
        (
            {"a": "create x", "r": "read x, read w"},
            [],
            {"a": "nothing reads `x`", "r": "it needs `w`, which nobody creates"},
        ),
    ],
    "an error is told as the reason of those that it takes along": [
        (
            {"a": "create x, create y", "b": "create y, create z", "r": "read z"},
            [],
            {
                "a": "nothing reads `x` or `y`",
                "b": "`y` is created by `a` and `b`; `a` stays (larger priority, then name)",
                "r": "it needs `z`, whose creator `b` was removed",
            },
        ),
    ],
    "the empty graph": [({}, [], {})],
}


@pytest.mark.parametrize("frames", CASES.values(), ids=CASES)
def test_pruning(values: ValueGraph, frames: list[Frame]) -> None:
    for edits, ran, removed in frames:
        values.set(**edits)
        values.frame()
        assert values.ran == ran
        assert values.removed() == removed


def test_a_sink_keeps_its_writers_while_it_is_one(values: ValueGraph) -> None:
    values.set(a="create x", m="modify x", n="rename x y")
    values.frame()
    assert values.ran == []
    values.graph.add_sink("y")
    values.frame()
    assert values.ran == ["a", "m", "n"]

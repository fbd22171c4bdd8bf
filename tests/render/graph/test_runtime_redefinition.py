"""Edits of every kind between two frames: the frame after them is that of a graph that was never anything else."""

from __future__ import annotations

from itertools import permutations

import pytest
from value_graph import Step, ValueGraph, play, value_graph

from renderwright.render.compiler.values.options import CompileOptions

SHAPES: dict[str, dict[str, str]] = {
    "one maker": {"a": "create x", "r": "read x"},
    "another maker": {"b": "create x", "r": "read x"},
    "two modifiers": {"a": "create x", "m": "modify x, priority 1", "n": "modify x", "r": "read x"},
    "modifiers the other way": {"a": "create x", "m": "modify x, after n", "n": "modify x", "r": "read x"},
    "renamed": {"a": "create raw", "m": "rename raw x", "n": "modify x", "r": "read x"},
    "renamed twice": {"a": "create raw", "b": "rename raw mid", "m": "rename mid x", "r": "read x"},
    "derived": {"a": "create y", "b": "create x, read y", "m": "modify y", "r": "read x"},
    "absent": {"r": "read x?", "a": "create other"},
    "multiplexed": {"a": "create x, view", "m": "modify x", "r": "gather x, once"},
    "repaired": {"a": "create x", "b": "create x, create y", "r": "read x, read y?"},
}


def change(values: ValueGraph, old: dict[str, str], new: dict[str, str]) -> None:
    """Turn one shape into the other, touching only what differs."""
    values.set(**dict.fromkeys(old.keys() - new.keys()))
    values.set(**{name: sentence for name, sentence in new.items() if old.get(name) != sentence})


@pytest.mark.parametrize(("before", "after"), list(permutations(SHAPES, 2)), ids=lambda name: name.replace(" ", "-"))
def test_an_edited_graph_is_like_a_new_one(values: ValueGraph, before: str, after: str) -> None:
    values.graph.set_count("view", 2)
    values.set(**SHAPES[before])
    values.frame()
    change(values, SHAPES[before], SHAPES[after])
    declared = len(values.declared)
    with value_graph() as fresh:
        fresh.graph.set_count("view", 2)
        fresh.set(**SHAPES[after])
        fresh.runtime.frame = values.runtime.frame
        for _ in range(2):
            assert values.frame() == fresh.frame()
        assert sorted(values.ran) == sorted(fresh.ran)
        assert values.removed() == fresh.removed()
        assert values.errors() == fresh.errors()
    changed = {name for name, sentence in SHAPES[after].items() if SHAPES[before].get(name) != sentence}
    assert set(values.declared[declared:]) == changed
    change(values, SHAPES[after], SHAPES[before])
    values.frame()
    assert values.failures == []


EDITS: dict[str, list[Step]] = {
    "a node is declared anew with other requests": [
        ({"a": "create x", "b": "create y", "r": "read x"}, "x=a.0"),
        ({"r": "read y"}, "y=b.1"),
        ({"r": "read y, read x"}, "y=b.2, x=a.2"),
        ({"r": ""}, ""),
    ],
    "creator and reader change parts": [
        ({"a": "create x", "r": "read x"}, "x=a.0"),
        ({"a": "read x, create y, sink", "r": "create x"}, ""),
        ({"a": "create x", "r": "read x"}, "x=a.2"),
    ],
    "nodes leave and others come in one edit": [
        ({"a": "create x", "b": "create y, read x", "r": "read y"}, "y=b.0(a.0)"),
        ({"a": None, "b": None, "c": "create z", "d": "create y, read z"}, "y=d.1(c.1)"),
    ],
    "a creator becomes a modifier": [
        ({"a": "create x", "r": "read x"}, "x=a.0"),
        ({"a": "modify x", "b": "create x"}, "x=b.1+a"),
        ({"a": "create x", "b": "modify x"}, "x=a.2+b"),
    ],
    "a modifier becomes a rename": [
        ({"a": "create x", "m": "modify x", "r": "read x?, read y?"}, "x=a.0+m, y=None"),
        ({"m": "rename x y", "r": "read y?"}, "y=a.1"),
    ],
    "the same declaration again": [
        ({"a": "create x", "r": "read x"}, "x=a.0"),
        ({"a": "create x"}, "x=a.1"),
        ({"a": "create x", "r": "read x"}, "x=a.2"),
    ],
    "a cycle is made and undone": [
        ({"a": "create x", "b": "create y, read x", "r": "read y?"}, "y=b.0(a.0)"),
        ({"a": "create x, read y"}, "y=None"),
        ({"a": "create x"}, "y=b.2(a.2)"),
    ],
    "priorities of modifiers change": [
        ({"a": "create x", "m": "modify x", "n": "modify x", "r": "read x"}, "x=a.0+m+n"),
        ({"n": "modify x, priority 1"}, "x=a.1+n+m"),
        ({"m": "modify x, before n"}, "x=a.2+m+n"),
    ],
    "a node is removed and comes back": [
        ({"a": "create x", "m": "modify x", "n": "modify x", "r": "read x"}, "x=a.0+m+n"),
        ({"m": None}, "x=a.1+n"),
        ({"m": "modify x"}, "x=a.2+m+n"),
    ],
}


@pytest.mark.parametrize("steps", EDITS.values(), ids=EDITS)
def test_edits(values: ValueGraph, steps: list[Step]) -> None:
    play(values, steps)


def test_the_last_of_many_edits_between_two_frames_counts(values: ValueGraph) -> None:
    values.set(a="create x", r="read x")
    for name in "bcd":
        values.set(**{"a": None} if name == "b" else {}, **{name: "create x"})
        if name != "d":
            values.set(**{name: None})
    assert values.saw() == "d.0"
    assert values.declared == ["r", "d"]


def test_an_edit_that_changes_nothing_gives_the_same_plan(values: ValueGraph) -> None:
    values.set(a="create x", r="read x")
    plan = values.plan
    values.set(b="create x, sink")
    assert values.plan is not plan
    values.set(b=None)
    assert values.plan is plan
    values.graph.set_count("view", 1)
    assert values.plan is plan


def test_a_declare_function_that_raises_leaves_with_its_node_only(values: ValueGraph) -> None:
    def wrong(reg: object) -> None:
        raise RuntimeError("no such setting")

    values.set(a="create x", r="read x")
    values.frame()
    values.graph.add_node("wrong", wrong, plugin="p")
    assert values.saw() == "a.1"
    (failure,) = values.failures
    assert (failure.node, failure.plugin, str(failure.error)) == ("wrong", "p", "no such setting")


def test_a_graph_without_a_plan_leaves_the_old_one_running(
    values: ValueGraph, caplog: pytest.LogCaptureFixture
) -> None:
    values.set(a="create x", r="read x")
    plan, options = values.plan, values.runtime.options
    values.runtime.options = CompileOptions(order="fastest")
    values.set(a=None, b="create x")
    assert values.plan is plan
    assert 'the old one keeps running: unknown order policy "fastest"' in caplog.text
    assert values.saw() == "a.0"
    values.runtime.options = options
    values.set(c="sink")
    assert values.saw() == "b.1"

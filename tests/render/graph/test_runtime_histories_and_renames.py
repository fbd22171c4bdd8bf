"""Histories of what is renamed, and of what changes its name, its creator or its description between frames."""

from __future__ import annotations

import pytest
from value_graph import Step, ValueGraph, play

CASES: dict[str, list[Step]] = {
    "the history of a new name": [
        ({"a": "create x", "n": "rename x y", "r": "read y, history y"}, "y=a.0, history y=None"),
        ({}, "y=a.1, history y=a.0"),
    ],
    "it holds what was written under the last name": [
        ({"a": "create x", "k": "modify x", "n": "rename x y", "m": "modify y", "r": "history y"}, "history y=None"),
        ({}, "history y=a.0+k+m"),
    ],
    "of a name at the end of several renames": [
        ({"a": "create x", "n": "rename x y", "o": "rename y z", "r": "read z, history z"}, "z=a.0, history z=None"),
        ({}, "z=a.1, history z=a.0"),
    ],
    "a rename appears: the old name has no history any more, the new one goes on": [
        ({"a": "create x", "r": "history x"}, "history x=None"),
        ({}, "history x=a.0"),
        ({"n": "rename x y", "m": "modify y", "r": "history y"}, "history y=a.1"),
        ({}, "history y=a.2+m"),
    ],
    "a rename leaves: the first name goes on with what the last one held": [
        ({"a": "create x", "n": "rename x y", "m": "modify y", "r": "history y"}, "history y=None"),
        ({"n": None, "m": None, "r": "history x"}, "history x=a.0+m"),
        ({}, "history x=a.1"),
    ],
    "from a rename to a resource of that name": [
        ({"a": "create x", "n": "rename x y", "r": "read y, history y"}, "y=a.0, history y=None"),
        ({"n": "create y"}, "y=n.1, history y=None"),
        ({}, "y=n.2, history y=n.1"),
        ({"n": "rename x y"}, "y=a.3, history y=None"),
        ({}, "y=a.4, history y=a.3"),
    ],
    "a request for a history comes late": [
        ({"a": "create x", "r": "read x"}, "x=a.0"),
        ({"r": "read x, history x"}, "x=a.1, history x=None"),
        ({}, "x=a.2, history x=a.1"),
        ({"r": "read x"}, "x=a.3"),
        ({"r": "read x, history x"}, "x=a.4, history x=None"),
    ],
    "another creator of the same description goes on with it": [
        ({"a": "create x", "r": "history x"}, "history x=None"),
        ({"a": None, "b": "create x"}, "history x=a.0"),
        ({}, "history x=b.1"),
    ],
    "the creator is culled for a frame": [
        ({"a": "create x", "r": "history x"}, "history x=None"),
        ({"r": "sink"}, ""),
        ({"r": "history x"}, "history x=None"),
        ({}, "history x=a.2"),
    ],
    "the creator reads its own": [
        ({"a": "create x, history x", "r": "read x"}, "x=a.0(None)"),
        ({}, "x=a.1(a.0(None))"),
        # It would have to run after the modifier, as readers do: the modifier is left out.
        ({"m": "modify x"}, "x=a.2(a.1(a.0(None)))"),
    ],
    "other nodes come and go": [
        ({"a": "create x", "r": "history x"}, "history x=None"),
        ({"b": "create b, sink"}, "history x=a.0"),
        ({"b": "create b, history b, sink", "c": "read b"}, "history x=a.1"),
        ({"b": None, "c": None}, "history x=a.2"),
    ],
}


@pytest.mark.parametrize("steps", CASES.values(), ids=CASES)
def test_histories(values: ValueGraph, steps: list[Step]) -> None:
    play(values, steps)


def test_a_second_view_starts_without_a_history_and_the_first_goes_on(values: ValueGraph) -> None:
    values.set(a="create x, view", n="rename x y", r="history y, read y")
    values.frame()
    values.graph.set_count("view", 2)
    assert {key: found["history y"] for key, found in values.frame().items() if key[0] == "r"} == {
        "r@view0": None,
        "r@view1": None,
    }
    assert {key: found["history y"] for key, found in values.frame().items() if key[0] == "r"} == {
        "r@view0": "a@view0.1",
        "r@view1": "a@view1.1",
    }


def test_two_views_share_no_history(values: ValueGraph) -> None:
    """One camera in two views must not blend with itself."""
    values.graph.set_count("view", 2)
    values.set(a="create x, view, history x", r="read x")
    for _ in range(3):
        found = values.frame()
    for view in ("view0", "view1"):
        assert found[f"r@{view}"]["x"] == f"a@{view}.2(a@{view}.1(a@{view}.0(None)))"

"""Nodes repeated over dimensions while counts and modes change: who runs, in which order, with which values."""

from __future__ import annotations

import pytest
from value_graph import ValueGraph

from renderwright.render.errors import GraphError

RUNS: dict[str, tuple[str, dict[str, int], list[str]]] = {
    "over nothing": ("sink, once", {"view": 2}, ["r"]),
    "over a dimension of one": ("sink, view", {}, ["r@view0"]),
    "over one": ("sink, view", {"view": 2}, ["r@view0", "r@view1"]),
    "over one of three, in order": ("sink, view", {"view": 3}, ["r@view0", "r@view1", "r@view2"]),
    "not over others": ("sink, view", {"view": 2, "eye": 2, "tile": 3}, ["r@view0", "r@view1"]),
    "over two": ("sink, view eye", {"view": 2, "eye": 2}, [f"r@eye{e},view{v}" for v in (0, 1) for e in (0, 1)]),
    "over a large one and one of one": ("sink, view eye", {"eye": 2}, ["r@eye0,view0", "r@eye1,view0"]),
}


@pytest.mark.parametrize(("sentence", "counts", "expected"), RUNS.values(), ids=RUNS)
def test_a_node_runs_once_for_each_index(
    values: ValueGraph, sentence: str, counts: dict[str, int], expected: list[str]
) -> None:
    for dimension, count in counts.items():
        values.graph.set_count(dimension, count)
    values.set(r=sentence)
    values.frame()
    assert values.ran == expected


@pytest.mark.parametrize("counts", [(1, 2), (2, 1), (1, 2, 1, 2), (2, 3, 2), (3, 1, 3)])
def test_counts_change_and_declare_functions_do_not_run(values: ValueGraph, counts: tuple[int, ...]) -> None:
    values.set(a="create x, view", m="modify x", c="gather x, once")
    for frame, count in enumerate(counts):
        values.graph.set_count("view", count)
        assert values.saw("c") == [f"a@view{view}.{frame}+m@view{view}" for view in range(count)]
    assert values.declared == ["a", "m", "c"]


def test_a_shared_resource_is_the_same_for_all_views(values: ValueGraph) -> None:
    values.graph.set_count("view", 2)
    values.set(shadow="create map", scene="read map, view")
    values.frame()
    assert values.ran == ["shadow", "scene@view0", "scene@view1"]
    assert values.seen["scene@view0"] == values.seen["scene@view1"] == {"map": "shadow.0"}


def test_what_is_set_up_once_is_changed_by_each_view_and_put_together_once(values: ValueGraph) -> None:
    values.graph.set_count("view", 3)
    values.set(setup="create x", draw="modify x, view", compose="read x")
    assert values.saw("compose") == "setup.0+draw@view0+draw@view1+draw@view2"


def test_a_node_is_declared_anew_with_another_mode(values: ValueGraph) -> None:
    values.graph.set_count("view", 2)
    for sentence, runs in (("sink, view", 2), ("sink, once", 1), ("sink, view eye", 2), ("sink", 1)):
        values.set(r=sentence)
        values.frame()
        assert len(values.ran) == runs


def test_what_follows_from_a_creator_follows_its_mode(values: ValueGraph) -> None:
    values.graph.set_count("view", 2)
    values.set(a="create x, once", b="create y, read x", r="read y")
    values.frame()
    assert values.ran == ["a", "b", "r"]
    values.set(a="create x, view")
    values.frame()
    assert values.seen["r@view1"] == {"y": "b@view1.1(a@view1.1)"}


def test_a_node_of_a_smaller_mode_leaves_with_both_names_until_the_mode_fits(values: ValueGraph) -> None:
    values.graph.set_count("view", 2)
    values.set(a="create x, view", r="read x, once")
    assert "r" not in values.frame()
    assert values.errors() == ["mode"]
    values.set(r="read x, view")
    assert set(values.frame()) == {"a@view0", "a@view1", "r@view0", "r@view1"}


def test_agreement_on_shared_dimensions_only(values: ValueGraph) -> None:
    values.graph.set_count("view", 2)
    values.graph.set_count("eye", 2)
    values.set(a="create x, view", b="create y, eye", r="read x, read y")
    values.frame()
    for view in (0, 1):
        for eye in (0, 1):
            assert values.seen[f"r@eye{eye},view{view}"] == {"x": f"a@view{view}.0", "y": f"b@eye{eye}.0"}


def test_dimensions_are_redefined(values: ValueGraph) -> None:
    values.set(r="sink, view")
    values.graph.set_count("view", 2)
    values.frame()
    values.graph.set_dimensions(("eye", "sample", "tile"))
    assert values.frame() == {}
    assert "dimension" in values.errors()
    values.graph.set_dimensions(("view",))
    values.frame()
    assert values.ran == ["r@view0", "r@view1"]


def test_a_dimension_twice_is_refused(values: ValueGraph) -> None:
    with pytest.raises(GraphError, match="duplicate dimension: view, eye, view"):
        values.graph.set_dimensions(("view", "eye", "view"))

"""Which nodes a frame of another plan is expected to skip."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.skipped_alike import skipped_alike


def plan(*ids: str) -> Plan:
    """A plan with these node instances; what is before @ is the node's name."""
    nodes = [SimpleNamespace(id=one, declaration=SimpleNamespace(name=one.split("@")[0])) for one in ids]
    return cast(Plan, SimpleNamespace(graph=SimpleNamespace(nodes=cast(Any, nodes))))


def test_the_same_instances_are_skipped() -> None:
    assert skipped_alike(plan("a", "b", "c"), {"a", "c"}, plan("a", "b", "d")) == ({"a"},)


def test_instances_that_are_new_run_in_the_first_frame_and_are_skipped_with_their_node_later() -> None:
    before, after = plan("a", "b", "c"), plan("a@eye=0", "a@eye=1", "b@eye=0", "b@eye=1", "c")
    assert skipped_alike(before, {"a", "c"}, after) == ({"c"}, {"a@eye=0", "a@eye=1", "c"})
    assert skipped_alike(after, {"a@eye=0", "a@eye=1"}, before) == (frozenset(), {"a"})


def test_a_node_of_which_one_instance_runs_is_not_skipped_in_others() -> None:
    before = plan("a@view=0", "a@view=1")
    assert skipped_alike(before, {"a@view=1"}, plan("a")) == (frozenset(),)
    assert skipped_alike(before, {"a@view=1"}, plan("a@view=0", "a@view=1", "a@view=2")) == ({"a@view=1"},)

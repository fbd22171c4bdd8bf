"""Which nodes the frames of a plan are expected to skip."""

from __future__ import annotations

from collections.abc import Set
from types import SimpleNamespace
from typing import Any, cast

import pytest

from renderwright.render.runtime.skipping.rates import PlanRates
from renderwright.render.runtime.skipping.skipped_alike import skipped_alike


class Rates:
    """Rated nodes by id; what is before @ is the node's name. Each group of ``together`` runs together."""

    def __init__(self, *ids: str, together: tuple[Set[str], ...] = (), **origins: str) -> None:
        self.nodes = {one: SimpleNamespace(id=one, declaration=SimpleNamespace(name=one.split("@")[0])) for one in ids}
        self._groups = [*together, *({one} for one in ids if not any(one in group for group in together))]
        self._origins = origins

    def origin(self, node: str) -> str | None:
        return self._origins.get(node.split("@")[0], "the same") if node in self.nodes else None

    def whole_groups(self, nodes: Set[str]) -> frozenset[str]:
        return PlanRates.whole_groups(cast(Any, self), nodes)


def alike(before: Rates, skipped: Set[str], after: Rates) -> list[set[str]]:
    return [set(found) for found in skipped_alike(cast(Any, before), skipped, cast(Any, after))]


def test_the_same_instances_are_skipped() -> None:
    assert alike(Rates("a", "b", "c"), {"a", "c"}, Rates("a", "b", "d")) == [{"a"}]


def test_instances_that_are_new_run_in_the_first_frame_and_are_skipped_with_their_node_later() -> None:
    before, after = Rates("a", "b", "c"), Rates("a@eye=0", "a@eye=1", "b@eye=0", "b@eye=1", "c")
    assert alike(before, {"a", "c"}, after) == [{"c"}, {"a@eye=0", "a@eye=1", "c"}]
    assert alike(after, {"a@eye=0", "a@eye=1"}, before) == [set(), {"a"}]


def test_a_node_of_which_one_instance_runs_is_not_skipped_in_others() -> None:
    before = Rates("a@view=0", "a@view=1")
    assert alike(before, {"a@view=1"}, Rates("a")) == [set()]
    assert alike(before, {"a@view=1"}, Rates("a@view=0", "a@view=1", "a@view=2")) == [{"a@view=1"}]


def test_what_depends_on_other_sizes_or_declarations_runs_in_the_first_frame() -> None:
    assert alike(Rates("a", "b"), {"a", "b"}, Rates("a", "b", b="larger")) == [{"a"}, {"a", "b"}]


@pytest.mark.parametrize("changed", ["a", "b"])
def test_nodes_that_run_together_are_skipped_together(changed: str) -> None:
    before = Rates("a", "b", "c", together=({"a", "b"},))
    after = Rates("a", "b", "c", together=({"a", "b"},), **{changed: "other"})
    assert alike(before, {"a", "b", "c"}, after) == [{"c"}, {"a", "b", "c"}]

"""Hyperedges stay linear in the number of nodes, also where one node is on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.values.precedence import EdgeReason, Precedence, precedences

COUNT = 2_000


class CountingOwners(dict[str, str]):
    """The node of each instance; counts how often it is looked up."""

    lookups = 0

    def __getitem__(self, instance: str) -> str:
        self.lookups += 1
        return super().__getitem__(instance)


def words(groups: Sequence[Precedence]) -> int:
    """The names in the hyperedges."""
    return sum(len(group.befores) + len(group.afters) for group in groups)


def pairs(groups: Sequence[Precedence]) -> int:
    """The edges that the hyperedges stand for."""
    return sum(len(group.befores) * len(group.afters) for group in groups)


def test_many_modifiers_and_readers_are_one_hyperedge() -> None:
    befores, afters = ([f"{side}{number}" for number in range(COUNT)] for side in "mr")
    (group,) = precedences(befores, afters, EdgeReason.MODIFY_READ, "x")
    assert (group.befores, group.afters) == (tuple(befores), tuple(afters))


def test_a_node_with_two_roles_adds_one_hyperedge() -> None:
    befores = [*[f"m{number}" for number in range(COUNT)], "both"]
    afters = ["both", *[f"r{number}" for number in range(COUNT)]]
    groups = list(precedences(befores, afters, EdgeReason.MODIFY_READ, "x"))
    assert pairs(groups) == len(befores) * len(afters) - 1
    assert words(groups) < 2 * (len(befores) + len(afters))


def test_instances_of_a_node_with_two_roles_are_looked_up_a_few_times_each() -> None:
    befores = [*[f"m@view={number}" for number in range(COUNT)], "both@view=0"]
    afters = ["both@view=0", *[f"r@view={number}" for number in range(COUNT)]]
    owners = CountingOwners({name: name.partition("@")[0] for name in (*befores, *afters)})
    groups = list(precedences(befores, afters, EdgeReason.MODIFY_READ, "x", owners))
    assert pairs(groups) == len(befores) * len(afters) - 1
    assert words(groups) < 2 * (len(befores) + len(afters))
    assert owners.lookups < 4 * (len(befores) + len(afters))

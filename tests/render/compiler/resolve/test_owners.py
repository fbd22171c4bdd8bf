"""Conflicts between the skeleton and plugins: who came later is rejected, whatever priorities and names say."""

from __future__ import annotations

from dataclasses import replace

from declare_helpers import create, graph, modify, node, read

from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.types.resources import Blob, Buffer

BLOB = Blob("int")


def owned(declaration: NodeDeclaration, plugin: str, index: int) -> NodeDeclaration:
    return replace(declaration, plugin=plugin, index=index)


def rejected(*nodes: NodeDeclaration) -> list[str]:
    return [rejection.node for rejection in resolve(graph(*nodes)).rejected]


def test_the_skeleton_keeps_its_resource_against_a_plugin_with_a_larger_priority() -> None:
    skeleton = owned(node("z", create("hdr")), "", 5)
    plugin = owned(node("a", create("hdr"), priority=9), "p", 0)
    assert rejected(skeleton, plugin) == ["a"]
    (problem,) = [rejection.problem for rejection in resolve(graph(skeleton, plugin)).rejected]
    assert problem.message == "`hdr` is created by `z` and `a`; `hdr` belongs to the skeleton, so `z` stays"


def test_of_two_plugins_the_later_one_is_rejected() -> None:
    first, second = owned(node("z", create("x")), "p", 3), owned(node("a", create("x")), "q", 4)
    assert rejected(first, second) == ["a"]
    assert "since plugin `p` came first" in resolve(graph(first, second)).rejected[0].problem.message


def test_a_plugin_is_as_old_as_its_first_node() -> None:
    old, new = owned(node("old", sink=True), "p", 0), owned(node("new", create("x")), "p", 9)
    assert rejected(old, owned(node("q", create("x")), "q", 5), new) == ["q"]


def test_whoever_uses_a_resource_wrongly_is_rejected() -> None:
    creator = owned(node("creator", create("x", Buffer(16))), "p", 0)
    reader = owned(node("reader", read("x", desc=BLOB), sink=True), "q", 1)
    assert rejected(creator, reader) == ["reader"]


def test_a_plugin_whose_resource_does_not_fit_the_skeleton_is_rejected() -> None:
    reader = owned(node("reader", read("x", desc=BLOB), sink=True), "", 0)
    creator = owned(node("creator", create("x", Buffer(16))), "p", 1)
    assert rejected(reader, creator) == ["creator"]


def test_the_skeleton_loses_no_node_to_a_cycle_through_plugins() -> None:
    """Without the skeleton's node there would be no cycle, with fewer nodes removed than by removing both plugins."""
    skeleton = owned(node("s", create("s"), read("p"), read("q"), sink=True), "", 0)
    first = owned(node("p", create("p"), read("s"), priority=9), "p", 1)
    second = owned(node("q", create("q"), read("s"), priority=9), "q", 2)
    assert rejected(skeleton, first, second) == ["p", "q"]


def test_of_two_plugins_on_a_cycle_the_later_one_is_rejected() -> None:
    first = owned(node("z", create("z"), read("a"), sink=True), "p", 0)
    second = owned(node("a", create("a"), read("z"), sink=True, priority=9), "q", 1)
    third = owned(node("t", read("z"), sink=True), "r", 2)
    assert rejected(first, second, third) == ["a"]


def test_what_only_lacks_a_rejected_node_is_not_rejected() -> None:
    creator = owned(node("creator", create("hdr")), "", 0)
    thief = owned(node("thief", create("hdr"), create("own")), "p", 1)
    reader = owned(node("reader", read("own"), modify("hdr"), sink=True), "q", 2)
    assert rejected(creator, thief, reader) == ["thief"]

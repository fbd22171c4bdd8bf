"""The access history of a resource: what each node does with it, whole or cell by cell."""

from __future__ import annotations

import pytest
from feature_graphs import feature_graph
from hypothesis import given, settings
from hypothesis import strategies as st
from ordered_frames import Frame, Touch, compute, fragment

from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.resources.access_history import NodeAccess, access_histories
from renderwright.render.compiler.resources.accesses import accesses_of_node, node_accesses
from renderwright.render.errors import CompileError
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.scopes import scope_of
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ShaderStage, Usage

given_time = settings(deadline=None, derandomize=True, database=None)
FIRST_MIP, SECOND_MIP = Part((0, 1)), Part((1, 1))


@settings(given_time, max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_timelines_are_the_nodes_accesses_by_resource(seed: int, count: int) -> None:
    snapshot = feature_graph(seed, count)
    graph = multiplex(resolve(snapshot), snapshot)
    buffers = frozenset(item.id for item in graph.resources if item.resource.desc.kind == "buffer")
    found = access_histories(graph)
    assert found == access_histories(graph, node_accesses(graph))
    assert list(found) == [item.id for item in graph.resources if item.resource.desc.kind != "blob"]
    by_node = [accesses_of_node(node, buffers) for node in graph.nodes]
    for name, time in found.items():
        own = [(number, node.own[name]) for number, node in enumerate(by_node) if name in node.own]
        history = [
            (number, node.history_reads[name]) for number, node in enumerate(by_node) if name in node.history_reads
        ]
        assert list(time.own) == [NodeAccess(number, access.scope, access.usages) for number, access in own]
        assert list(time.history_reads) == [
            NodeAccess(number, access.scope, access.usages) for number, access in history
        ]
        assert list(time.nodes) == [
            number
            for number, node in enumerate(graph.nodes)
            if any(name in use.resources and not use.reads_history for use in node.uses)
        ]


def test_a_node_that_only_presents_a_resource_mentions_it() -> None:
    frame = Frame().texture("screen", external=True).node("draw", fragment("screen", Usage.COLOR))
    time = access_histories(frame.node("idle").node("show", fragment("screen", Usage.PRESENT)).graph())["screen"]
    assert [access.node for access in time.own] == [0]
    assert time.nodes == (0, 2)
    assert time.presented


def test_uses_by_one_node_are_one_access() -> None:
    frame = Frame().texture("depth", format="d32_sfloat")
    frame.node("both", fragment("depth", Usage.DEPTH_READ), fragment("depth", Usage.SAMPLED))
    (access,) = access_histories(frame.graph())["depth"].own
    assert access.usages == {Usage.DEPTH_READ, Usage.SAMPLED}
    assert access.scope.layout is Layout.DEPTH_READ_ONLY


def test_uses_that_exclude_each_other_are_refused() -> None:
    frame = Frame().texture("a").node("draw", fragment("a", Usage.COLOR), fragment("a", Usage.SAMPLED))
    with pytest.raises(CompileError, match='node "draw" uses "a" as sampled and as color at once'):
        access_histories(frame.graph())


def test_requests_for_parts_cut_a_texture_into_cells() -> None:
    frame = Frame().texture("pyramid", mips=3)
    frame.node("fill", compute("pyramid", Usage.STORAGE_WRITE))
    frame.node(
        "down",
        Touch("pyramid", Usage.SAMPLED, ShaderStage.COMPUTE, part=FIRST_MIP),
        Touch("pyramid", Usage.STORAGE_WRITE, ShaderStage.COMPUTE, part=SECOND_MIP),
    )
    graph = frame.graph()
    time = access_histories(graph)["pyramid"]
    first, second, third = time.cells
    assert [[access.node for access in cell.own] for cell in time.cells] == [[0, 1], [0, 1], [0]]
    assert (first.part.mips, second.part.mips, third.part.mips) == ((0, 1), (1, 1), (2, 1))
    assert first.own[1].scope == scope_of(Usage.SAMPLED, (ShaderStage.COMPUTE,))
    assert second.own[1].usages == {Usage.STORAGE_WRITE}
    assert time.own[1].usages == {Usage.SAMPLED, Usage.STORAGE_WRITE}

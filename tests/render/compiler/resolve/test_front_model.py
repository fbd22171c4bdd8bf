"""Random graphs: the stages against the plain model, and what must hold of any graph however wrong."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from declare_helpers import culled, ids, names, pairs
from front_graphs import shuffled, valid_graph, wild_graph
from front_model import Model

from renderwright.render.compiler.diagnostics.findings import RemovalReason, Severity
from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.order.stage import order
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.options import CompileOptions


@pytest.mark.parametrize("block", range(10))
def test_valid_graphs_follow_the_model(block):
    for seed in range(block * 40, block * 40 + 40):
        snapshot = valid_graph(seed)
        model = Model(snapshot)
        resolved = resolve(snapshot)
        assert [p for p in resolved.problems if p.severity is Severity.ERROR] == []
        assert pairs(resolved) == model.node_pairs()

        expanded = multiplex(resolved, snapshot)
        assert set(ids(expanded)) == set(model.instances())
        assert pairs(expanded) == model.instance_pairs()
        for instance in expanded.nodes:
            found = [list(use.resources) for use in instance.uses]
            assert found == model.uses(instance.declaration.name, dict(instance.index))

        result = culled(snapshot)
        broken, dangling = model.cull()
        assert {r.node for r in result.removed if r.reason is RemovalReason.BROKEN} == broken
        assert {r.node for r in result.removed if r.reason is RemovalReason.DANGLING} == dangling
        assert set(ids(result)) == set(model.instances())
        assert pairs(result) == model.instance_pairs()
        for instance in result.nodes:
            found = [list(use.resources) for use in instance.uses]
            assert found == model.uses(instance.declaration.name, dict(instance.index))
        assert {r.creator for r in result.resources} <= set(ids(result))
        assert len(result.removed) + len(names(result)) == len(snapshot.nodes)


def test_the_random_graphs_are_worth_testing():
    """Rows, removals of both kinds, several instances and orders through removed nodes all occur often."""
    seen = {"row": 0, "broken": 0, "dangling": 0, "instances": 0, "bridge": 0}
    for seed in range(400):
        model = Model(valid_graph(seed))
        seen["row"] += any(len(row) > 1 for row in model.rows.values())
        broken, dangling = model.cull()
        seen["broken"] += bool(broken)
        seen["dangling"] += bool(dangling)
        seen["instances"] += len(model.instances()) > len(model.alive)
        seen["bridge"] += bool(model.bridged() - model.explicit())
    assert all(times > 10 for times in seen.values()), seen


@pytest.mark.parametrize("make", [valid_graph, wild_graph])
def test_the_order_of_declaration_does_not_matter(make):
    for seed in range(80):
        rng = random.Random(seed)
        snapshot = make(seed)
        other = replace(
            snapshot,
            nodes=tuple(shuffled(snapshot.nodes, rng)),
            chains=tuple(shuffled(snapshot.chains, rng)),
            slots=tuple(shuffled(snapshot.slots, rng)),
            sinks=tuple(shuffled(snapshot.sinks, rng)),
        )
        assert resolve(other) == resolve(snapshot)
        for policy in ("declared", "random:1"):
            options = CompileOptions(order=policy)
            assert order(culled(other), options) == order(culled(snapshot), options)


def test_any_graph_becomes_a_valid_one():
    errors = 0
    for seed in range(400):
        snapshot = wild_graph(seed)
        resolved = resolve(snapshot)
        errors += any(p.severity is Severity.ERROR for p in resolved.problems)
        left = {n.declaration.name for n in resolved.nodes}
        assert left | {r.node for r in resolved.removed} == {n.name for n in snapshot.nodes}
        assert len(left) + len(resolved.removed) == len(snapshot.nodes)

        repaired = replace(snapshot, nodes=tuple(n.declaration for n in resolved.nodes))
        again = resolve(repaired)
        assert again.removed == ()
        assert again.edges == resolved.edges

        result = order(culled(snapshot), CompileOptions(order=f"random:{seed}"))
        place = {name: number for number, name in enumerate(ids(result))}
        assert all(place[before] < place[after] for before, after in pairs(result))
        alive = {r.id for r in result.resources}
        assert all(set(use.resources) <= alive for n in result.nodes for use in n.uses)
        for instance in result.nodes:
            for use in instance.uses:
                assert use.present or use.request.optional
    assert errors > 100

"""Random graphs of up to 200 nodes with every feature: the plan is what the plainest models of the rules say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from feature_checks import compiled, wrong, wrong_barriers, wrong_order
from feature_graphs import feature_graph
from hypothesis import given, settings
from hypothesis import strategies as st
from life_model import wrong_lives
from plain_graph import plain
from view_graphs import view_graph, wrong_views

from renderwright.render.compiler.cull import stage as cull
from renderwright.render.compiler.diagnostics.findings import RemovalReason
from renderwright.render.compiler.instances.topological_sort import schedule_groups
from renderwright.render.compiler.order.unscored_orders import RandomOrder
from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.resolve import bind, chains
from renderwright.render.compiler.resources import requirements
from renderwright.render.compiler.resources.live_ranges import LiveRange
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.precedence import Precedence
from renderwright.render.graph.requests import ChainMember, Verb

SEEDS = st.integers(0, 2**32)
POLICIES = st.sampled_from(["balanced", "memory", "overlap", "declared", "random:3", "random:-4"])
given_time = settings(deadline=None, derandomize=True, database=None)


@settings(given_time, max_examples=60)
@given(SEEDS, st.integers(1, 30), POLICIES, st.booleans())
def test_plans_of_small_graphs_follow_the_models(seed: int, count: int, policy: str, alias: bool) -> None:
    assert wrong(feature_graph(seed, count), CompileOptions(order=policy, alias=alias), seed) == []


@settings(given_time, max_examples=4)
@given(SEEDS, st.integers(100, 200), POLICIES)
def test_plans_of_large_graphs_follow_the_models(seed: int, count: int, policy: str) -> None:
    assert wrong(feature_graph(seed, count), CompileOptions(order=policy), seed) == []


@settings(given_time, max_examples=40)
@given(SEEDS, st.integers(1, 16), POLICIES)
def test_plans_of_small_graphs_have_no_hazards(seed: int, count: int, policy: str) -> None:
    assert wrong_barriers(compiled(feature_graph(seed, count), CompileOptions(order=policy))) == []


@settings(given_time, max_examples=40)
@given(SEEDS, st.integers(4, 30), POLICIES, st.booleans())
def test_plans_that_draw_several_views_at_once_do_the_same_work(
    seed: int, count: int, policy: str, alias: bool
) -> None:
    options = CompileOptions(order=policy, alias=alias)
    snapshot = view_graph(seed, count)
    assert list(wrong_views(snapshot, options)) == []
    plan = compiled(snapshot, options)
    assert [*wrong_order(plan), *wrong_lives(plan), *wrong_barriers(plan)] == []


@settings(given_time, max_examples=20)
@given(SEEDS, st.integers(2, 60))
def test_random_orders_are_legal_and_differ(seed: int, count: int) -> None:
    snapshot = feature_graph(seed, count)
    plans = [compiled(snapshot, CompileOptions(order=f"random:{number}")) for number in range(3)]
    assert [list(wrong_order(plan)) for plan in plans] == [[], [], []]
    assert plans[0] == compiled(snapshot, CompileOptions(order="random:0"))


@settings(given_time, max_examples=8)
@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1]), max_size=6))
def test_random_orders_are_fair(edges: set[tuple[int, int]]) -> None:
    """Of many orders, the shares are those of picking each ready node with equal probability."""
    nodes = [f"n{number}" for number in range(6)]
    groups = [Precedence((f"n{a}",), (f"n{b}",), "explicit") for a, b in edges]
    runs = 600
    found = Counter(tuple(schedule_groups(nodes, groups, RandomOrder(seed))) for seed in range(runs))
    expected = _chances((), nodes, edges)
    assert set(found) <= set(expected)
    first = Counter(order[0] for order in found.elements())
    for name in nodes:
        chance = sum(share for order, share in expected.items() if order[0] == name)
        assert abs(first[name] - chance * runs) < 6 * (chance * (1 - chance) * runs) ** 0.5 + 1e-9
    for place in range(1, 6):
        at = Counter(order[place] for order in found.elements())
        for name in nodes:
            chance = sum(share for order, share in expected.items() if order[place] == name)
            spread = (max(0.0, chance * (1 - chance)) * runs) ** 0.5
            assert abs(at[name] - chance * runs) <= 6 * spread + 1e-6


def _chances(done: tuple[str, ...], nodes: list[str], edges: set[tuple[int, int]]) -> dict[tuple[str, ...], float]:
    """Every legal order with its probability."""
    if len(done) == len(nodes):
        return {done: 1.0}
    waits = {b for a, b in edges if nodes[a] not in done}
    ready = [name for number, name in enumerate(nodes) if name not in done and number not in waits]
    result: dict[tuple[str, ...], float] = {}
    for name in ready:
        for order, share in _chances((*done, name), nodes, edges).items():
            result[order] = result.get(order, 0.0) + share / len(ready)
    return result


def _to_the_end(first: int, count: int) -> tuple[LiveRange, LiveRange]:
    return (first, count), (count + first, 2 * count)


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        (bind, "infer_modes", lambda nodes, _: {node.name: frozenset() for node, _ in nodes}),
        (chains, "_membership", lambda chain, _: ChainMember(chain)),
        (cull, "remaining_pairs", lambda *_: []),
        (
            requirements,
            "live_ranges",
            lambda time, execution_intervals, sink: _to_the_end(min(time.nodes), len(execution_intervals)),
        ),
    ],
    ids=["modes", "chains", "bridges", "lives"],
)
def test_the_models_notice_a_broken_compiler(
    module: ModuleType, name: str, broken: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, broken)

    def notices(seed: int) -> bool:
        try:
            return wrong(feature_graph(seed, 20), CompileOptions(order="declared"), seed) != []
        except (AssertionError, KeyError, TypeError):  # the broken part may also trip up another
            return True

    assert any(notices(seed) for seed in range(20))


def test_the_random_graphs_have_every_feature() -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        snapshot = feature_graph(seed, 40)
        plan = compiled(snapshot, CompileOptions(order="declared"))
        seen["chain closes"] += bool(plain(snapshot).left)
        for removal in plan.removed:
            seen[removal.reason] += 1
        members = Counter(place.chain for node in plan.graph.nodes for place in node.declaration.chains)
        seen["long chain"] += any(number > 1 for number in members.values())
        seen["inferred"] += any(n.declaration.multiplex is None and n.index for n in plan.graph.nodes)
        seen["slot"] += any(u.request.name.startswith("slot") for n in plan.graph.nodes for u in n.uses)
        seen["short name"] += any(
            "/" in u.name and "/" not in u.request.name for n in plan.graph.nodes for u in n.uses if not u.request.chain
        )
        seen["gather"] += any(len(u.resources) > 1 for n in plan.graph.nodes for u in n.uses)
        seen["absent"] += any(not u.present for n in plan.graph.nodes for u in n.uses)
        seen["rated"] += any(is_rated(n.declaration) for n in plan.graph.nodes)
        seen["when"] += any(n.declaration.rate.when for n in plan.graph.nodes)
        seen["twice renamed"] += any(len(item.resource.names) > 2 for item in plan.graph.resources)
        seen["external"] += any(item.resource.external for item in plan.graph.resources)
        for node in plan.graph.nodes:
            seen.update(f"{use.request.verb}" for use in node.uses if use.present)
    every = ["chain closes", RemovalReason.BROKEN, RemovalReason.DANGLING, "long chain", "inferred", "slot", *Verb]
    every += ["short name", "gather", "absent", "rated", "when", "twice renamed", "external"]
    assert all(seen[feature] > 3 for feature in every), seen

"""Whatever the order and whatever was before: the values are the same."""

from __future__ import annotations

import random

import pytest
from value_graph import DIMENSIONS, ValueGraph, value_graph

from renderwright.render.compiler.values.options import CompileOptions

FRAME = {
    "camera": "create camera, history camera",
    "shadow": "create map, read camera, once",
    "gbuffer": "create depth, create albedo, read camera, view",
    "decals": "modify albedo, read depth",
    "more_decals": "modify albedo, after decals",
    "ao": "create ao, read depth, history ao",
    "light": "create hdr, read albedo, read ao, read map",
    "fog": "rename hdr fogged",
    "mist": "modify fogged, read depth",
    "taa": "create smooth, read fogged, history smooth",
    "hud": "create hud, once",
    "compose": "gather smooth, read hud, once",
    "log": "read fogged, read nothing?",
}
POLICIES = ["balanced", "memory", "overlap", "declared", *(f"random:{seed}" for seed in range(12))]


def frames(values: ValueGraph, policy: str) -> list[object]:
    values.runtime.options = CompileOptions(order=policy)
    values.graph.set_count("view", 2)
    values.set(**FRAME)
    return [values.frame() for _ in range(3)]


def test_the_order_does_not_change_the_values(values: ValueGraph) -> None:
    expected = frames(values, "declared")
    orders = {tuple(values.ran)}
    for policy in POLICIES:
        with value_graph() as other:
            assert frames(other, policy) == expected, policy
            orders.add(tuple(other.ran))
    assert len(orders) > 10
    assert str(expected[2]["compose"]["smooth"]).count("taa@view1.0") == 1


def test_a_resize_and_a_dynamic_resolution_run_no_declare_function(values: ValueGraph) -> None:
    values.graph.set_resolution("output", (64, 64))
    values.set(**FRAME)
    values.frame()
    declared = list(values.declared)
    values.graph.set_resolution("output", (32, 32))
    values.frame()
    assert values.declared == declared


def sentence(rng: random.Random) -> str:
    """A random node: some of what it asks for exists, some makes cycles or names that others make too."""
    resources = rng.sample("stuvwx", rng.randint(1, 3))
    parts = []
    for resource in resources:
        (verb,) = rng.choices(["create", "modify", "read", "rename", "gather"], [2, 3, 4, 1, 1])
        optional = "?" if verb != "create" and rng.random() < 0.6 else ""
        parts.append(f"{verb} {resource}{optional}" + (f" {rng.choice('lmno')}" if verb == "rename" else ""))
    if rng.random() < 0.3:
        parts.append(rng.choice(DIMENSIONS[:2]))
    if rng.random() < 0.6:
        parts.append("sink")
    if rng.random() < 0.2:
        parts.append(f"{rng.choice(['before', 'after'])} n{rng.randrange(8)}")
    return ", ".join(parts)


@pytest.mark.parametrize("seed", range(12))
def test_random_edits_leave_no_trace(seed: int) -> None:
    """After each of some random edits the frame is that of a graph that was made so from the start."""
    rng = random.Random(seed)
    nodes: dict[str, str | None] = {"base": "create s, create t, create u, priority 1"}
    ran = 0
    with value_graph() as edited:
        edited.graph.set_count("view", 2)
        edited.set(**nodes)
        for _ in range(6):
            for name in rng.sample([f"n{number}" for number in range(8)], 3):
                gone = nodes.get(name) and rng.random() < 0.3
                nodes[name] = None if gone else sentence(rng)
                edited.set(**{name: nodes[name]})
            with value_graph() as fresh:
                fresh.graph.set_count("view", 2)
                fresh.runtime.frame = edited.runtime.frame
                fresh.set(**{name: text or "" for name, text in nodes.items()})  # each gets its place in the order
                fresh.set(**{name: None for name, text in nodes.items() if text is None})
                assert edited.frame() == fresh.frame()
                assert edited.removed() == fresh.removed()
                assert edited.errors() == fresh.errors()
                assert edited.failures == fresh.failures == []
                ran += len(edited.ran)
    assert ran > 3

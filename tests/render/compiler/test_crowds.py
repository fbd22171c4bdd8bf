"""Nodes that are alike are taken as one, and it makes no difference to what comes out."""

from __future__ import annotations

import random

from declare_helpers import create, graph, modify, node, read
from feature_graphs import feature_graph
from hypothesis import given, settings
from hypothesis import strategies as st

from renderwright.render.compiler.instances.topological_sort import first_order
from renderwright.render.compiler.resolve.draft import draft
from renderwright.render.compiler.resolve.names import indirections
from renderwright.render.compiler.resolve.namespaces import qualified
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.incremental.memo import Parts
from renderwright.render.types.resources import Resolution, Texture
from renderwright.render.types.usages import Usage

given_time = settings(deadline=None, derandomize=True, database=None)
IMAGE = Texture("rgba8_unorm", Resolution("main"))


def crowded(seed: int) -> GraphSnapshot:
    """Two crowds that fill one picture each, some of them with another priority or index, or declared before others."""
    rng = random.Random(seed)
    nodes = [node(f"make{place}", create(f"made{place}", IMAGE, usage=Usage.COLOR)) for place in (0, 1)]
    for number in range(rng.randint(2, 12)):
        name = f"made{rng.randrange(2)}"
        asked = [modify(name, usage=Usage.COLOR)]
        if rng.random() < 0.1:
            asked.append(read(name, usage=Usage.SAMPLED))
        after = (f"draw{rng.randrange(12)}",) if rng.random() < 0.1 else ()
        nodes.append(
            node(f"draw{number}", *asked, priority=rng.choice([0, 0, 0, 1]), index=rng.randrange(20), after=after)
        )
    shown = [node(f"show{place}", read(f"made{place}", usage=Usage.SAMPLED), sink=True) for place in (0, 1)]
    return graph(*nodes, *shown)


@settings(given_time, max_examples=150)
@given(st.integers(0, 2**32), st.booleans())
def test_crowds_stand_where_their_nodes_may(seed: int, small: bool) -> None:
    snapshot = crowded(seed) if small else feature_graph(seed, 30)
    words = indirections(snapshot.slots, snapshot.chains)
    bound = draft(snapshot, words, qualified(snapshot), (), Parts())
    assert sorted(bound.waits.names) == sorted(first_order(bound.names, bound.precedences))
    place = {name: number for number, name in enumerate(bound.waits.names)}
    for group in bound.precedences:
        there = [name for name in group.befores if name in place]
        for after in group.afters:
            assert after not in place or len(there) == len(group.befores)
            assert after not in place or all(place[name] < place[after] for name in there)


def test_a_crowd_is_found() -> None:
    nodes = [node(f"draw{number}", modify("made", usage=Usage.COLOR), index=5 - number) for number in range(5)]
    snapshot = graph(node("make", create("made", IMAGE, usage=Usage.COLOR), index=9), *nodes)
    bound = draft(snapshot, indirections((), ()), sorted(snapshot.nodes, key=lambda one: one.name))
    crowd = tuple(f"draw{number}" for number in range(4, -1, -1))
    assert [each.names for each in bound.waits.crowds] == [crowd, ("make",)]
    assert bound.waits.names == ["make", *crowd]
    assert bound.waits.modifiers == {"made": (0,)}

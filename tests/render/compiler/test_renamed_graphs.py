"""Names do not change what a frame needs: neither the order of its nodes nor its heaps."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from feature_graphs import SIZES, feature_graph
from renamed_graphs import new_names, numbered, renamed

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.memory.needs import RowMajorModel

# In the first, resources were serialised in order of name; in the next two, equal ties were packed in order of name.
KNOWN = [(130, 45), (228, 60), (484, 48)]
RANDOM = [(seed, random.Random(seed).randint(12, 50)) for seed in range(12)]


def compiled(snapshot: GraphSnapshot, *, unified_layouts: bool) -> Plan:
    return compile_snapshot(snapshot, SIZES, CompileOptions(unified_layouts=unified_layouts), RowMajorModel())


def heaps(plan: Plan) -> list[tuple[str, int]]:
    return [(heap.memory_class, heap.size) for heap in plan.placement.heaps]


def order(plan: Plan, names: Mapping[str, str]) -> list[tuple[str, object]]:
    return [(renamed(node.declaration.name, names), node.index) for node in plan.graph.nodes]


@pytest.mark.parametrize(("seed", "count"), KNOWN + RANDOM)
def test_new_names_change_neither_order_nor_heaps(seed: int, count: int) -> None:
    snapshot = numbered(feature_graph(seed, count))
    plan = compiled(snapshot, unified_layouts=seed % 2 == 1)
    assert heaps(plan)
    for choice in range(3):
        names = new_names(snapshot, random.Random(choice))
        other = compiled(renamed(snapshot, names), unified_layouts=seed % 2 == 1)
        assert order(other, {}) == order(plan, names)
        assert heaps(other) == heaps(plan)


def test_the_order_of_declaration_changes_no_heap_where_nothing_is_left_to_it() -> None:
    """Where modifiers of a name are free, the declaration orders them, which makes another frame."""
    seen = changed = 0
    for seed in range(60):
        snapshot = numbered(feature_graph(seed, random.Random(seed).randint(12, 50)))
        plan = compiled(snapshot, unified_layouts=False)
        if any(problem.code == "modifier-order" for problem in plan.problems):
            continue
        seen += 1
        shuffled = [compiled(numbered(snapshot, random.Random(n)), unified_layouts=False) for n in range(2)]
        changed += any(heaps(other) != heaps(plan) for other in shuffled)
    assert seen > 10
    assert changed <= seen / 10

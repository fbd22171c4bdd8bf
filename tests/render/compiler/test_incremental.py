"""A plan never depends on what the compiler compiled before: after any edits it is that of a fresh compiler."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from declare_helpers import create, graph, modify, node, read
from feature_graphs import SIZES, feature_graph
from hypothesis import given, settings
from hypothesis import strategies as st
from view_graphs import view_graph

from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.incremental.memo import Memo, Parts, Tables
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Resolution, Texture
from renderwright.render.types.usages import Usage

SEEDS = st.integers(0, 2**32)
POLICIES = st.sampled_from(["balanced", "memory", "overlap", "declared", "random:5"])
given_time = settings(deadline=None, derandomize=True, database=None)
IMAGE = Texture("rgba8_unorm", Resolution("main"))


def edits(whole: GraphSnapshot, rng: random.Random) -> Iterator[GraphSnapshot]:
    """The graph after one edit after another: nodes leave, return, change; names and counts change."""
    now = whole
    while True:
        kind = rng.randrange(8)
        nodes = list(now.nodes)
        if kind <= 2 and nodes:
            gone = set(rng.sample(range(len(nodes)), min(len(nodes), rng.choice([1, 1, 2, 5]))))
            now = replace(now, nodes=tuple(n for number, n in enumerate(nodes) if number not in gone))
        elif kind <= 4:
            here = {one.name for one in nodes}
            back = [one for one in whole.nodes if one.name not in here]
            now = replace(now, nodes=(*nodes, *rng.sample(back, min(len(back), 2))))
        elif kind == 5 and nodes:
            number = rng.randrange(len(nodes))
            one = nodes[number]
            changes: list[dict[str, object]] = [
                {"priority": rng.randrange(-2, 3)},
                {"cost": 16.0},
                {"requests": one.requests[1:]},
                {"multiplex": rng.choice([None, frozenset(), frozenset({"view"})])},
                {"executes": not one.executes},
                {"side_effects": not one.side_effects},
                {"after": (rng.choice(nodes).name,)},
            ]
            nodes[number] = replace(one, **rng.choice(changes))
            now = replace(now, nodes=tuple(nodes))
        elif kind == 6:
            now = replace(now, counts=(("view", rng.choice([1, 2, 3])), ("eye", rng.choice([1, 2]))))
        else:
            now = replace(now, slots=now.slots[1:] if now.slots else whole.slots)
        yield now


def resized(width: int) -> SizeInputs:
    main, *others = SIZES.resolutions
    return replace(SIZES, resolutions=(replace(main, size=(width, 180)), *others))


def outcome(compiler: Compiler, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions) -> Plan | str:
    try:
        return compiler.compile(snapshot, sizes, options)
    except CompileError as error:
        return str(error)


@pytest.mark.parametrize("graph_of", [feature_graph, view_graph])
@settings(given_time, max_examples=12)
@given(seed=SEEDS, count=st.integers(1, 28), policy=POLICIES)
def test_after_any_edits_the_plan_is_that_of_a_fresh_compiler(
    graph_of: Callable[[int, int], GraphSnapshot], seed: int, count: int, policy: str
) -> None:
    whole = graph_of(seed, count)
    options = CompileOptions(order=policy)
    compiler = Compiler(RowMajorModel())
    outcome(compiler, whole, SIZES, options)
    rng = random.Random(seed)
    for _, snapshot in zip(range(6), edits(whole, random.Random(seed)), strict=False):
        sizes = resized(rng.choice([320, 640]))
        assert outcome(compiler, snapshot, sizes, options) == outcome(
            Compiler(RowMajorModel()), snapshot, sizes, options
        )


def pictures() -> GraphSnapshot:
    """Ten separate pictures, each of three nodes."""
    nodes = []
    for number in range(10):
        made, shown = f"made{number}", f"shown{number}"
        nodes += [
            node(f"make{number}", create(made, IMAGE, usage=Usage.COLOR)),
            node(f"draw{number}", modify(made, usage=Usage.COLOR)),
            node(f"show{number}", read(made, usage=Usage.SAMPLED), create(shown, IMAGE, usage=Usage.COLOR), sink=True),
        ]
    return graph(*nodes)


class CountingMemo(Memo):
    """Counts the parts that each stage has not known."""

    def __init__(self) -> None:
        super().__init__()
        self.new: dict[str, int] = {}

    def compute(self, stage, *inputs):
        result = super().compute(stage, *inputs)
        if inputs and isinstance(inputs[-1], Parts):
            self.new[stage.__name__] = inputs[-1].computed
        return result


def test_an_edit_costs_few_parts_of_each_stage() -> None:
    memo = CountingMemo()
    compiler = Compiler(RowMajorModel(), memo)
    whole = pictures()
    compiler.compile(whole, SIZES, CompileOptions())
    first = dict(memo.new)
    compiler.compile(replace(whole, nodes=whole.nodes[3:]), SIZES, CompileOptions())
    stages = {"resolve"}
    assert all(memo.new[stage] * 5 <= first[stage] for stage in stages), (first, memo.new)


def test_a_resize_asks_for_sizes_and_offsets_alone() -> None:
    memo = CountingMemo()
    compiler = Compiler(RowMajorModel(), memo)
    whole = pictures()
    compiler.compile(whole, SIZES, CompileOptions())
    memo.new.clear()
    compiler.compile(whole, resized(640), CompileOptions())
    # The two kinds of pictures are described anew.
    assert memo.new == {"place": 2}


def test_parts_remember_the_last_run_only() -> None:
    calls: list[int] = []

    def double(number: int) -> list[int]:
        calls.append(number)
        return [2 * number]

    def run(before: Tables | None, *numbers: int) -> tuple[Tables, list[list[int]]]:
        parts = Parts(before)
        each = parts.of(double)
        found = [each(number, number) for number in numbers]
        return parts.tables, found

    tables, first = run(None, 1, 2)
    tables, second = run(tables, 2, 3)
    assert (first, second) == ([[2], [4]], [[4], [6]])
    assert second[0] is first[1]
    assert calls == [1, 2, 3]
    run(tables, 1)
    assert calls == [1, 2, 3, 1]


def test_a_part_with_other_inputs_is_computed_anew() -> None:
    parts = Parts()
    assert parts.of(str.upper)("word", "a") == "A"
    again = Parts(parts.tables)
    assert again.of(str.upper)("word", "b") == "B"
    assert again.computed == 1


def test_a_stage_that_fails_forgets_nothing() -> None:
    memo = Memo()
    seen: list[int] = []

    def part(number: int) -> int:
        seen.append(number)
        return number

    def stage(numbers: tuple[int, ...], parts: Parts) -> int:
        total = sum(parts.of(part)(number, number) for number in numbers)
        if total > 9:
            raise CompileError("too much")
        return total

    assert memo(stage, (1, 2), parts=True) == 3
    with pytest.raises(CompileError):
        memo(stage, (1, 2, 7), parts=True)
    assert memo(stage, (2, 1), parts=True) == 3
    assert seen == [1, 2, 7]

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
from renderwright.render.incremental.memo import Memo
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


class NotingMemo(Memo):
    """Notes the stages that it computes."""

    def __init__(self) -> None:
        super().__init__()
        self.ran: list[str] = []

    def compute(self, stage, *inputs):
        self.ran.append(stage.__name__)
        return super().compute(stage, *inputs)


def test_an_edit_that_comes_back_runs_no_stage() -> None:
    memo = NotingMemo()
    compiler = Compiler(RowMajorModel(), memo)
    whole = pictures()
    less = replace(whole, nodes=whole.nodes[3:])
    plans = [compiler.compile(snapshot, SIZES, CompileOptions()) for snapshot in (whole, less)]
    memo.ran.clear()
    assert [compiler.compile(snapshot, SIZES, CompileOptions()) for snapshot in (whole, less)] == plans
    assert memo.ran == []


def test_a_resize_runs_no_stage_before_place() -> None:
    memo = NotingMemo()
    compiler = Compiler(RowMajorModel(), memo)
    whole = pictures()
    compiler.compile(whole, SIZES, CompileOptions())
    memo.ran.clear()
    compiler.compile(whole, resized(640), CompileOptions())
    assert memo.ran[0] == "place"
    assert not {"resolve", "multiplex", "cull", "order", "queues", "state", "derive_barriers"} & set(memo.ran)


def test_a_stage_that_fails_forgets_nothing() -> None:
    memo = Memo()
    seen: list[int] = []

    def double(number: int) -> int:
        seen.append(number)
        if number > 9:
            raise CompileError("too much")
        return 2 * number

    assert memo(double, 1) == 2
    with pytest.raises(CompileError):
        memo(double, 10)
    assert (memo(double, 1), seen) == (2, [1, 10])


def test_only_the_last_few_inputs_are_remembered() -> None:
    memo = Memo()
    for number in range(Memo.KEPT + 1):
        memo(str, number)
    assert not memo.knows(str, 0)
    assert all(memo.knows(str, number) for number in range(1, Memo.KEPT + 1))


def test_a_plan_that_is_not_executed_ends_with_place() -> None:
    memo = NotingMemo()
    whole = pictures()
    executed = Compiler(RowMajorModel()).compile(whole, SIZES, CompileOptions())
    plan = Compiler(RowMajorModel(), memo).compile(whole, SIZES, CompileOptions(executed=False))
    assert memo.ran[-2:] == ["place", "Plan"]
    assert (plan.resolved, plan.graph, plan.placement) == (executed.resolved, executed.graph, executed.placement)
    assert (plan.pass_plan.passes, plan.sync.even, plan.program.even) == ((), (), ())

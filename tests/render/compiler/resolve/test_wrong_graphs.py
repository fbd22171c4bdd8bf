"""Whatever is wrong with a graph has a name, a message with all that are involved, their places, and a hint."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from declare_helpers import COLOR, create, graph, modify, names, node, read
from wrong_graphs import NAMES, ORDER
from wrong_requests import KINDS, MOST_COLORS, MOST_SAMPLES, RATES, SAMPLED, TARGET

from renderwright.render import compiler
from renderwright.render.compiler.diagnostics.findings import Severity
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import CompileError
from renderwright.render.graph.snapshot import GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Buffer, Resolution, Texture

WRONG = NAMES | ORDER | KINDS | RATES


@pytest.mark.parametrize("name", WRONG)
def test_an_error_tells_all(name: str) -> None:
    case, code = WRONG[name], re.split("[ ,]", name)[0]
    result = resolve(case.snapshot, MOST_SAMPLES, MOST_COLORS)
    (found,) = [problem for problem in result.problems if problem.severity is Severity.ERROR]
    assert found.code == code
    assert case.message in found.message
    assert case.hint in found.hint
    if case.where:
        assert {str(place) for place in found.where} == case.places
        assert all(f"{place}" in str(found) for place in case.places)
    assert tuple(removal.node for removal in result.removed) == case.removed
    assert all(removal.message.endswith(found.message) for removal in result.removed)


@pytest.mark.parametrize("name", WRONG)
def test_the_rest_of_the_frame_goes_on(name: str) -> None:
    """A bystander with a picture of its own is in the plan, and so is every node that was not removed or unneeded."""
    case = WRONG[name]
    bystander = node("zz/bystander", create("zz/picture", COLOR, **TARGET), sink=True)
    whole = GraphSnapshot(**{**vars(case.snapshot), "nodes": (*case.snapshot.nodes, bystander)})
    sizes = SizeInputs((ResolutionRule("output", size=(8, 8)),))
    plan = compile_snapshot(
        whole, sizes, CompileOptions(most_samples=MOST_SAMPLES, most_colors=MOST_COLORS), RowMajorModel()
    )
    assert "zz/bystander" in names(plan.graph)
    told = {removal.node for removal in plan.removed}
    assert {one.name for one in whole.nodes} == told | set(names(plan.graph))


def test_every_kind_of_error_has_a_case() -> None:
    source = "".join(file.read_text() for file in Path(compiler.__file__).parent.rglob("*.py"))
    codes = set(re.findall(r'\b(?:error|fault)\(\s*"([a-z-]+)"', source))
    codes |= set(re.findall(r'_check_unique\([\w.]+, "([a-z-]+)"', source))
    assert codes <= {re.split("[ ,]", name)[0] for name in WRONG}
    assert len(codes) > 20


def texture(name: str, scale: float = 1.0) -> Texture:
    return Texture("rgba8_unorm", Resolution(name, scale))


NO_PLAN = {
    "no resolution": (
        create("x", texture("outptu"), **TARGET),
        'texture "x" of node "p/a" has no size: there is no resolution "outptu"',
        'did you mean "output"?',
    ),
    "a circle of resolutions": (
        create("x", texture("p"), **TARGET),
        'texture "x" of node "p/a" has no size: resolutions refer to each other in a cycle: p -> q -> p',
        'give "p", or what it follows, a size',
    ),
    "a resolution that follows nothing": (
        create("x", texture("lost"), **TARGET),
        'has no size: resolution "lost" refers to "nowhere", which does not exist',
        'give "lost", or what it follows, a size',
    ),
    "a resolution times nothing": (
        create("x", texture("flat"), **TARGET),
        'has no size: resolution "flat" is 0.0 times as large as "output"',
        'give "flat", or what it follows, a size',
    ),
    "an empty buffer": (
        create("x", Buffer(0)),
        'buffer "x" of node "p/a" has 0 bytes',
        "give it at least one byte",
    ),
}
RULES = (
    ResolutionRule("output", size=(64, 32)),
    ResolutionRule("p", of="q"),
    ResolutionRule("q", of="p"),
    ResolutionRule("lost", of="nowhere"),
    ResolutionRule("flat", of="output", scale=0.0),
)


@pytest.mark.parametrize(("request_", "message", "hint"), NO_PLAN.values(), ids=NO_PLAN)
def test_without_a_size_there_is_no_plan_and_the_node_is_to_blame(request_, message: str, hint: str) -> None:
    snapshot = graph(node("p/a", request_, sink=True))
    with pytest.raises(CompileError) as caught:
        compile_snapshot(snapshot, SizeInputs(RULES), CompileOptions(), RowMajorModel())
    assert message in caught.value.message
    assert caught.value.hint == hint
    assert (caught.value.where, caught.value.node) == (request_.source, "p/a")


def test_two_layouts_at_once_are_no_plan() -> None:
    maker = node("p/make", create("x", **TARGET))
    asker = node("p/a", modify("x", **TARGET), read("x", **SAMPLED), sink=True)
    with pytest.raises(CompileError) as caught:
        compile_snapshot(graph(maker, asker), SizeInputs(), CompileOptions(), RowMajorModel())
    assert caught.value.message == 'node "p/a" uses "x" as sampled and as color at once; no layout allows both'
    assert "let an earlier node copy what has to be read" in caught.value.hint
    assert (caught.value.where, caught.value.node) == (asker.source, "p/a")


@pytest.mark.parametrize("count", [0, -3])
def test_a_count_below_one_is_no_plan(count: int) -> None:
    with pytest.raises(CompileError) as caught:
        compile_snapshot(graph(counts=(("view", count),)), SizeInputs(), CompileOptions(), RowMajorModel())
    assert caught.value.message == f"dimension `view` has {count} instances"
    assert caught.value.hint == "a count is 1 or more; remove nodes to leave something out"

"""One case: a random file is loaded and, if it is a skeleton, compiled and reported. Only named errors may come out."""

from __future__ import annotations

import json

from life_model import wrong_lives, wrong_memory
from yaml_files import FileMaker

from renderwright.engine.skeleton import Skeleton, parse_skeleton, to_snapshot
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import RenderwrightError, SkeletonError
from renderwright.render.graph.snapshot import ResolutionRule, SizeInputs
from renderwright.render.inspect import explain, plan_to_dot, plan_to_json, plan_to_text
from renderwright.render.memory.needs import RowMajorModel

ORDERS = ("balanced", "memory", "overlap", "declared", "random:7")


def loader_case(seed: int) -> str:
    """``refused``, ``no plan`` or ``compiled``."""
    maker = FileMaker(seed)
    ending = _load(maker)
    assert ending != "refused without a place"
    return ending


def _load(maker: FileMaker) -> str:
    try:
        skeleton = parse_skeleton(maker.content(), "fuzz.yaml")
    except SkeletonError as error:
        return "refused" if error.where and str(error).startswith("fuzz.yaml:") else "refused without a place"
    return _compile(skeleton, maker)


def _compile(skeleton: Skeleton, maker: FileMaker) -> str:
    """Compiles what was loaded, which need not be a sensible graph, and looks at it in every way."""
    rng = maker.rng
    rules = {rule.name: rule for rule in skeleton.resolutions} | {"output": ResolutionRule("output", (640, 360))}
    counts = {name: rng.randint(1, 3) for name in skeleton.dimensions[:2]}
    options = CompileOptions(order=rng.choice(ORDERS), alias=rng.random() < 0.8)
    try:
        snapshot = to_snapshot(skeleton, counts)
        plan = compile_snapshot(snapshot, SizeInputs(tuple(rules.values())), options, RowMajorModel())
    except RenderwrightError:
        return "no plan"
    place = {node.id: number for number, node in enumerate(plan.graph.nodes)}
    assert all(place[edge.before] < place[edge.after] for edge in plan.graph.edges)
    found = [*wrong_lives(plan), *wrong_memory(plan, alias=options.alias)]
    assert not found, found
    json.dumps(plan_to_json(plan, 3))
    plan_to_text(plan)
    plan_to_dot(plan)
    for name in [*place, *(item.id for item in plan.graph.resources), *(one.node for one in plan.removed)][:12]:
        explain(plan, name)
    return "compiled with errors" if any(one.severity == "error" for one in plan.problems) else "compiled"

"""A whole compile against the independent models: the front half, the order, the lives and the memory."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from declare_helpers import ids, names, pairs
from feature_graphs import SIZES
from front_model import Model
from life_model import wrong_lives, wrong_memory
from plain_graph import plain

from renderwright.render.compiler.diagnostics.findings import RemovalReason, Severity
from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_stream import judge
from renderwright.render.memory.needs import RowMajorModel


def compiled(snapshot: GraphSnapshot, options: CompileOptions) -> Plan:
    return compile_snapshot(snapshot, SIZES, options, RowMajorModel())


def wrong_front(snapshot: GraphSnapshot, plan: Plan) -> Iterator[str]:
    """Where names, edges, instances and removals are not what the model finds."""
    written = plain(snapshot)
    model = Model(written.snapshot)
    resolved = resolve(snapshot)
    # What is wrong with a sink is told, but changes nothing; all else must be free of errors.
    errors = [one for one in resolved.problems if one.severity is Severity.ERROR and one.code != "no-sink"]
    yield from (f"an error in a valid graph: {one}" for one in errors)
    if {one.node for one in resolved.removed} != written.left:
        yield f"{sorted(one.node for one in resolved.removed)} left their chains, not {sorted(written.left)}"
        return
    yield from _differ("edges of nodes", pairs(resolved), model.node_pairs())
    yield from _wrong_instances("before culling", multiplex(resolved, snapshot), model)
    broken, dangling = model.cull()
    removed = {
        reason: {one.node for one in plan.graph.removed if one.reason is reason}
        for reason in (RemovalReason.BROKEN, RemovalReason.DANGLING)
    }
    yield from _differ("broken nodes", removed[RemovalReason.BROKEN], broken)
    yield from _differ("dangling nodes", removed[RemovalReason.DANGLING], dangling)
    yield from _wrong_instances("in the plan", plan.graph, model)
    if len(plan.removed) + len(names(plan.graph)) != len(snapshot.nodes):
        yield "a node is neither in the plan nor removed"


def _wrong_instances(when: str, found: InstanceGraph, model: Model) -> Iterator[str]:
    yield from _differ(f"instances {when}", set(ids(found)), set(model.instances()))
    yield from _differ(f"edges {when}", pairs(found), model.instance_pairs())
    for instance in found.nodes:
        uses = [list(use.resources) for use in instance.uses]
        if uses != model.uses(instance.declaration.name, dict(instance.index)):
            yield f"{instance.id} uses {uses} {when}"
    alive = {item.id for item in found.resources}
    used = {name for instance in found.nodes for use in instance.uses for name in use.resources}
    if not used <= alive:
        yield f"resources {sorted(used - alive)} are used, but not there"


def _differ(what: str, found: set, wanted: set) -> Iterator[str]:
    if found != wanted:
        yield f"{what}: too many {sorted(found - wanted)[:5]}, too few {sorted(wanted - found)[:5]}"


def wrong_order(plan: Plan) -> Iterator[str]:
    """Edges that the order breaks."""
    place = {name: number for number, name in enumerate(ids(plan.graph))}
    yield from (f"{a} runs after {b}" for a, b in sorted(pairs(plan.graph)) if place[a] >= place[b])


def wrong_barriers(plan: Plan, frames: int = 5) -> list[str]:
    """Hazards of the first frames, with the nodes resting that have rates."""
    return [str(finding) for finding in judge(list(frame_plans(plan, frames))).findings]


def redeclared(snapshot: GraphSnapshot, seed: int) -> GraphSnapshot:
    """The same graph, declared in another order."""
    rng = random.Random(seed)

    def shuffled(items: tuple) -> tuple:
        return tuple(rng.sample(items, len(items)))

    return replace(
        snapshot,
        nodes=shuffled(snapshot.nodes),
        chains=shuffled(snapshot.chains),
        slots=shuffled(snapshot.slots),
        sinks=shuffled(snapshot.sinks),
    )


def wrong(snapshot: GraphSnapshot, options: CompileOptions, seed: int = 0) -> list[str]:
    """All that is wrong with the plan of a valid graph, but for its barriers."""
    plan = compiled(snapshot, options)
    found = [*wrong_front(snapshot, plan), *wrong_order(plan), *wrong_lives(plan)]
    found += wrong_memory(plan, alias=options.alias)
    if compiled(redeclared(snapshot, seed), options) != plan:
        found.append("the order of declaration matters")
    return found

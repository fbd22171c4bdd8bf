"""Random frames of some hundred nodes, and what an order of them is worth."""

from __future__ import annotations

import random
from dataclasses import dataclass

from declare_helpers import create, culled, graph, history, modify, node, read
from ordered_frames import compile_frame

from renderwright.render.compiler.order.stage import order
from renderwright.render.compiler.resources.access_history import access_histories
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.requests import NodeDeclaration, Request
from renderwright.render.graph.snapshot import GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.types.resources import Resolution, Texture
from renderwright.render.types.usages import Usage

SIZES = SizeInputs(resolutions=(ResolutionRule("view", size=(1920, 1080)),))
FORMATS = ("rgba8_unorm", "rgba16_sfloat", "r16_sfloat", "r8_unorm")
STATES = ((), (("cull", "back"),), (("cull", "none"),), (("cull", "back"), ("blend", "alpha")))


def random_frame_graph(seed: int, count: int, *, shuffled: bool) -> GraphSnapshot:
    """``count`` nodes: raster nodes that share targets, compute nodes, readers of recent results, histories.

    Nodes are registered branch by branch, or in any order if ``shuffled``.
    """
    rng = random.Random(seed)
    made: list[str] = []  # textures, recent ones last
    nodes: list[tuple[list[Request], dict[str, object]]] = []

    def texture() -> Texture:
        return Texture(rng.choice(FORMATS), Resolution("view", rng.choice((1.0, 1.0, 0.5, 0.25))))

    def reads(most: int) -> list[Request]:
        names = {made[-min(len(made), 1 + int(rng.expovariate(0.2)))] for _ in range(rng.randint(0, most)) if made}
        return [read(name, usage=Usage.SAMPLED) for name in sorted(names)]

    while len(nodes) < count:
        name = f"r{len(nodes)}"
        kind = rng.random()
        more = {"state": rng.choice(STATES), "cost": rng.choice((0.5, 1.0, 1.0, 4.0))}
        if kind < 0.25:  # targets, and nodes that draw to them
            desc = texture()
            depth = Texture("d32_sfloat", desc.size)
            nodes.append(([create(name, desc, usage=Usage.COLOR), create(f"{name}d", depth, usage=Usage.DEPTH)], more))
            for _ in range(rng.randint(1, 6)):
                nodes.append(
                    ([modify(name, usage=Usage.COLOR), modify(f"{name}d", usage=Usage.DEPTH), *reads(1)], dict(more))
                )
            made += [name]
        elif kind < 0.75:
            nodes.append(([*reads(3), create(name, texture(), usage=Usage.COLOR)], more))
            made.append(name)
        elif kind < 0.95:
            nodes.append(([*reads(3), create(name, texture(), usage=Usage.STORAGE_WRITE)], more))
            made.append(name)
        else:
            nodes.append(
                ([*reads(2), history(name, usage=Usage.SAMPLED), create(name, texture(), usage=Usage.COLOR)], more)
            )
            made.append(name)
    nodes = nodes[:count]
    names = rng.sample(range(count), count) if shuffled else range(count)
    declared: list[NodeDeclaration] = []
    used = {request.name for requests, _ in nodes for request in requests if request.verb == "read"}
    for (requests, more), index in zip(nodes, names, strict=True):
        dangling = not any(request.name in used for request in requests if request.verb == "create")
        declared.append(node(f"n{index:04}", *requests, index=index, sink=dangling, **more))
    return graph(*declared)


@dataclass(frozen=True)
class Worth:
    """What an order gives: render passes, bytes of all heaps, summed distances from producers to their first consumers
    (in recording nodes), the number of those that are neighbours, and state switches."""

    passes: int
    heap: int
    distance: int
    tight: int
    switches: int


def worth(instances: InstanceGraph, policy: str, sizes: SizeInputs = SIZES) -> Worth:
    """The worth of the policy's order."""
    ordered = order(instances, CompileOptions(order=policy))
    compiled = compile_frame(ordered, sizes=sizes)
    placement, states = compiled.placement, compiled.pass_plan
    passes = [number for number, item in enumerate(states.passes) for _ in range(item.first, item.last + 1)]
    gaps = []
    for time in access_histories(ordered).values():
        for first, second in zip(time.own, time.own[1:], strict=False):
            if first.scope.writes and passes[first.node] != passes[second.node]:
                gaps.append(passes[second.node] - passes[first.node])
    heap = sum(item.size for item in placement.heaps)
    return Worth(
        len(states.passes), heap, sum(gaps), sum(gap == 1 for gap in gaps), sum(len(c.changes) for c in states.changes)
    )


def random_instances(seed: int, count: int = 300, *, shuffled: bool) -> InstanceGraph:
    """The instances of a random frame."""
    return culled(random_frame_graph(seed, count, shuffled=shuffled))

"""Random frame graphs, declared in any order that means the same.

A graph is a list of nodes in one legal order. Its declarations may be shuffled: all names stay, and so does the order
of the modifiers of one resource, which is part of what a frame means.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer, Texture

FORMATS = ("rgba8_unorm", "rgba16_sfloat", "r16_sfloat", "r8_unorm")
SCALES = (1.0, 1.0, 0.5, 0.25)
COSTS = (0.5, 1.0, 1.0, 4.0)
OUTPUT = (1920, 1080)


@dataclass(frozen=True)
class Node:
    """A node, with the names that it creates (each with a scale and a format, None for a buffer), modifies, reads, and
    of which it reads the history."""

    name: str
    creates: tuple[tuple[str, float, str | None], ...] = ()
    modifies: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    raster: bool = True
    cost: float = 1.0

    def declare(self, reg: Registry, *, sink: bool) -> Callable[[object], None]:
        """State the requests; a sink has side effects."""
        for name, scale, format in self.creates:
            if format is None:
                reg.create(name, Buffer(int(scale * (1 << 22)))).storage_write()
                continue
            builder = reg.create(name, Texture(format, reg.resolution("output", scale)))
            if format == "d32_sfloat":
                builder.depth(clear=0.0)
            elif self.raster:
                builder.color(clear=(0.0, 0.0, 0.0, 0.0))
            else:
                builder.storage_write()
        for name in self.modifies:
            builder = reg.modify(name)
            builder.depth() if name.endswith("_depth") else builder.color()
        for name in self.reads:
            builder = reg.read(name)
            builder.storage_read() if name.endswith("_buffer") else builder.sampled()
        for name in self.past:
            reg.history(name).sampled()
        reg.cost(self.cost)
        if sink:
            reg.side_effects()
        return lambda cmd: None


class _Maker:
    """Makes the nodes of one graph."""

    def __init__(self, seed: int, count: int) -> None:
        self._rng = random.Random(f"{seed} {count}")
        self._count = count
        self._made: list[str] = []  # recent ones last
        self.nodes: list[Node] = []

    def make(self) -> tuple[Node, ...]:
        """All nodes, in a legal order."""
        while len(self.nodes) < self._count:
            kind = self._rng.random()
            if kind < 0.2 and len(self.nodes) + 2 <= self._count:
                self._targets()
            elif kind < 0.7:
                self._add(self._created(), self._reads(3), raster=True)
            elif kind < 0.82:
                self._add(self._created(), self._reads(3), raster=False)
            elif kind < 0.92:
                self._with_history()
            else:
                name = f"r{len(self.nodes)}_buffer"
                self._add((name, self._rng.choice(SCALES), None), self._reads(3), raster=False)
        return tuple(self.nodes[: self._count])

    def _targets(self) -> None:
        """Targets, and nodes that draw to them."""
        name, scale, format = self._created()
        depth = f"{name}_depth"
        number = len(self.nodes)
        self.nodes.append(Node(f"n{number}", ((name, scale, format), (depth, scale, "d32_sfloat")), cost=self._cost()))
        for _ in range(self._rng.randint(1, min(5, self._count - len(self.nodes)))):
            reads = self._reads(1)
            self.nodes.append(Node(f"n{len(self.nodes)}", modifies=(name, depth), reads=reads, cost=self._cost()))
        self._made.append(name)

    def _with_history(self) -> None:
        created = self._created()
        number, reads = len(self.nodes), self._reads(2)
        self.nodes.append(Node(f"n{number}", (created,), reads=reads, past=(created[0],), cost=self._cost()))
        self._made.append(created[0])

    def _add(self, created: tuple[str, float, str | None], reads: tuple[str, ...], *, raster: bool) -> None:
        self.nodes.append(Node(f"n{len(self.nodes)}", (created,), reads=reads, raster=raster, cost=self._cost()))
        self._made.append(created[0])

    def _created(self) -> tuple[str, float, str]:
        return f"r{len(self.nodes)}", self._rng.choice(SCALES), self._rng.choice(FORMATS)

    def _cost(self) -> float:
        return self._rng.choice(COSTS)

    def _reads(self, most: int) -> tuple[str, ...]:
        made, rng = self._made, self._rng
        count = rng.randint(0, most) if made else 0
        return tuple(sorted({made[-min(len(made), 1 + int(rng.expovariate(0.2)))] for _ in range(count)}))


def random_nodes(seed: int, count: int) -> tuple[Node, ...]:
    """``count`` nodes: raster nodes that share targets, compute nodes, buffers, readers of recent results, histories;
    equal arguments give equal nodes."""
    return _Maker(seed, count).make()


def shuffled(nodes: Sequence[Node], seed: int) -> list[Node]:
    """The nodes in another order of declaration, with the modifiers of each resource in their own order."""
    names = random.Random(seed).sample(range(len(nodes)), len(nodes))
    for group in _modifiers(nodes):
        places = sorted([names[number] for number in group])
        for number, place in zip(group, places, strict=True):
            names[number] = place
    return [nodes[number] for number in sorted(range(len(nodes)), key=names.__getitem__)]


def _modifiers(nodes: Sequence[Node]) -> Iterable[list[int]]:
    """The numbers of the nodes that modify the same resources; targets and their depths go together."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, node in enumerate(nodes):
        if node.modifies:
            groups.setdefault(node.modifies, []).append(number)
    return groups.values()


def frame_graph(nodes: Sequence[Node]) -> FrameGraph:
    """The graph with the nodes declared in this order; what nothing reads is a result."""
    graph = FrameGraph()
    graph.set_resolution("output", OUTPUT)
    used = {name for node in nodes for name in (*node.reads, *node.modifies)}
    for node in nodes:
        sink = not any(name in used for name, _, _ in node.creates) and not node.modifies
        graph.add_node(node.name, partial(node.declare, sink=sink))
    written = {name for node in nodes for name in node.modifies}
    read = {name for node in nodes for name in node.reads}
    for name in sorted(written - read):
        graph.add_sink(name)
    failed = graph.declare()
    assert not failed, failed
    return graph

"""Random frames with much that only later frames need: drawing, and compute whose results are read as histories.

Some of these are but cleared, and looked at by who has them cleared.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from declare_helpers import create, graph, history, modify, node, read

from renderwright.render.graph.requests import NodeDeclaration, Rate, Request
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import ShaderStage, Usage

TARGET = Texture("rgba16_sfloat", (64, 64))
SMALL = Texture("rgba16_sfloat", (16, 16))
BYTES = Buffer(4096)
BLACK = (0.0, 0.0, 0.0, 1.0)


@dataclass
class LateGraph:
    """A graph by its seed; all is declared in an order in which it can run."""

    seed: int
    nodes: list[NodeDeclaration] = field(default_factory=list)
    made: dict[str, Texture | Buffer] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    ages: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"late {self.seed}")

    def snapshot(self) -> GraphSnapshot:
        rng = self.rng
        for number in range(rng.randint(4, 12)):
            if rng.random() < 0.5:
                self._draw(f"n{number}", f"r{number}")
            else:
                self._dispatch(f"n{number}", f"r{number}")
        # What nobody has looked at would be culled.
        rest = [name for name in self.made if name not in self.seen]
        looks = [self._look(name, rng.random() < 0.7, ShaderStage.FRAGMENT) for name in rest]
        self.nodes.append(node("show", create("image", TARGET, usage=Usage.COLOR), *looks, index=99))
        return graph(*self.nodes, sinks=("image",))

    def _draw(self, name: str, target: str) -> None:
        looks = self._looks(ShaderStage.FRAGMENT)
        rate = Rate(every=2) if self.rng.random() < 0.08 else Rate()
        desc = self.rng.choice([TARGET, TARGET, SMALL])
        made = create(target, desc, usage=Usage.COLOR)
        self._add(node(name, made, *looks, cost=float(self.rng.choice([1, 4, 8])), rate=rate), target, desc)
        if rate.every > 1:
            self.settled.add(target)  # there is one copy of it, and so no history

    def _dispatch(self, name: str, target: str) -> None:
        rng = self.rng
        desc = rng.choice([BYTES, BYTES, SMALL])
        usage, clear = Usage.STORAGE_WRITE, None
        if desc is SMALL and rng.random() < 0.3:
            usage, clear = Usage.SAMPLED, BLACK
        requests = [create(target, desc, usage=usage, stages=(ShaderStage.COMPUTE,), clear=clear)]
        if rng.random() < 0.2:
            requests.append(self._look(target, True, ShaderStage.COMPUTE, desc))
        requests += self._looks(ShaderStage.COMPUTE)
        free = [each for each, what in self.made.items() if each not in self.seen and isinstance(what, Buffer)]
        if free and rng.random() < 0.2:
            requests.append(modify(rng.choice(free), usage=Usage.STORAGE, stages=(ShaderStage.COMPUTE,)))
        queues = rng.choice([("compute", "graphics"), ("compute", "graphics"), ("graphics",)])
        self._add(node(name, *requests, cost=float(rng.choice([1, 4, 8])), queues=queues), target, desc)

    def _add(self, made: NodeDeclaration, target: str, desc: Texture | Buffer) -> None:
        self.nodes.append(NodeDeclaration(**{**made.__dict__, "index": len(self.nodes)}))
        self.made[target] = desc

    def _looks(self, stage: ShaderStage) -> list[Request]:
        names = self.rng.sample(sorted(self.made), min(len(self.made), self.rng.randint(0, 3)))
        return [self._look(name, self.rng.random() < 0.5, stage) for name in names]

    def _look(self, name: str, past: bool, stage: ShaderStage, desc: Texture | Buffer | None = None) -> Request:
        desc = desc or self.made[name]
        usage = Usage.STORAGE_READ if isinstance(desc, Buffer) else Usage.SAMPLED
        self.seen.add(name)
        if past and name not in self.settled:
            age = self.ages.setdefault(name, self.rng.choice([1, 1, 1, 2, 3]))
            return history(name, usage=usage, stages=(stage,), frames=age)
        return read(name, usage=usage, stages=(stage,))


def late_graph(seed: int) -> GraphSnapshot:
    """The graph of a seed."""
    return LateGraph(seed).snapshot()

"""Stable nodes that create blobs are executed only when a blob that they read is another one; values are the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.revision import Revision
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Texture

BIG = 1_000_003


@dataclass(frozen=True)
class Sketch:
    """A node: its inputs by verb and name, its rate (0: when its last input changes), and whether views or the
    resolution count."""

    name: str
    inputs: tuple[tuple[str, str], ...]
    modifies: str = ""
    every: int = 1
    views: bool = False
    sized: bool = False


@dataclass
class Played:
    """Two runtimes of the same sketches would differ only by ``stable``."""

    stable: bool
    inputs: dict[str, int]
    revisions: Mapping[str, Revision]
    ran: int = 0
    values: dict[str, Any] = field(default_factory=dict)

    def add(self, graph: FrameGraph, sketch: Sketch) -> None:
        graph.add_node(sketch.name, lambda reg: self._declare(reg, sketch))

    def _declare(self, reg: Registry, sketch: Sketch) -> Callable[[Any], None]:
        if sketch.views:
            reg.multiplex("view")
        read = [getattr(reg, verb)(name, int) for verb, name in sketch.inputs]
        own = reg.modify(sketch.modifies, int) if sketch.modifies else reg.create(sketch.name, int)
        if sketch.every == 0:
            reg.when(sketch.inputs[-1][1])
        elif sketch.every > 1:
            reg.every(sketch.every)
        if self.stable:
            reg.stable()

        def execute(cmd: Any) -> None:
            self.ran += 1
            value = own.value if sketch.modifies else len(sketch.name)
            for handle in read:
                value = (value * 31 + (handle.value or 0)) % BIG if handle.valid else value
            value += cmd.index.get("view", 0)
            own.value = value * (cmd.resolution("size")[0] if sketch.sized else 1)

        return execute

    def source(self, reg: Registry, name: str) -> Callable[[Any], None]:
        """A node with an input from outside: it is executed in each frame, or when the input has another revision."""
        made = reg.create(name, int)
        if self.stable and name in self.revisions:
            reg.stable(self.revisions[name])

        def execute(cmd: Any) -> None:
            made.value = self.inputs[name]

        return execute

    def sink(self, reg: Registry, names: list[str]) -> Callable[[Any], None]:
        """A node that looks at all blobs."""
        reg.create("shown", Texture("rgba8_unorm", reg.resolution("size"))).storage_write("compute")
        found = {name: reg.gather(name, int) for name in names}
        reg.side_effects()

        def execute(cmd: Any) -> None:
            self.values = {name: handle.values for name, handle in found.items()}

        return execute


def sketches(chance: random.Random) -> tuple[list[str], list[Sketch]]:
    """Names of sources, and nodes that read them and each other."""
    sources = [f"source {number}" for number in range(chance.randint(1, 3))]
    rates, nodes = dict.fromkeys(sources, 1), []
    used: set[str] = set()
    for number in range(chance.randint(2, 7)):
        name = f"node {number}"
        every = chance.choice((1, 1, 1, 2, 3))
        views = every == 1 and chance.random() < 0.2
        picked = [] if views else chance.sample(list(rates), chance.randint(0, min(2, len(rates))))
        past = {one for one in picked if rates[one] == 1 and chance.random() < 0.3}
        inputs = [("history" if one in past else "read", one) for one in picked]
        if every == 1 and not views and chance.random() < 0.2:
            inputs.append(("history", name))
            used.add(name)  # a history orders like a read, so a modifier of it would wait for itself
        used.update(picked)
        free = [one for one, rate in rates.items() if rate == every and one not in used]
        modifies = chance.choice(free) if free and not views and chance.random() < 0.3 else ""
        used.add(modifies)
        if modifies:
            inputs = [(verb, one) for verb, one in inputs if one != name]
        if inputs and inputs[-1][0] == "read" and not modifies and every == 1 and chance.random() < 0.3:
            every = 0
            used.add(name)
        nodes.append(Sketch(name, tuple(inputs), modifies, every, views, chance.random() < 0.3))
        if not modifies and not views:
            rates[name] = every
    return sources, nodes


@contextmanager
def runtime_of(played: Played, sources: list[str], nodes: list[Sketch]) -> Iterator[Runtime]:
    """The runtime of a graph of these nodes."""
    graph = FrameGraph()
    graph.define_resolution(ResolutionRule("size", size=(16, 16)))
    graph.set_count("view", 2)
    for name in sources:
        graph.add_node(name, lambda reg, name=name: played.source(reg, name))
    for sketch in nodes:
        played.add(graph, sketch)
    made = [*sources, *(sketch.name for sketch in nodes if not sketch.modifies)]
    graph.add_node("sink", lambda reg: played.sink(reg, made))
    backend = NullBackend()
    runtime = Runtime(graph, backend, ShaderLibrary())
    yield runtime
    runtime.close()
    assert backend.alive == ()


@pytest.mark.parametrize("seed", range(40))
def test_the_values_are_those_of_nodes_that_are_executed_in_each_frame(seed: int) -> None:
    chance = random.Random(seed)
    sources, nodes = sketches(chance)
    inputs = dict.fromkeys(sources, 0)
    revisions = {name: Revision() for name in sources[seed % 2 :]}
    kept, always = Played(True, inputs, revisions), Played(False, inputs, {})
    with runtime_of(kept, sources, nodes) as one, runtime_of(always, sources, nodes) as other:
        for frame in range(40):
            before = dict(inputs)
            inputs[sources[0]] = frame % 2 if frame < 12 else inputs[sources[0]]
            if chance.random() < 0.25:
                inputs[chance.choice(sources)] += chance.randint(-1, 1)
            for name in revisions:
                if inputs[name] != before[name]:
                    revisions[name].advance()
            if chance.random() < 0.15:
                size = chance.choice((None, (8, 8), (12, 12)))
                for runtime in (one, other):
                    runtime.graph.set_dynamic_resolution("size", size)
            assert one.render(None) is not None
            assert other.render(None) is not None
            assert kept.values == always.values, frame
            assert kept.values.keys() >= {*sources}
            assert one.plan.problems == ()
    assert kept.ran <= always.ran


def test_a_node_is_executed_again_in_both_slots_when_its_revision_advances() -> None:
    revision, size, drawn = Revision(), [3], []

    def declare(reg: Registry) -> Callable[[Any], None]:
        reg.create("shown", Texture("rgba8_unorm", (4, 4))).storage_write("compute")
        reg.side_effects()
        reg.stable(revision)
        return lambda cmd: drawn.append(size[0])

    graph = FrameGraph()
    graph.add_node("draw", declare)
    runtime = Runtime(graph, NullBackend(), ShaderLibrary())
    for _ in range(5):
        runtime.render(None)
    size[0] = 4
    revision.advance()
    for _ in range(5):
        runtime.render(None)
    runtime.close()
    assert drawn == [3, 3, 4, 4]

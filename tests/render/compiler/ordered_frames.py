"""Builds small ordered instance graphs by hand, for the stages that come after ``order``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from render.compiler.lives import Clock, lives
from render.compiler.operations import Program
from render.compiler.place import place
from render.compiler.program import program
from render.compiler.rates import without
from render.compiler.rest import rest_of
from render.compiler.snapshot import CompileOptions, SizeInputs
from render.compiler.stages import (
    Barrier,
    InstanceGraph,
    LogicalResource,
    NodeInstance,
    Placement,
    ResourceInstance,
    StatePlan,
    SyncPlan,
    Use,
)
from render.compiler.state import state
from render.compiler.sync import sync
from render.errors import SourceLocation
from render.graph.requests import ClearValue, FirstFrame, NodeDeclaration, PipelineRequest, Request, Verb
from render.graph.resources import Blob, Buffer, Extent, Resolution, ResourceDesc, Texture
from render.memory.needs import RowMajorModel
from render.sync.usages import ShaderStage, Usage

HERE = SourceLocation("game.py", 1)


@dataclass(frozen=True)
class Touch:
    """One use of a node-to-be."""

    name: str
    usage: Usage | None
    stage: ShaderStage = ShaderStage.FRAGMENT
    history: bool = False
    first: FirstFrame = FirstFrame.CLEAR


def compute(name: str, usage: Usage, *, history: bool = False) -> Touch:
    """A use in a compute shader."""
    return Touch(name, usage, ShaderStage.COMPUTE, history)


def fragment(name: str, usage: Usage | None, *, history: bool = False) -> Touch:
    """A use in a fragment shader, or a fixed-function use."""
    return Touch(name, usage, ShaderStage.FRAGMENT, history)


class Frame:
    """An ordered frame in the making. The first node to touch a resource counts as its creator."""

    def __init__(self) -> None:
        self._resources: list[tuple[str, ResourceDesc, ClearValue | None, bool]] = []
        self._nodes: list[NodeInstance] = []
        self._sinks: list[str] = []

    def texture(
        self,
        name: str,
        size: Extent | Resolution = (64, 64),
        format: str = "rgba8_unorm",
        *,
        clear: ClearValue | None = None,
        external: bool = False,
    ) -> Frame:
        self._resources.append((name, Texture(format, size), clear, external))
        return self

    def buffer(self, name: str, size: int = 256, *, external: bool = False) -> Frame:
        self._resources.append((name, Buffer(size), None, external))
        return self

    def blob(self, name: str) -> Frame:
        self._resources.append((name, Blob("Camera"), None, False))
        return self

    def sink(self, *names: str) -> Frame:
        self._sinks += names
        return self

    def node(self, name: str, *touches: Touch, pipelines: int = 0, **state: Any) -> Frame:
        uses = tuple(
            Use(
                number,
                Request(
                    Verb.HISTORY if touch.history else Verb.READ,
                    touch.name,
                    HERE,
                    usage=touch.usage,
                    first=touch.first,
                ),
                (touch.name,),
                touch.usage,
                touch.stage,
                touch.history,
            )
            for number, touch in enumerate(touches)
        )
        made = tuple(PipelineRequest("compute", (), HERE) for _ in range(pipelines))
        declaration = NodeDeclaration(name, "", HERE, state=tuple(sorted(state.items())), pipelines=made)
        self._nodes.append(NodeInstance(name, declaration, (), uses))
        return self

    def graph(self) -> InstanceGraph:
        resources = []
        for name, desc, clear, external in self._resources:
            users = [
                node.id for node in self._nodes if any(name in use.resources and not use.history for use in node.uses)
            ]
            creator = users[0] if users else ""
            logical = LogicalResource(name, (name,), desc, creator, external, clear, frozenset(), HERE)
            resources.append(ResourceInstance(name, logical, (), creator))
        return InstanceGraph(tuple(self._nodes), tuple(resources), (), tuple(self._sinks))


@dataclass(frozen=True)
class Compiled:
    """What the back half of the compiler makes of a frame."""

    graph: InstanceGraph
    placement: Placement
    state: StatePlan
    sync: SyncPlan
    program: Program

    def barriers(self, resource: str, frame: int = 0) -> list[tuple[int, Barrier]]:
        """(pass it stands in front of, barrier) of the resource in an even (0) or odd (1) frame."""
        batches = self.sync.odd if frame else self.sync.even
        return [(batch.before, item) for batch in batches for item in batch.barriers if item.resource == resource]

    def barrier(self, resource: str, before: int, frame: int = 0) -> Barrier:
        """The one barrier of the resource in front of the pass."""
        (found,) = [barrier for number, barrier in self.barriers(resource, frame) if number == before]
        return found


def without_nodes(compiled: Compiled, resting: frozenset[str]) -> Compiled:
    """The frame in which these nodes do not run."""
    graph, placement = without(compiled.graph, resting), compiled.placement
    rest = rest_of(compiled.graph, placement, lives(compiled.graph, Clock(compiled.state)))
    passes = state(graph, placement)
    barriers = sync(graph, placement, passes, rest)
    return Compiled(graph, placement, passes, barriers, program(graph, placement, passes, barriers))


def compile_frame(frame: Frame | InstanceGraph, *, alias: bool = True, sizes: SizeInputs | None = None) -> Compiled:
    """All stages from ``place`` on."""
    graph = frame.graph() if isinstance(frame, Frame) else frame
    placement = place(graph, sizes or SizeInputs(), CompileOptions(alias=alias), RowMajorModel())
    passes = state(graph, placement)
    barriers = sync(graph, placement, passes)
    return Compiled(graph, placement, passes, barriers, program(graph, placement, passes, barriers))

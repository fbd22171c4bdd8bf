"""Builds small ordered instance graphs by hand, for the stages that come after ``order``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.pipeline import Compiler, ScheduledFrame
from renderwright.render.compiler.place.stage import place
from renderwright.render.compiler.resources.access_history import access_histories
from renderwright.render.compiler.resources.requirements import requirements
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.operations import Program
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.passes import PassPlan
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.queue_plan import one_queue
from renderwright.render.compiler.values.resolved import LogicalResource, ResolvedGraph
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import FirstFrame, NodeDeclaration, PipelineRequest, Request, Verb
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.sync.barriers import Barrier, SyncPlan
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import Blob, Buffer, ClearValue, Extent, Resolution, ResourceDesc, Texture
from renderwright.render.types.usages import ShaderStage, Usage

HERE = SourceLocation("game.py", 1)
NOTHING_RESOLVED = ResolvedGraph((), (), (), (), ())


@dataclass(frozen=True)
class Touch:
    """One use of a node-to-be."""

    name: str
    usage: Usage | None
    stage: ShaderStage = ShaderStage.FRAGMENT
    history: bool = False
    first: FirstFrame = FirstFrame.CLEAR
    part: Part = WHOLE


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
        mips: int = 1,
        layers: int = 1,
    ) -> Frame:
        self._resources.append((name, Texture(format, size, mips, layers), clear, external))
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
                    part=touch.part,
                ),
                (touch.name,),
                touch.usage,
                (touch.stage,),
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
                node.id
                for node in self._nodes
                if any(name in use.resources and not use.reads_history for use in node.uses)
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
    pass_plan: PassPlan
    sync: SyncPlan
    program: Program
    extents: tuple[Extent | None, ...]

    def barriers(self, resource: str, frame: int = 0) -> list[tuple[int, Barrier]]:
        """(pass it stands in front of, barrier) of the resource in an even (0) or odd (1) frame."""
        batches = self.sync.odd if frame else self.sync.even
        return [(batch.number, item) for batch in batches for item in batch.barriers if item.resource == resource]

    def barrier(self, resource: str, before: int, frame: int = 0) -> Barrier:
        """The one barrier of the resource in front of the pass."""
        (found,) = [barrier for number, barrier in self.barriers(resource, frame) if number == before]
        return found


def without_nodes(compiled: Compiled, resting: frozenset[str]) -> Compiled:
    """The frame in which these nodes do not run."""
    plan = Plan(
        NOTHING_RESOLVED,
        compiled.graph,
        compiled.placement,
        compiled.pass_plan,
        compiled.sync,
        compiled.program,
        one_queue(len(compiled.graph.nodes)),
    )
    part = PartialPlans(plan).plan(frozenset(resting))
    return Compiled(part.graph, part.placement, part.pass_plan, part.sync, part.program, part.extents)


def compile_frame(
    frame: Frame | InstanceGraph,
    *,
    alias: bool = True,
    sizes: SizeInputs | None = None,
    split: bool = False,
    unified: bool = False,
    keep: bool = False,
    merge: bool = True,
) -> Compiled:
    """All stages from ``place`` on; with ``keep``, images stay in the general layout where they can."""
    graph = frame.graph() if isinstance(frame, Frame) else frame
    options = CompileOptions(
        alias=alias,
        packing=PackPolicy.BALANCED if keep else PackPolicy.FAST,
        split_above=0.0 if split else math.inf,
        unified_layouts=unified or keep,
        keep_images=keep,
        merge=merge,
    )
    scheduled = ScheduledFrame(graph, access_histories(graph), one_queue(len(graph.nodes)))
    plan = Compiler(RowMajorModel()).plan(NOTHING_RESOLVED, scheduled, sizes or SizeInputs(), options)
    return Compiled(plan.graph, plan.placement, plan.pass_plan, plan.sync, plan.program, plan.extents)


def placement_of(graph: InstanceGraph, sizes: SizeInputs, options: CompileOptions | None = None) -> Placement:
    """The placement of a graph in order."""
    execution_intervals = one_queue(len(graph.nodes)).execution_intervals
    return place(
        requirements(graph, access_histories(graph), execution_intervals),
        sizes,
        options or CompileOptions(),
        RowMajorModel(),
    )

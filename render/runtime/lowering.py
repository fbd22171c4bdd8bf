"""Turns a plan's program into prepared op lists for one frame slot: done once, played every frame."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import cast

from render.backend.protocol import Backend, BoundBarrier, OpList, Physical, PhysicalTexture, Pipeline, Recorder
from render.compiler.declare import DeclaredNode, Execute
from render.compiler.operations import BarrierOp, BeginPassOp, EndPassOp, NodeOp
from render.compiler.plan import Plan
from render.compiler.stages import ClearOp, NodeInstance
from render.errors import FramewrightError
from render.graph.frame_graph import FrameGraph
from render.graph.handles import BlobCell, BoundResource
from render.graph.request_builder import RequestBuilder
from render.graph.resources import Extent
from render.runtime.bindings import NodeBindings, bind_node
from render.runtime.commands import BoundPipeline, Commands
from render.runtime.failures import FailurePhase, NodeFailure
from render.runtime.resources import PlanResources
from render.runtime.uniforms import UniformMemory, UniformWriter
from render.sync.flags import Layout


@dataclass
class NodeRun:
    """One node instance, ready to execute in one slot. ``recorded`` keeps a stable node's commands."""

    instance: NodeInstance
    execute: Execute | None
    handles: tuple[tuple[RequestBuilder, BoundResource], ...]
    pipelines: tuple[BoundPipeline, ...]
    writers: tuple[UniformWriter, ...]
    extent: Extent | None
    resolutions: Mapping[str, Extent]
    recorder: Recorder
    slot: int
    recorded: OpList | None = None

    def run(self, frame: int) -> OpList | None:
        """Execute the node and give the commands it recorded; whatever it had recorded is dropped if it raises."""
        if self.execute is None:
            return None
        for writer in self.writers:
            writer.write()
        if self.recorded is not None:
            return self.recorded
        declaration = self.instance.declaration
        commands = Commands(
            self.recorder,
            self.pipelines,
            frame,
            self.slot,
            dict(self.instance.index),
            self.extent,
            self.resolutions,
        )
        for handle, bound in self.handles:
            handle.bind_physical(bound)
        try:
            self.execute(commands)
            commands.finish()
            recorded = self.recorder.take()
        except BaseException:
            self.recorder.take()
            raise
        finally:
            for handle, _ in self.handles:
                handle.bind_physical(None)
        if declaration.stable and all(bound.valid for _, bound in self.handles):
            self.recorded = recorded
        return recorded


LoweredItem = OpList | NodeRun


@dataclass(frozen=True)
class LoweredFrame:
    """A frame of one slot: prepared op lists and node runs in turn.

    ``timed`` names the timed node instances. ``histories`` are what history handles stand for, with the resource copy
    that decides whether they are valid. ``failures`` are nodes left out because their
    shaders do not fit their requests.
    """

    items: tuple[LoweredItem, ...]
    timed: tuple[str, ...]
    bindings: tuple[NodeBindings, ...]
    histories: tuple[tuple[BoundResource, tuple[str, int]], ...]
    failures: tuple[NodeFailure, ...]

    def destroy(self, backend: Backend) -> None:
        """Give the binding sets back."""
        for node in self.bindings:
            for bindings in node.sets:
                backend.destroy(bindings)


@dataclass(frozen=True)
class Externals:
    """What the application provided for this frame: GPU resources and CPU values by resource id."""

    physicals: Mapping[str, Physical]
    cells: Mapping[str, BlobCell]


@dataclass
class _Building:
    """A lowered frame in the making."""

    recorder: Recorder
    slot: int
    externals: Externals
    items: list[LoweredItem] = field(default_factory=list)
    timed: list[str] = field(default_factory=list)
    bindings: list[NodeBindings] = field(default_factory=list)
    histories: list[tuple[BoundResource, tuple[str, int]]] = field(default_factory=list)
    failures: list[NodeFailure] = field(default_factory=list)
    extent: Extent | None = None

    def finished(self) -> LoweredFrame:
        self.items.append(self.recorder.take())
        return LoweredFrame(
            tuple(self.items), tuple(self.timed), tuple(self.bindings), tuple(self.histories), tuple(self.failures)
        )


class Lowering:
    """Lowers one plan for one slot and one set of external resources.

    The ``early`` nodes (by name) run before the plan is chosen, so they are lowered apart from the rest.
    """

    def __init__(
        self,
        plan: Plan,
        graph: FrameGraph,
        resources: PlanResources,
        pipelines: Mapping[tuple[str, int], Pipeline],
        memory: UniformMemory,
        backend: Backend,
        early: Set[str] = frozenset(),
    ) -> None:
        self._plan = plan
        self._early = early
        self._graph = graph
        self._resources = resources
        self._pipelines = pipelines
        self._memory = memory
        self._backend = backend
        self._resolutions = dict(plan.placement.extents)

    def lower(self, slot: int, externals: Externals) -> LoweredFrame:
        """The frame of ``slot``."""
        build = _Building(self._backend.recorder(slot), slot, externals)
        for op in self._plan.program.odd if slot else self._plan.program.even:
            if isinstance(op, NodeOp):
                instance = self._plan.graph.nodes[op.node]
                if instance.declaration.name not in self._early:
                    self._try_node(instance, build)
            else:
                self._record(op, build)
        return build.finished()

    def lower_early(self, slot: int, externals: Externals) -> LoweredFrame:
        """The early nodes of a frame of ``slot``, without anything in between."""
        build = _Building(self._backend.recorder(slot), slot, externals)
        for instance in self._plan.graph.nodes:
            if instance.declaration.name in self._early:
                self._try_node(instance, build)
        return build.finished()

    def _try_node(self, instance: NodeInstance, build: _Building) -> None:
        try:
            self._node(instance, build)
        except FramewrightError as error:
            declaration = instance.declaration
            build.failures.append(NodeFailure(declaration.name, declaration.plugin, FailurePhase.PIPELINE, error))

    def _record(self, op: BarrierOp | ClearOp | BeginPassOp | EndPassOp, build: _Building) -> None:
        externals = build.externals
        match op:
            case BarrierOp():
                bound = [BoundBarrier(b, self._physical(b.resource, b.copy, externals)) for b in op.barriers]
                build.recorder.barriers(bound)
            case ClearOp():
                texture = self._texture(op.resource, op.copy, externals)
                build.recorder.clear_texture(texture, Layout.TRANSFER_DST, op.value)
            case BeginPassOp():
                extent = build.extent = self._plan.extents[op.number]
                assert extent is not None, "a render pass without attachments"
                targets = zip(op.attachments, op.copies, strict=True)
                build.recorder.begin_pass(
                    [(a, self._texture(a.resource, copy, externals)) for a, copy in targets], extent
                )
            case EndPassOp():
                build.extent = None
                build.recorder.end_pass()

    def _node(self, instance: NodeInstance, build: _Building) -> None:
        if not instance.declaration.executes:
            return
        declared: DeclaredNode = self._graph.declared(instance.declaration.name)
        count = len(instance.declaration.pipelines)
        pipelines = tuple(self._pipelines[instance.id, number] for number in range(count))
        bound = self._bound(instance, build)
        node = bind_node(instance, pipelines, bound, tuple(declared.uniforms), build.slot, self._memory, self._backend)
        build.bindings.append(node)
        on_gpu = any(use.usage is not None and use.present for use in instance.uses)
        number = len(build.timed) if on_gpu else -1
        if on_gpu:
            build.timed.append(instance.id)
            build.recorder.begin_label(instance.id)
            build.recorder.timestamp(2 * number)
        build.items.append(build.recorder.take())
        handles = tuple((handle, bound[number]) for number, handle in enumerate(declared.handles))
        build.items.append(
            NodeRun(
                instance,
                declared.execute,
                handles,
                node.pipelines,
                node.writers,
                build.extent,
                self._resolutions,
                build.recorder,
                build.slot,
            )
        )
        if on_gpu:
            build.recorder.timestamp(2 * number + 1)
            build.recorder.end_label()

    def _bound(self, instance: NodeInstance, build: _Building) -> dict[int, BoundResource]:
        bound: dict[int, BoundResource] = {}
        for use in instance.uses:
            copy = 1 - build.slot if use.history else build.slot
            physicals: list[Physical] = []
            cells: list[BlobCell] = []
            for resource in use.resources:
                cell = build.externals.cells.get(resource) or self._resources.cells.get((resource, copy))
                if cell is not None:
                    cells.append(cell)
                else:
                    physicals.append(self._physical(resource, copy, build.externals))
            bound[use.number] = BoundResource(tuple(physicals), tuple(cells))
            if use.history and use.present:
                build.histories.append((bound[use.number], (use.resources[0], copy)))
        return bound

    def _physical(self, resource: str, copy: int, externals: Externals) -> Physical:
        return externals.physicals.get(resource) or self._resources.physicals[resource, copy]

    def _texture(self, resource: str, copy: int, externals: Externals) -> PhysicalTexture:
        return cast(PhysicalTexture, self._physical(resource, copy, externals))

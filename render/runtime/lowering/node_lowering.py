"""Lowers the nodes of a plan: what they bind, and what executes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderwright.render.backend.protocol import Backend, Recorder
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use, layout_during
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.handles import BoundResource
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.lowering.bindings import NodeBindings, bind_node, has_its_mips
from renderwright.render.runtime.lowering.blob_writers import BlobWriters
from renderwright.render.runtime.lowering.executed_nodes import ExecutedNodes
from renderwright.render.runtime.lowering.frame_building import FrameBuilding
from renderwright.render.runtime.lowering.lowered import LoweredNode
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.lowering.uniforms import UniformMemory
from renderwright.render.runtime.memory.constant_textures import ConstantTextures
from renderwright.render.runtime.memory.resources import PlanResources
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import Physical, TextureInfo
from renderwright.render.types.resources import Extent

Used = tuple[tuple[Physical, ...], tuple[BlobCell, ...]]


class NodeLowering:
    """Lowers the nodes of one plan, as they are declared when they are lowered (``ExecutedNodes``)."""

    def __init__(
        self,
        plan: Plan,
        executed: ExecutedNodes,
        resources: PlanResources,
        memory: UniformMemory,
        constants: ConstantTextures,
        backend: Backend,
    ) -> None:
        self._plan = plan
        self._executed = executed
        self._resources = resources
        self._memory = memory
        self._constants = constants
        self._backend = backend
        self._resolutions = dict(plan.placement.extents)
        self._blob_writers = BlobWriters(plan.graph.nodes, resources.cells)
        self._layouts: dict[tuple[str, int], tuple[Layout, ...]] = {}

    def lowered_node(self, instance: NodeInstance, build: FrameBuilding) -> LoweredNode:
        """The node's own, or a known one with the same resources if that is as the node is declared now."""
        used = {use.number: self._used(use, build) for use in instance.uses}
        before = build.like.nodes.get(instance.id) if build.like is not None else None
        if (
            before is not None
            and before.users
            and self.is_current(before, instance)
            and _binds_same(before.bound, used)
        ):
            before.users += 1
            return before
        bound = {use.number: self._bound(instance, use, used[use.number]) for use in instance.uses}
        return self._bind(instance, bound, build.slot)

    def node_run(self, instance: NodeInstance, node: LoweredNode, build: FrameBuilding) -> NodeRun:
        """The node's own, or a known one with the same bindings and sizes."""
        before = build.like.runs.get(instance.id) if build.like is not None else None
        if before is not None and build.like is not None and build.like.nodes[instance.id] is node:
            sizes_are_same = before.extent == build.extent and before.resolutions == self._resolutions
            keeps_the_same = before.stable == self._keeps_commands(instance)
            creates_the_same = before.creates_blobs == self._creates_blobs(instance)
            if sizes_are_same and keeps_the_same and creates_the_same and before.recorder is build.recorder:
                return before
        return self._new_run(instance, node, build.extent, build.recorder, build.slot)

    # declared anew --------------------------------------------------------------------------------------------------

    def is_current(self, node: LoweredNode, instance: NodeInstance) -> bool:
        """Whether a node has not been declared anew since it was lowered, and binds the pipelines that it has now: a
        shader may have been edited."""
        bound = node.bindings.pipelines
        has_pipelines = all(
            one.pipeline is self._executed.pipelines[instance.id, number] for number, one in enumerate(bound)
        )
        return node.declared is self._executed.of(instance) and has_pipelines

    def bound_anew(self, node: LoweredNode, run: NodeRun) -> tuple[LoweredNode, NodeRun]:
        """A node as it is declared now, with the same resources, and what executes it in the place of ``run``."""
        anew = self._bind(run.instance, node.bound, run.slot)
        return anew, self._new_run(run.instance, anew, run.extent, run.recorder, run.slot)

    def _new_run(
        self, instance: NodeInstance, node: LoweredNode, extent: Extent | None, recorder: Recorder, slot: int
    ) -> NodeRun:
        return NodeRun(
            instance,
            node.declared.execute if has_its_mips(instance, node.bound) else None,
            tuple((handle, node.bound[number]) for number, handle in enumerate(node.declared.handles)),
            node.bindings.pipelines,
            node.bindings.writers,
            extent,
            self._resolutions,
            recorder,
            slot,
            self._keeps_commands(instance),
            tuple([revision.cell for revision in node.declared.revisions]),
            self._creates_blobs(instance),
        )

    def _keeps_commands(self, instance: NodeInstance) -> bool:
        return instance.declaration.stable and self._blob_writers.keep_values(instance)

    def _creates_blobs(self, instance: NodeInstance) -> bool:
        return bool(self._blob_writers.set_by(instance))

    # what a node binds ----------------------------------------------------------------------------------------------

    def _bind(self, instance: NodeInstance, bound: Mapping[int, BoundResource], slot: int) -> LoweredNode:
        histories = tuple(
            (bound[use.number], (use.resources[0], 1 - slot))
            for use in instance.uses
            if use.reads_history and use.present
        )
        bindings = NodeBindings((), (), ())
        if has_its_mips(instance, bound):
            pipelines, declared = self._executed.pipelines_of(instance), self._executed.declared
            bindings = bind_node(
                instance, pipelines, bound, declared, slot, self._memory, self._constants, self._backend
            )
        return LoweredNode(self._executed.of(instance), bindings, bound, histories)

    def _used(self, use: Use, build: FrameBuilding) -> Used:
        """The textures and buffers, and the cells, of a request."""
        copy = 1 - build.slot if use.reads_history else build.slot
        physicals: list[Physical] = []
        cells: list[BlobCell] = []
        for resource in use.resources:
            cell = build.given.cells.get(resource) or self._resources.cells.get((resource, copy))
            if cell is not None:
                cells.append(cell)
            else:
                key = (resource, copy)
                physicals.append(build.given.physical(key) or self._resources.physicals[key])
        return tuple(physicals), tuple(cells)

    def _bound(self, instance: NodeInstance, use: Use, used: Used) -> BoundResource:
        physicals, cells = used
        of_each = instance.views is not None and len(cells) > 1 and use.request.verb is not Verb.GATHER
        return BoundResource(physicals, cells, of_each=of_each, layouts=self._layouts_in(instance, use, physicals))

    def _layouts_in(self, node: NodeInstance, use: Use, physicals: Sequence[Physical]) -> tuple[Layout, ...]:
        """The layouts of a request's textures while the node runs; UNDEFINED for anything else."""
        if not use.touches_gpu:
            return (Layout.UNDEFINED,) * len(physicals)
        key = node.id, use.number
        if key not in self._layouts:
            self._layouts[key] = tuple(
                self._plan.sync.layouts.of(name, layout_during(node.uses, name, use.reads_history, use.request.part))
                if isinstance(physical.info, TextureInfo)
                else Layout.UNDEFINED
                for name, physical in zip(use.resources, physicals, strict=True)
            )
        return self._layouts[key]


def _binds_same(before: Mapping[int, BoundResource], now: Mapping[int, Used]) -> bool:
    """Textures, buffers and cells compare by identity."""
    return all((before[at].physicals, before[at].cells) == used for at, used in now.items())

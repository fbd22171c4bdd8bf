"""Lowers a plan's program to op lists for one frame slot, a node at a time: once per plan, submitted every frame."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence, Set
from typing import cast

from renderwright.render.backend.protocol import AttachedTexture, Backend, BoundBarrier
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.operations import (
    BarrierOp,
    BeginPassOp,
    EndPassOp,
    NodeOp,
    Op,
    SetEventOp,
    Submission,
    SubmissionOp,
    WaitEventOp,
)
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import DeviceLostError, OutOfMemoryError
from renderwright.render.runtime.blame import failure_of
from renderwright.render.runtime.checks.poison import PoisonOp
from renderwright.render.runtime.checks.poisoner import PlanPoison
from renderwright.render.runtime.checks.texel_counter import PlanCounts
from renderwright.render.runtime.checks.texels import CountOp
from renderwright.render.runtime.lowering.copied_writes import CopyOp, with_copies
from renderwright.render.runtime.lowering.executed_nodes import ExecutedNodes
from renderwright.render.runtime.lowering.frame_building import FrameBuilding
from renderwright.render.runtime.lowering.lowered import Given, LoweredFrame
from renderwright.render.runtime.lowering.lowering_steps import LoweringSteps
from renderwright.render.runtime.lowering.node_lowering import NodeLowering
from renderwright.render.runtime.lowering.plain_ops import BegunPass, EndedPass, OpListKey, PlainOp, mentioned
from renderwright.render.runtime.lowering.renewal import Renewal
from renderwright.render.runtime.lowering.texture_copies import TextureCopies
from renderwright.render.runtime.lowering.uniforms import UniformMemory
from renderwright.render.runtime.memory.constant_textures import ConstantTextures
from renderwright.render.runtime.memory.resources import PlanResources
from renderwright.render.runtime.times.gpu_clock import TimedNode
from renderwright.render.sync.barriers import ClearOp, Issued, MemoryBarrier
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.scopes import scope_of
from renderwright.render.types.parts import Part, clipped, has_any
from renderwright.render.types.physical import Physical, PhysicalTexture, TextureInfo, mip_extent
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import ShaderStage

log = logging.getLogger("renderwright.runtime")


class Lowering:
    """Lowers the frames of one plan.

    ``queries`` are the first timestamp queries by node instance, the same in all frames of the plan. ``early`` nodes
    (by name) run before the skipped nodes are known, so they are lowered separately. ``poison`` and ``counts`` (for
    debugging) add fills of memory and counts of texels, ``copies`` copies of what is written.
    """

    def __init__(
        self,
        plan: Plan,
        executed: ExecutedNodes,
        resources: PlanResources,
        memory: UniformMemory,
        constants: ConstantTextures,
        backend: Backend,
        queries: Mapping[str, int],
        early: Set[str] = frozenset(),
        poison: PlanPoison | None = None,
        counts: PlanCounts | None = None,
        copies: TextureCopies | None = None,
    ) -> None:
        self._plan = plan
        self._early = early
        self._poison = poison
        self._counts = counts
        self._copies = copies
        self._resources = resources
        self._backend = backend
        self._queries = queries
        self._nodes = NodeLowering(plan, executed, resources, memory, constants, backend)

    def lower(self, slot: int, given: Given, like: LoweredFrame | None = None) -> LoweringSteps:
        """The frame of ``slot``, in a step for each node.

        ``like`` is another frame of that slot and plan: bindings with the same textures and buffers are reused with the
        commands that their nodes keep, and so are op lists of the same operations.
        """
        ops = self._plan.program.odd if slot else self._plan.program.even
        submissions = self._plan.program.submissions
        build = self._building(slot, given, like, submissions[0])
        try:
            for op in self._woven(ops, slot):
                match op:
                    case NodeOp():
                        instance = self._plan.graph.nodes[op.node]
                        if instance.declaration.name not in self._early:
                            self._try_node(instance, build)
                            yield
                    case SubmissionOp():
                        if op.number:
                            self._finish_op_list(build)
                            build.enter(submissions[op.number])
                    case BeginPassOp():
                        build.begun = self._begun(op, given)
                        build.waiting.append(build.begun)
                        build.extent, build.views = build.begun.extent, op.views
                    case EndPassOp():
                        assert build.begun is not None
                        build.waiting.append(EndedPass(build.begun))
                        build.extent, build.views = None, 1
                        self._finish_op_list(build)
                        build.end_group()
                    case _:
                        build.waiting.append(op)
            self._finish_op_list(build)
            build.leave()
        except BaseException:
            build.drop()
            raise
        return build.finished()

    def _woven(self, ops: Sequence[Op], slot: int) -> Sequence[Op | PoisonOp | CountOp | CopyOp]:
        """The operations of a frame with those for debugging."""
        if self._copies is not None:
            return with_copies(ops, self._plan, slot)
        with_fills = ops if self._poison is None else self._poison.woven(ops, self._plan, slot)
        return with_fills if self._counts is None else self._counts.woven(with_fills, self._plan, slot)

    def lower_early(self, slot: int, given: Given, like: LoweredFrame | None = None) -> LoweringSteps:
        """The early nodes of a frame of ``slot``, without barriers in between; nothing is reused."""
        build = self._building(slot, given, None, Submission(GRAPHICS, 0))
        try:
            for instance in self._plan.graph.nodes:
                if instance.declaration.name in self._early:
                    self._try_node(instance, build)
                    yield
            build.leave()
        except BaseException:
            build.drop()
            raise
        return build.finished()

    def renewed(self, slot: int, frame: LoweredFrame, donor: LoweredFrame | None) -> LoweredFrame | None:
        """A frame of ``slot`` with the nodes that have been declared anew since; all else is that of ``frame``.

        ``donor`` is another frame of that slot and plan, perhaps renewed already. None if a node cannot be bound: to
        lower the frame tells why.
        """
        try:
            return Renewal(frame, donor, self._nodes, self._backend, slot).renewed()
        except (OutOfMemoryError, DeviceLostError):
            raise
        except Exception as error:
            log.debug("a frame is lowered anew: %r", error)
            return None

    def _building(self, slot: int, given: Given, like: LoweredFrame | None, first: Submission) -> FrameBuilding:
        return FrameBuilding(self._backend, self._backend.recorder(slot, first.queue), slot, given, like, first)

    def _try_node(self, instance: NodeInstance, build: FrameBuilding) -> None:
        try:
            self._node(instance, build)
        except (OutOfMemoryError, DeviceLostError):
            raise  # not the node's fault; the frame can be lowered again when there is memory
        except Exception as error:
            build.recorder.take()  # what is half recorded would be in the next commands of the slot
            build.failures.append(failure_of(instance.declaration, instance.declaration.source, error))

    def _finish_op_list(self, build: FrameBuilding, node: str = "", stamp: int = -1) -> None:
        """Add the op list from the last node to this one, or to the end of a pass or submission.

        ``stamp`` is the node's first timestamp query, -1 for none.
        """
        physicals = tuple([self._physical(*key, build.given) for op in build.waiting for key in mentioned(op)])
        key = OpListKey(build.submission.queue, build.ended, tuple(build.waiting), physicals, stamp)
        op_list = build.like.op_lists.get(key) if build.like is not None else None
        if op_list is None:
            if build.ended is not None:
                build.recorder.timestamp(*build.ended)
                build.recorder.end_label()
            for op in build.waiting:
                self._record(op, build)
            if stamp >= 0:
                build.recorder.begin_label(node)
                build.recorder.timestamp(stamp, build.views)
            op_list = build.recorder.take()
        if op_list.ops:
            build.items.append(op_list)
        build.op_lists[key] = op_list
        build.waiting.clear()
        build.ended = (stamp + build.views, build.views) if stamp >= 0 else None

    def _begun(self, op: BeginPassOp, given: Given) -> BegunPass:
        layouts = self._plan.sync.layouts
        targets = tuple(
            AttachedTexture(
                attachment,
                self._texture(attachment.resource, copy, given),
                layouts.of(attachment.resource, scope_of(attachment.usage, (ShaderStage.FRAGMENT,)).layout),
            )
            for attachment, copy in zip(op.attachments, op.copies, strict=True)
        )
        copies = tuple((attachment.resource, copy) for attachment, copy in zip(op.attachments, op.copies, strict=True))
        planned = self._plan.extents[op.number]
        assert planned is not None, "a render pass without attachments"
        return BegunPass(targets, copies, _within(planned, targets), op.views)

    def _record(self, op: PlainOp, build: FrameBuilding) -> None:
        given = build.given
        match op:
            case BarrierOp():
                build.recorder.barriers(self._bound_barriers(op.barriers, given))
            case SetEventOp():
                build.recorder.set_event(op.event, self._bound_barriers(op.barriers, given))
            case WaitEventOp():
                build.recorder.wait_event(op.event, self._bound_barriers(op.barriers, given))
            case ClearOp():
                texture = self._texture(op.resource, op.copy, given)
                if has_any(op.part, texture.info.mips):
                    part = Part(clipped(op.part.mips, texture.info.mips), op.part.layers)
                    layout = self._plan.sync.layouts.of(op.resource, Layout.TRANSFER_DST)
                    build.recorder.clear_texture(texture, layout, op.value, part)
            case BegunPass():
                if op.draws:
                    build.recorder.begin_pass(op.targets, op.extent, op.views)
            case EndedPass():
                if op.begun.draws:
                    build.recorder.end_pass()
            case PoisonOp():
                assert self._poison is not None
                self._poison.poisoner.record(op, self._resources.heaps, build.recorder)
            case CountOp():
                assert self._counts is not None
                textures = [self._texture(output.resource, op.copy, given) for output in op.outputs]
                self._counts.counter.record(op, textures, build.recorder)
            case CopyOp():
                assert self._copies is not None
                textures = [self._texture(write.resource, op.copy, given) for write in op.writes]
                self._copies.record(op, textures, build.recorder)

    def _bound_barriers(self, barriers: Sequence[Issued], given: Given) -> list[BoundBarrier | MemoryBarrier]:
        bound: list[BoundBarrier | MemoryBarrier] = []
        for barrier in barriers:
            if isinstance(barrier, MemoryBarrier):
                bound.append(barrier)
                continue
            physical = self._physical(barrier.resource, barrier.copy, given)
            if barrier.mips is not None and isinstance(physical.info, TextureInfo):
                mips = clipped(barrier.mips, physical.info.mips)
                if mips is not None and not mips[1]:
                    continue
                barrier = barrier if mips == barrier.mips else barrier._replace(mips=mips)
            bound.append(BoundBarrier(barrier, physical))
        return bound

    def _node(self, instance: NodeInstance, build: FrameBuilding) -> None:
        if not instance.declaration.executes:
            return
        node = self._nodes.lowered_node(instance, build)
        build.nodes[instance.id] = node
        run = self._nodes.node_run(instance, node, build)
        build.runs[instance.id] = run
        stamp = self._queries.get(instance.id, -1)
        if stamp >= 0:
            build.timed.append(TimedNode(instance.id, stamp, build.submission.queue, build.views))
        self._finish_op_list(build, instance.id, stamp)
        build.items.append(run)
        if build.extent is None:
            self._finish_op_list(build)
            build.end_group()

    def _physical(self, resource: str, copy: int, given: Given) -> Physical:
        key = (resource, copy)
        return given.physical(key) or self._resources.physicals[key]

    def _texture(self, resource: str, copy: int, given: Given) -> PhysicalTexture:
        return cast(PhysicalTexture, self._physical(resource, copy, given))


def _within(planned: Extent, targets: Sequence[AttachedTexture]) -> Extent:
    """The planned extent, cut to the targets: one may have shrunk while no plan for its new size could be made."""
    extents = [planned, *(mip_extent(texture.info.extent, attachment.part) for attachment, texture, _ in targets)]
    return min(width for width, _ in extents), min(height for _, height in extents)

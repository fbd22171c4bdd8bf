"""The compiler: a table of contents of the stages that turn a graph into a plan.

resolve -> multiplex -> cull -> multiview -> order -> queues -> resources -> place -> passes -> sync -> program

Each stage is a pure function of frozen values. ``Memo`` remembers its last few inputs, which is all there is to
incremental compilation: a resize changes the inputs of ``place`` and of what follows, and of that only the steps that
read sizes, offsets or shared bytes run again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.compiler.cull.stage import cull
from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.instances.multiview import multiview
from renderwright.render.compiler.order.stage import order
from renderwright.render.compiler.passes.aliasing_pairs import aliasing_pairs, merge_candidates
from renderwright.render.compiler.passes.stage import merge_passes
from renderwright.render.compiler.place.dynamic_resolution import apply_dynamic_resolution, resizable_textures
from renderwright.render.compiler.place.image_reuse import image_reuse
from renderwright.render.compiler.place.stage import place
from renderwright.render.compiler.program.stage import program
from renderwright.render.compiler.queues.stage import queues
from renderwright.render.compiler.queues.submissions import submissions
from renderwright.render.compiler.resolve.fullscreen import store_from_compute_shaders
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.resources.access_history import AccessHistory, access_histories
from renderwright.render.compiler.resources.accesses import node_accesses
from renderwright.render.compiler.resources.requirements import Requirements, requirements
from renderwright.render.compiler.sync.byte_ranges import byte_overlaps
from renderwright.render.compiler.sync.semaphore_coverage import semaphore_coverage
from renderwright.render.compiler.sync.stage import derive_barriers, layouts_of, sync
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.operations import NO_OPERATIONS, Submission
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.passes import NO_PASSES, PassPlan
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.incremental.memo import Memo
from renderwright.render.memory.needs import MemoryModel
from renderwright.render.sync.barriers import NO_SYNC, SyncPlan
from renderwright.render.sync.images import NO_REUSE

__all__ = ["CompileOptions", "Compiler", "GraphSnapshot", "Memo", "Plan", "SizeInputs", "compile_snapshot"]


@dataclass(frozen=True, eq=False)
class ScheduledFrame:
    """The node instances in the order of issue, the access histories of their resources, and the queue of each node."""

    graph: InstanceGraph
    histories: Mapping[str, AccessHistory]
    queues: QueuePlan


class Compiler:
    """Compiles again and again, running only the stages whose inputs changed.

    Long stages call ``between`` between short steps. It is one of their inputs, so that it has to be the same object in
    every compile.
    """

    def __init__(
        self, model: MemoryModel, memo: Memo | None = None, between: Callable[[], None] = lambda: None
    ) -> None:
        self._model = model
        self._memo = memo or Memo()
        self._between = between

    def compile(self, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions) -> Plan:
        """A whole new plan, or the last one if nothing changed; ``CompileError`` if there can be none."""
        return self.plan(self._resolved(snapshot, options), self._scheduled(snapshot, options), sizes, options)

    def _resolved(self, snapshot: GraphSnapshot, options: CompileOptions) -> ResolvedGraph:
        resolved = self._memo(resolve, snapshot, options.most_samples, options.most_colors, self._between)
        formats = options.stored_formats
        return self._memo(store_from_compute_shaders, resolved, formats) if formats else resolved

    def _scheduled(self, snapshot: GraphSnapshot, options: CompileOptions) -> ScheduledFrame:
        """The stages up to ``queues``, which do not depend on sizes."""
        run = self._memo
        resolved = self._resolved(snapshot, options)
        instances = run(multiplex, resolved, snapshot)
        needed = run(cull, instances)
        drawn = run(multiview, needed, snapshot.dimensions, options.views)
        ordered = run(order, drawn, options.ordering(), self._between)
        accesses = run(node_accesses, drawn)
        histories = run(access_histories, ordered, accesses)
        queued = run(queues, ordered, histories, options.spreading())
        if queued.graph is not ordered:
            histories = run(access_histories, queued.graph, accesses)
        return ScheduledFrame(queued.graph, histories, queued.plan)

    def plan(self, resolved: ResolvedGraph, frame: ScheduledFrame, sizes: SizeInputs, options: CompileOptions) -> Plan:
        """The stages from ``place`` on."""
        run = self._memo
        required = self._requirements(frame, options.merge)
        placement = run(place, required, sizes.planned(), options.placing(), self._model, self._between)
        if not options.executed:
            return run(Plan, resolved, frame.graph, placement, NO_PASSES, NO_SYNC, NO_OPERATIONS, frame.queues)
        pass_plan = self._passes(frame, required, placement, options.merge)
        submitted = run(submissions, pass_plan, frame.queues, options.sliced)
        barriers = self._barriers(frame, required, placement, pass_plan, submitted, options)
        operations = run(program, frame.graph, pass_plan, barriers, submitted)
        resizable = run(resizable_textures, required, placement) if sizes.dynamic else ()
        resized = run(apply_dynamic_resolution, placement, resizable, sizes)
        return run(Plan, resolved, frame.graph, resized, pass_plan, barriers, operations, frame.queues)

    def _requirements(self, frame: ScheduledFrame, merge: bool) -> Requirements:
        queued = frame.queues
        return self._memo(requirements, frame.graph, frame.histories, queued.execution_intervals, queued.queues, merge)

    def _passes(self, frame: ScheduledFrame, required: Requirements, placement: Placement, merge: bool) -> PassPlan:
        """``passes`` reads from a placement which merge candidates share memory, and nothing else."""
        run = self._memo
        candidates = run(merge_candidates, frame.graph, frame.histories)
        aliasing = run(aliasing_pairs, candidates, placement)
        return run(merge_passes, frame.graph, frame.histories, required.carried_over, aliasing, frame.queues, merge)

    def _barriers(
        self,
        frame: ScheduledFrame,
        required: Requirements,
        placement: Placement,
        pass_plan: PassPlan,
        submitted: Sequence[Submission],
        options: CompileOptions,
    ) -> SyncPlan:
        """``sync`` reads from a placement which copies share bytes: the barriers themselves are derived before that."""
        run, graph, histories = self._memo, frame.graph, frame.histories
        coverage = run(semaphore_coverage, graph, pass_plan, frame.queues, submitted)
        layouts = run(layouts_of, graph, bool(options.unified_layouts))
        splitting = options.splitting()
        derived = run(
            derive_barriers, graph, histories, required, pass_plan, coverage, splitting, None, layouts, self._between
        )
        overlaps = run(byte_overlaps, placement)
        reused = NO_REUSE
        if options.keeps_images:
            reused = run(image_reuse, graph, histories, required, placement, overlaps, frame.queues.queues)
        return run(sync, derived, overlaps, reused)

    def has_packed(self, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions) -> bool:
        """Whether a compile finds its placement remembered; ``CompileError`` if there is no plan."""
        required = self._requirements(self._scheduled(snapshot, options), options.merge)
        return self._memo.knows(place, required, sizes.planned(), options.placing(), self._model, self._between)


def compile_snapshot(snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions, model: MemoryModel) -> Plan:
    """Compile once."""
    return Compiler(model).compile(snapshot, sizes, options)

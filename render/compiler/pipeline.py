"""The compiler: a table of contents of the stages that turn a graph into a plan.

declare -> resolve -> multiplex -> cull -> multiview -> order -> queues -> place -> state -> sync -> program

Each stage is a few pure functions, cut where what goes in and out changes seldom: an edit runs again only those whose
inputs it changes, and a stage whose output is equal to the last one's ends the matter. Stages with ``parts`` do so
for their nodes, names and resources, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renderwright.render.compiler.cull.stage import cull
from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.instances.multiview import multiview
from renderwright.render.compiler.order.stage import order
from renderwright.render.compiler.passes.aliasing_pairs import aliasing_pairs, merge_candidates
from renderwright.render.compiler.passes.stage import state
from renderwright.render.compiler.place.dynamic_resolution import followers, shrink
from renderwright.render.compiler.place.image_reuse import images
from renderwright.render.compiler.place.stage import place
from renderwright.render.compiler.program.stage import program
from renderwright.render.compiler.queues.stage import queues
from renderwright.render.compiler.queues.submissions import submissions
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.resources.access_history import Timeline, timelines
from renderwright.render.compiler.resources.accesses import node_accesses
from renderwright.render.compiler.resources.requirements import Outline, outline
from renderwright.render.compiler.sync.byte_ranges import sharing
from renderwright.render.compiler.sync.semaphore_coverage import semaphore_coverage
from renderwright.render.compiler.sync.stage import derive_barriers, layouts_of, sync
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.incremental.memo import Memo
from renderwright.render.memory.needs import MemoryModel
from renderwright.render.sync.images import APART

__all__ = ["CompileOptions", "Compiler", "GraphSnapshot", "Memo", "Plan", "SizeInputs", "compile_snapshot"]


class Compiler:
    """Compiles again and again, doing only what changed inputs ask for."""

    def __init__(self, model: MemoryModel, memo: Memo | None = None) -> None:
        self._model = model
        self._memo = memo or Memo()

    def compile(self, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions) -> Plan:
        """A whole new plan, or the last one if nothing changed; ``CompileError`` if there can be none."""
        run = self._memo
        resolved = run(resolve, snapshot)
        ordered, times, spread = self._scheduled(snapshot, options)
        shapes = run(outline, ordered, times, spread.windows, spread.queues)
        planned = run(place, shapes, sizes.planned(), options.placing(), self._model)
        # From here on little depends on sizes, and that little is made small: a resize runs no more than it must.
        aliasing = run(aliasing_pairs, run(merge_candidates, ordered, times), planned)
        states = run(state, ordered, times, shapes.lasting, aliasing, spread)
        cuts = run(submissions, states, spread, options.sliced)
        coverage = run(semaphore_coverage, ordered, states, spread, cuts)
        layouts = run(layouts_of, ordered, bool(options.unified_layouts))
        splitting = options.splitting()
        derived = run(derive_barriers, ordered, times, shapes, states, coverage, splitting, None, layouts)
        shared = run(sharing, planned)
        kept = run(images, ordered, times, shapes, planned, shared, spread.queues) if options.keeps_images else APART
        barriers = run(sync, derived, shared, kept)
        operations = run(program, ordered, states, barriers, cuts)
        shrinking = run(followers, shapes, planned) if sizes.dynamic else ()
        placement = run(shrink, planned, shrinking, sizes)
        return run(Plan, resolved, ordered, placement, states, barriers, operations, spread)

    def _scheduled(
        self, snapshot: GraphSnapshot, options: CompileOptions
    ) -> tuple[InstanceGraph, Mapping[str, Timeline], QueuePlan]:
        """The nodes in the order of issue, the timelines of their resources, and the queue of each node."""
        run = self._memo
        instances = run(multiplex, run(resolve, snapshot), snapshot)
        drawn = run(multiview, run(cull, instances), snapshot.dimensions, options.views)
        ordered = run(order, drawn, options.ordering())
        accesses = run(node_accesses, drawn)
        times = run(timelines, ordered, accesses)
        queued = run(queues, ordered, times, options.spreading())
        if queued.graph is not ordered:
            times = run(timelines, queued.graph, accesses)
        return queued.graph, times, queued.plan

    # better packings ------------------------------------------------------------------------------------------------

    def packing_problem(self, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions) -> PackingProblem:
        """What ``place`` has to solve for these inputs; ``CompileError`` if there is no plan."""
        ordered, times, spread = self._scheduled(snapshot, options)
        shapes = self._memo(outline, ordered, times, spread.windows, spread.queues)
        return PackingProblem(shapes, sizes.planned(), options.placing(), self._model)

    def has_solved(self, problem: PackingProblem) -> bool:
        """Whether a compile finds the solution remembered."""
        return self._memo.knows(place, *problem.inputs)

    def learn(self, problem: PackingProblem, placement: Placement) -> None:
        """Have the next compile find a solution that somebody else has computed by ``problem.solve``."""
        self._memo.learn(place, problem.inputs, placement)


@dataclass(frozen=True, eq=False)
class PackingProblem:
    """The inputs of ``place``: what may be solved apart from a compile, on any thread."""

    outline: Outline
    sizes: SizeInputs
    options: CompileOptions
    model: MemoryModel

    @property
    def inputs(self) -> tuple[Outline, SizeInputs, CompileOptions, MemoryModel]:
        """As ``place`` takes them."""
        return self.outline, self.sizes, self.options, self.model

    def solve(self) -> Placement:
        """The placement; ``CompileError`` if there is none."""
        return place(*self.inputs)


def compile_snapshot(snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions, model: MemoryModel) -> Plan:
    """Compile once."""
    return Compiler(model).compile(snapshot, sizes, options)

"""The plan of a frame in which some nodes are skipped: its own passes and barriers, the memory of the whole plan."""

from __future__ import annotations

from dataclasses import dataclass, replace

from renderwright.render.compiler.passes.aliasing_pairs import aliasing_pairs, merge_candidates
from renderwright.render.compiler.passes.stage import state
from renderwright.render.compiler.program.stage import program
from renderwright.render.compiler.queues.skipped_nodes import without_skipped
from renderwright.render.compiler.queues.submissions import submissions
from renderwright.render.compiler.rates import without
from renderwright.render.compiler.resources.access_history import timelines
from renderwright.render.compiler.resources.requirements import Outline, outline
from renderwright.render.compiler.sync.byte_ranges import Sharing, sharing
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage, semaphore_coverage
from renderwright.render.compiler.sync.stage import derive_barriers, steady_states_of, sync
from renderwright.render.compiler.sync.steady_state import SteadyStates
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.queue_plan import QueuePlan


@dataclass(frozen=True)
class Whole:
    """The whole plan and the intermediate results that its partial plans share."""

    plan: Plan
    outline: Outline
    sharing: Sharing
    steady: SteadyStates
    coverage: SemaphoreCoverage | None


def whole_of(plan: Plan) -> Whole:
    """Derives the shared results from the plan."""
    times = timelines(plan.graph)
    shapes = outline(plan.graph, times, plan.queues.windows, plan.queues.queues)
    steady = steady_states_of(plan.graph, times, shapes, plan.state, plan.sync.layouts)
    coverage = semaphore_coverage(plan.graph, plan.state, plan.queues, plan.program.submissions)
    return Whole(plan, shapes, sharing(plan.placement), steady, coverage)


class PartialPlans:
    """The partial plans of one whole plan, compiled on demand; the last ``KEPT`` are remembered."""

    KEPT = 16

    def __init__(self, plan: Plan) -> None:
        self.whole = plan
        self._shared: Whole | None = None
        self._known: dict[frozenset[str], Plan] = {}

    def plan(self, skipped: frozenset[str], whole: Plan | None = None) -> Plan:
        """The plan of a frame in which the ``skipped`` node instances (by id) do not run.

        ``whole`` is the whole plan at another dynamic resolution, if the frame has one.
        """
        whole = whole or self.whole
        if not skipped:
            return whole
        plan = self._known.pop(skipped, None)
        if plan is None:
            if self._shared is None:
                self._shared = whole_of(self.whole)
            plan = partial_plan(self._shared, skipped)
            if len(self._known) >= self.KEPT:
                del self._known[next(iter(self._known))]
        self._known[skipped] = plan
        if plan.placement is not whole.placement:
            return replace(plan, placement=whole.placement)
        return plan


def partial_plan(whole: Whole, skipped: frozenset[str]) -> Plan:
    """The whole plan without the ``skipped`` node instances (by id)."""
    plan = whole.plan
    graph = without(plan.graph, skipped)
    running = [number for number, node in enumerate(plan.graph.nodes) if node.id not in skipped]
    times = timelines(graph, whole=plan.graph)
    spread = _queues(plan, skipped)
    aliasing = aliasing_pairs(merge_candidates(graph, times), plan.placement)
    states = state(graph, times, whole.outline.lasting, aliasing, spread)
    cuts = submissions(states, spread)
    coverage = whole.coverage.without(plan.state, states, running) if whole.coverage is not None else None
    splitting, layouts = plan.sync.splitting, plan.sync.layouts
    derived = derive_barriers(graph, times, whole.outline, states, coverage, splitting, whole.steady, layouts)
    barriers = sync(derived, whole.sharing, plan.sync.images)
    operations = program(graph, states, barriers, cuts)
    return replace(plan, graph=graph, state=states, sync=barriers, program=operations, queues=spread)


def _queues(plan: Plan, skipped: frozenset[str]) -> QueuePlan:
    """The queues of the running nodes; nodes that record nothing neither wait nor are waited for."""
    nodes = plan.graph.nodes
    silent = {number for number, node in enumerate(nodes) if not node.records}
    return without_skipped(plan.queues, [node.id not in skipped for node in nodes], silent)

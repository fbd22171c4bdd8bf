"""The plan of a frame in which some nodes are skipped: its own passes and barriers, the memory of the whole plan."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from renderwright.render.compiler.passes.aliasing_pairs import aliasing_pairs, merge_candidates
from renderwright.render.compiler.passes.stage import merge_passes
from renderwright.render.compiler.program.stage import program
from renderwright.render.compiler.queues.skipped_nodes import without_skipped
from renderwright.render.compiler.queues.submissions import submissions
from renderwright.render.compiler.rates import without
from renderwright.render.compiler.resources.access_history import access_histories
from renderwright.render.compiler.resources.requirements import Requirements, requirements
from renderwright.render.compiler.sync.byte_ranges import ByteOverlaps, byte_overlaps
from renderwright.render.compiler.sync.pass_accesses import accesses_by_pass
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage, semaphore_coverage
from renderwright.render.compiler.sync.stage import barrier_steps, sync
from renderwright.render.compiler.sync.steady_state import SteadyStates, steady_states
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.steps import all_of


@dataclass(frozen=True)
class SharedResults:
    """The whole plan and the intermediate results that its partial plans share."""

    plan: Plan
    requirements: Requirements
    overlaps: ByteOverlaps
    steady: SteadyStates
    coverage: SemaphoreCoverage | None


def shared_results(plan: Plan) -> Generator[None, None, SharedResults]:
    """Derives the shared results from the plan, a stage at a time."""
    histories = access_histories(plan.graph)
    yield
    intervals, merges = plan.queues.execution_intervals, plan.pass_plan.merges
    required = requirements(plan.graph, histories, intervals, plan.queues.queues, merges)
    yield
    accesses = accesses_by_pass(plan.graph, histories, ProgramPoints(plan.pass_plan), plan.sync.layouts)
    yield
    steady = steady_states(plan.graph, required.carried_over, accesses)
    coverage = semaphore_coverage(plan.graph, plan.pass_plan, plan.queues, plan.program.submissions)
    return SharedResults(plan, required, byte_overlaps(plan.placement), steady, coverage)


class PartialPlans:
    """The partial plans of one whole plan, compiled on demand; the last ``KEPT`` are remembered.

    Several threads may ask for plans.
    """

    KEPT = 16

    def __init__(self, plan: Plan) -> None:
        self.whole = plan
        self._shared: SharedResults | None = None
        self._known: dict[frozenset[str], Plan] = {}
        self._lock = threading.Lock()

    def knows(self, skipped: frozenset[str]) -> bool:
        """Whether the plan without these nodes needs no compile."""
        return not skipped or skipped in self._known

    def latest(self, count: int) -> tuple[frozenset[str], ...]:
        """The sets of skipped nodes that were asked for last, at most so many."""
        with self._lock:
            return tuple(reversed(self._known))[:count]

    def plan(
        self, skipped: frozenset[str], whole: Plan | None = None, between: Callable[[], None] = lambda: None
    ) -> Plan:
        """The plan of a frame in which the ``skipped`` node instances (by id) do not run.

        ``whole`` is the whole plan at another dynamic resolution, if the frame has one. ``between`` is called between
        the stages of a compile; its exceptions end that.
        """
        whole = whole or self.whole
        if not skipped:
            return whole
        plan = all_of(self.steps(skipped), between)
        if plan.placement is not whole.placement:
            return replace(plan, placement=whole.placement)
        return plan

    def steps(self, skipped: frozenset[str]) -> Generator[None, None, Plan]:
        """The plan without these nodes, in short steps if it is not known."""
        if not skipped:
            return self.whole
        plan = self._known.get(skipped)
        if plan is None:
            if self._shared is None:
                self._shared = yield from shared_results(self.whole)
            yield
            plan = yield from partial_plan(self._shared, skipped)
        with self._lock:
            self._known.pop(skipped, None)
            if len(self._known) >= self.KEPT:
                del self._known[next(iter(self._known))]
            self._known[skipped] = plan
        return plan


def partial_plan(whole: SharedResults, skipped: frozenset[str]) -> Generator[None, None, Plan]:
    """The whole plan without the ``skipped`` node instances (by id), in short steps."""
    plan = whole.plan
    graph = without(plan.graph, skipped)
    yield
    running = [number for number, node in enumerate(plan.graph.nodes) if node.id not in skipped]
    histories = access_histories(graph, whole=plan.graph)
    yield
    queue_plan = _queues(plan, skipped)
    aliasing = aliasing_pairs(merge_candidates(graph, histories), plan.placement)
    yield
    pass_plan = merge_passes(
        graph, histories, whole.requirements.carried_over, aliasing, queue_plan, plan.pass_plan.merges
    )
    submitted = submissions(pass_plan, queue_plan)
    coverage = whole.coverage.without(plan.pass_plan, pass_plan, running) if whole.coverage is not None else None
    yield
    splitting, layouts = plan.sync.splitting, plan.sync.layouts
    derived = yield from barrier_steps(
        graph, histories, whole.requirements, pass_plan, coverage, splitting, whole.steady, layouts
    )
    yield
    barriers = sync(derived, whole.overlaps, plan.sync.image_reuse)
    yield
    operations = program(graph, pass_plan, barriers, submitted)
    return replace(plan, graph=graph, pass_plan=pass_plan, sync=barriers, program=operations, queues=queue_plan)


def _queues(plan: Plan, skipped: frozenset[str]) -> QueuePlan:
    """The queues of the running nodes; nodes that record nothing neither wait nor are waited for."""
    nodes = plan.graph.nodes
    silent = {number for number, node in enumerate(nodes) if not node.records}
    return without_skipped(plan.queues, [node.id not in skipped for node in nodes], silent)

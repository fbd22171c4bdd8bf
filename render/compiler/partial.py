"""The plan of a frame in which some nodes rest: other passes and barriers than the whole plan's, the same memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

from renderwright.render.compiler.passes.aliasing_pairs import clashes, encounters
from renderwright.render.compiler.passes.stage import state
from renderwright.render.compiler.program.stage import program
from renderwright.render.compiler.queues.submissions import submissions
from renderwright.render.compiler.rates import without
from renderwright.render.compiler.resources.access_history import timelines
from renderwright.render.compiler.resources.accesses import stretches
from renderwright.render.compiler.resources.requirements import Outline, outline
from renderwright.render.compiler.sync.aliasing import Sharing, sharing
from renderwright.render.compiler.sync.derivation import flows
from renderwright.render.compiler.sync.histories import lives
from renderwright.render.compiler.sync.program_points import Clock
from renderwright.render.compiler.sync.semaphore_coverage import Waited, waited
from renderwright.render.compiler.sync.stage import sync
from renderwright.render.compiler.sync.steady_state import Rest, rest_of
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.sync.barriers import Splitting


@dataclass(frozen=True)
class Whole:
    """What a partial plan takes over from the whole plan."""

    plan: Plan
    outline: Outline
    sharing: Sharing
    rest: Rest
    splitting: Splitting
    waited: Waited | None


def whole_of(plan: Plan) -> Whole:
    """Derives it from the plan."""
    times = timelines(plan.graph)
    shapes = outline(plan.graph, times, plan.queues.windows, plan.queues.queues)
    rest = rest_of(plan.graph, shapes.lasting, lives(plan.graph, times, Clock(plan.state), None, plan.sync.layouts))
    over = waited(plan.graph, plan.state, plan.queues, plan.program.submissions)
    return Whole(plan, shapes, sharing(plan.placement), rest, plan.sync.splitting, over)


class PartialPlans:
    """The plans of one whole plan, compiled when they are asked for; the last ``KEPT`` are remembered."""

    KEPT = 16

    def __init__(self, plan: Plan) -> None:
        self.whole = plan
        self._parts: Whole | None = None
        self._known: dict[frozenset[str], Plan] = {}

    def plan(self, resting: frozenset[str], whole: Plan | None = None) -> Plan:
        """The plan of a frame in which the ``resting`` node instances do not run.

        ``whole`` is the whole plan at another dynamic resolution, where that is wanted.
        """
        whole = whole or self.whole
        if not resting:
            return whole
        plan = self._known.pop(resting, None)
        if plan is None:
            if self._parts is None:
                self._parts = whole_of(self.whole)
            plan = partial_plan(self._parts, resting)
            if len(self._known) >= self.KEPT:
                del self._known[next(iter(self._known))]
        self._known[resting] = plan
        if plan.placement is not whole.placement:
            return replace(plan, placement=whole.placement)
        return plan


def partial_plan(whole: Whole, resting: frozenset[str]) -> Plan:
    """The whole plan without the ``resting`` node instances."""
    placement = whole.plan.placement
    graph = without(whole.plan.graph, resting)
    alike = stretches(graph)
    times = timelines(graph, alike, whole=whole.plan.graph)
    sharers = clashes(encounters(alike, times), placement)
    running = {node.id for node in graph.nodes}
    nodes = whole.plan.graph.nodes
    silent = {number for number, node in enumerate(nodes) if not node.records}
    spread = whole.plan.queues.keeping([node.id in running for node in nodes], silent)
    states = state(graph, times, alike, whole.outline.lasting, sharers, spread)
    over = whole.waited
    if over is not None:
        numbers = [number for number, node in enumerate(nodes) if node.id in running]
        over = over.without(whole.plan.state, states, numbers)
    chains = flows(graph, times, whole.outline, states, over, whole.splitting, whole.rest, whole.plan.sync.layouts)
    barriers = sync(chains, whole.sharing, whole.plan.sync.images)
    operations = program(graph, states, barriers, submissions(states, spread))
    return replace(whole.plan, graph=graph, state=states, sync=barriers, program=operations, queues=spread)

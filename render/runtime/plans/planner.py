"""Makes prepared plans, at once or beside the frames, and chooses their packing policy.

The first plan uses the packing policy of the options. Later plans are packed ``FAST`` unless a better packing is
remembered. With ``repack`` a thread then searches for a better packing and a better order, which take over if they save
enough.

While the worker and the search use a compiler each, the render thread has a third one for resizes and steps of the
dynamic resolution.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.memory.needs import MemoryModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.order_search.better_order import heap_bytes
from renderwright.render.runtime.blame import breaking, rejected
from renderwright.render.runtime.failures import NodeFailure, NodesFailedError
from renderwright.render.runtime.pipelines import PipelineCache
from renderwright.render.runtime.plans.beside import Beside, Stop, Worker
from renderwright.render.runtime.plans.compilers import Compilers
from renderwright.render.runtime.plans.plan_memory import PlanMemory
from renderwright.render.runtime.plans.prepared_plan import CompileRequest, PreparedPlan
from renderwright.render.runtime.plans.smaller_plans import WORTH, KnownOrders, SmallerPlans
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler
from renderwright.render.runtime.right_of_way import RightOfWay
from renderwright.render.runtime.skipping.skipped_alike import skipped_alike
from renderwright.render.runtime.spans import Spans

log = logging.getLogger("renderwright.runtime")

Judge = Callable[[Plan], None]

LIKELY = 4
"""Sets of skipped nodes that a new plan has partial plans for, in case that its frames skip what those before did."""


@dataclass(frozen=True, eq=False)
class _Job:
    """A plan to be made on the worker.

    Partial plans are made for the sets of skipped nodes that frames of the plan ``before`` have had of late. A plan
    that is ``remembered`` lacks only its pipelines, most of which exist.
    """

    request: CompileRequest
    compiler: StepwiseCompiler
    before: PreparedPlan
    remembered: PreparedPlan | None


class Planner:
    """Makes the plans of one graph.

    ``repack`` enables the search for better packings and orders of each new plan. ``judge`` checks every new
    plan before its first frame, perhaps on the worker, and raises to reject it. With a ``worker``, plans can be made
    beside the frames.
    """

    def __init__(
        self,
        model: MemoryModel,
        pipelines: PipelineCache,
        spans: Spans | None = None,
        *,
        repack: bool,
        judge: Judge | None = None,
        worker: Worker | None = None,
    ) -> None:
        self._model = model
        self._spans = spans or Spans()
        self._compilers = Compilers(model)
        self._pipelines = pipelines
        self._judge = judge
        self._memory = PlanMemory()
        self._worker = worker
        self._beside = Beside(worker, self._make) if worker is not None else None
        self._newest: CompileRequest | None = None
        self._orders = KnownOrders()
        self._search: SmallerPlans | None = None
        if repack:
            self._search = SmallerPlans(worker.right_of_way if worker is not None else RightOfWay())

    # at once --------------------------------------------------------------------------------------------------------

    def at_once(self, request: CompileRequest, running: PreparedPlan | None) -> PreparedPlan:
        """Make the plan of a request on this thread; ``running`` is the previous plan."""
        return self._noted(self._made(self._in_known_order(request, running), running), running)

    def _in_known_order(self, request: CompileRequest, running: PreparedPlan | None) -> CompileRequest:
        """The request in the order of the running plan, if that has the same structure, else in a remembered one."""
        if running is not None and request.same_structure(running.request):
            return replace(request, preferred=running.request.preferred)
        return self._orders.applied(request)

    def _made(
        self, request: CompileRequest, like: PreparedPlan | None, compiler: StepwiseCompiler | None = None
    ) -> PreparedPlan:
        """The plan of a request; ``like`` is the plan to reuse pipelines and memoised stages from, ``compiler`` the one
        to use if it is not free to choose."""
        made = self._remembered(request)
        if made is None:
            compiler = compiler or self._free_compiler(like)
            plan = self._spans.call("compile", _compiled, compiler, request, fast=like is not None)
            _require_no_mistakes(plan, request)
            if self._judge is not None and (like is None or plan is not like.plan):
                self._judge(plan)
            made = PreparedPlan(request, PartialPlans(plan), {}, compiler)
            self._memory.keep(made)
        if like is not None and _differs_in_resolution(request, like):
            return replace(made, pipelines=like.pipelines)
        return replace(made, pipelines=self._spans.call("pipelines", self._pipelines.load, made.plan, request.declared))

    def at_hand(self, request: CompileRequest, running: PreparedPlan) -> PreparedPlan | None:
        """The plan of a request if it is remembered and all its pipelines exist, else None.

        Looking up the pipelines of another structure takes a part of a frame; ``want`` does it beside the frames.
        """
        made = self._remembered(request)
        if made is None:
            return None
        goes_on = made.plan is running.plan and request.shaders == running.request.shaders
        known = running.request.declared if goes_on else {}
        anew = {name for name, node in request.declared.items() if node is not known.get(name)}
        pipelines = self._pipelines.at_hand(made.plan, request.declared, anew)
        if pipelines is None:
            return None
        everything = {**running.pipelines, **pipelines} if goes_on else pipelines
        return self._noted(replace(made, pipelines=everything), running)

    def _remembered(self, request: CompileRequest) -> PreparedPlan | None:
        """The remembered plan of a request, in the order that it has, without its pipelines; None if there is none."""
        known = self._memory.find(request)
        if known is None:
            return None
        entry, partial = known
        return PreparedPlan(replace(request, preferred=entry.preferred), partial, {}, entry.compiler)

    def _free_compiler(self, running: PreparedPlan | None) -> StepwiseCompiler:
        """A compiler that no other thread uses; preferably the running plan's, which has its stages memoised."""
        busy = self._busy_compilers()
        if running is not None and running.compiler not in busy:
            return running.compiler
        return self._compilers.free(busy)

    def _busy_compilers(self) -> list[StepwiseCompiler]:
        """The compilers that other threads use, or are about to use."""
        jobs = (self._beside.under_way, self._beside.wanted) if self._beside is not None else ()
        return [job.compiler for job in jobs if job is not None] + (self._search.compilers if self._search else [])

    def _compiler_beside(self, running: PreparedPlan) -> StepwiseCompiler:
        """A compiler for work beside the frames of the running plan."""
        return self._compilers.free([running.compiler, *self._busy_compilers()])

    def _noted(self, made: PreparedPlan, running: PreparedPlan | None) -> PreparedPlan:
        """Start the search for a smaller plan than the one about to run, if its packing is new."""
        if self._search is not None:
            heaps = running.plan.placement.heaps if running is not None else None
            if made.plan.placement.heaps is not heaps:
                self._search.want(made.request, self._compiler_beside(made))
        return made

    def breaking(self, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions) -> NodeFailure | None:
        """The node of a plugin that makes the compiler raise what no rule of ours foresees, if there is one."""
        fast = replace(options, packing=PackPolicy.FAST)
        return breaking(snapshot, lambda some: compile_snapshot(some, sizes, fast, self._model))

    # beside ---------------------------------------------------------------------------------------------------------

    @property
    def can_wait(self) -> bool:
        """Whether plans can be made beside the frames."""
        return self._beside is not None

    @property
    def seconds_a_frame(self) -> float:
        """How long the render thread prepares a plan behind each frame, before it takes over; 0 for at once."""
        return self._worker.seconds_a_frame if self._worker is not None else 0.0

    @property
    def pending(self) -> bool:
        """Whether a plan is being made beside the frames, or is ready to be taken."""
        return self._beside is not None and self._beside.wanted is not None

    def want(self, request: CompileRequest, running: PreparedPlan) -> None:
        """Make a plan beside the frames, replacing any other request. A compile of the same structure continues."""
        assert self._beside is not None
        self._newest = request = self._in_known_order(request, running)
        job = self._beside.wanted
        if job is None or not job.request.same_structure(request):
            compiler, known = self._compiler_beside(running), self._remembered(request)
            self._beside.want(_Job(request, compiler, running, known))

    def drop(self) -> None:
        """Cancel the compile beside the frames."""
        if self._beside is not None:
            self._beside.want(None)

    def ended(self) -> bool:
        """Whether the compile beside the frames has ended, with a plan whose pipelines are ready, or an error."""
        return self._beside is not None and self._beside.ended() and self._pipelines.prepared()

    def take(self, running: PreparedPlan) -> PreparedPlan:
        """The requested plan, placed again if sizes have changed since. Raises the error of a failed compile."""
        assert self._beside is not None
        assert self._newest is not None
        made = self._beside.take()
        assert made is not None
        self._memory.keep(made)
        if made.request is not self._newest:
            made = self._made(self._newest, made)
        return self._noted(made, running)

    def _make(self, job: _Job, stop: Stop) -> PreparedPlan:
        """On the worker: the plan and its pipelines."""
        made = job.remembered or self._compiled_beside(job, stop)
        pipelines = self._pipelines.prepare(made.plan, made.request.declared, stop)
        ready = replace(made, pipelines=pipelines)
        for skipped in reversed(job.before.partial.latest(LIKELY)):
            for some in skipped_alike(job.before.rates, skipped, ready.rates):
                ready.partial.plan(some, between=stop.check)
        return ready

    def _compiled_beside(self, job: _Job, stop: Stop) -> PreparedPlan:
        """On the worker: the plan without its pipelines."""
        with job.compiler.steps(stop.check):
            plan = _compiled(job.compiler, job.request, fast=True)
        _require_no_mistakes(plan, job.request)
        stop.check()
        if self._judge is not None:
            self._judge(plan)
        return PreparedPlan(job.request, PartialPlans(plan), {}, job.compiler)

    # smaller plans --------------------------------------------------------------------------------------------------

    def better(self, running: PreparedPlan) -> PreparedPlan | None:
        """The running plan in a packing and an order that save at least ``WORTH``; None until they are found.

        Re-raises errors of the search.
        """
        found = self._search.take() if self._search is not None else None
        if found is None:
            return None
        before, after = heap_bytes(running.plan), heap_bytes(found.plan)
        worth_it = after <= before * (1.0 - WORTH)
        order = "in another order" if found.request.preferred is not None else "in the policy's order"
        adopted = "adopted" if worth_it else "not adopted"
        log.debug("repacking: %d bytes instead of %d %s, %s", after, before, order, adopted)
        if not worth_it:
            return None
        self._orders.learn(found.request)
        self._memory.forget(running.request)
        request = replace(running.request, preferred=found.request.preferred)
        if request.same_structure(found.request) and request.sizes == found.request.sizes:
            # The search has the plan; its compiler may have forgotten the stages since, and takes long to find them.
            if self._judge is not None:
                self._judge(found.plan)
            self._memory.keep(PreparedPlan(request, PartialPlans(found.plan), {}, found.compiler))
        return self._made(request, running, found.compiler)

    # the end --------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Wait for the compile beside the frames, if any."""
        if self._beside is not None:
            self._beside.wait()

    def finish_repacking(self) -> None:
        """Wait for the search for a smaller plan, if any."""
        if self._search is not None:
            self._search.wait()

    def close(self) -> None:
        """End both threads."""
        for beside in (self._beside, self._search):
            if beside is not None:
                beside.close()


def _differs_in_resolution(request: CompileRequest, like: PreparedPlan) -> bool:
    """Whether a request differs at most in dynamic resolutions, so that the pipelines stay the same."""
    other = like.request
    alike = request.sizes.planned() == other.sizes.planned() and request.declared is other.declared
    return alike and request.same_structure(other)


def _require_no_mistakes(plan: Plan, request: CompileRequest) -> None:
    """Raise ``NodesFailedError`` if nodes of plugins have been removed for mistakes of their own."""
    failures = rejected(plan, request.declared)
    if failures:
        raise NodesFailedError(failures)


def _compiled(compiler: StepwiseCompiler, request: CompileRequest, *, fast: bool) -> Plan:
    """The plan, packed ``FAST`` if it has to be and no better packing is known."""
    options = replace(request.options, preferred=request.preferred)
    if fast and not compiler.has_packed(request.snapshot, request.sizes, options):
        options = replace(options, packing=PackPolicy.FAST)
    return compiler.compile(request.snapshot, request.sizes, options)

"""Makes prepared plans, at once or beside the frames, and chooses their packing policy.

The first plan uses the packing policy of the options. Later plans are packed ``FAST`` unless a better packing is
remembered; with ``repack`` a thread then searches for a better one, which takes over if it saves enough.

There are two compilers because a compiler's memo belongs to one thread at a time: while the worker uses one, the
render thread has the other for resizes and steps of the dynamic resolution.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from renderwright.render.compiler.pipeline import Compiler, PackingProblem
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.memory.needs import MemoryModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.beside import Beside, Stop, ThreadWorker, Worker
from renderwright.render.runtime.blame import rejected
from renderwright.render.runtime.failures import NodesFailedError
from renderwright.render.runtime.pipelines import PipelineCache
from renderwright.render.runtime.plan_memory import PlanMemory
from renderwright.render.runtime.prepared_plan import CompileRequest, PreparedPlan
from renderwright.render.runtime.stepwise import StepwiseCompiler

WORTH = 0.02
"""The fraction of heap bytes that a better packing has to save to be adopted."""

log = logging.getLogger("renderwright.runtime")

Judge = Callable[[Plan], None]


@dataclass(frozen=True, eq=False)
class _Job:
    """A compile on the worker."""

    request: CompileRequest
    compiler: StepwiseCompiler


class Planner:
    """Makes the plans of one graph.

    ``repack`` enables the search for better packings of plans that were packed ``FAST``. ``judge`` checks every new
    plan before its first frame, perhaps on the worker, and raises to reject it. With a ``worker``, plans can be made
    beside the frames.
    """

    def __init__(
        self,
        model: MemoryModel,
        pipelines: PipelineCache,
        *,
        repack: bool,
        judge: Judge | None = None,
        worker: Worker | None = None,
    ) -> None:
        self._compilers = (StepwiseCompiler(model), StepwiseCompiler(model))
        self._pipelines = pipelines
        self._judge = judge
        self._memory = PlanMemory()
        self._beside = Beside(worker, self._make) if worker is not None else None
        self._newest: CompileRequest | None = None
        self._repacker: Beside[PackingProblem, Placement] | None = None
        if repack:
            self._repacker = Beside(ThreadWorker("renderwright repacking"), lambda problem, stop: problem.solve())

    # at once --------------------------------------------------------------------------------------------------------

    def at_once(self, request: CompileRequest, running: PreparedPlan | None) -> PreparedPlan:
        """Make the plan of a request on this thread; ``running`` is the previous plan."""
        return self._noted(self._made(request, running), running)

    def _made(self, request: CompileRequest, like: PreparedPlan | None) -> PreparedPlan:
        """The plan of a request; ``like`` is the plan to reuse pipelines and memoised stages from."""
        known = self._memory.find(request)
        if known is not None:
            entry, plan = known
            made = PreparedPlan(request, plan, {}, entry.compiler, entry.problem)
        else:
            compiler = self._free_compiler(like)
            plan, problem = _compiled(compiler, request, fast=like is not None)
            _require_no_mistakes(plan, request)
            if self._judge is not None and (like is None or plan is not like.plan):
                self._judge(plan)
            made = PreparedPlan(request, plan, {}, compiler, problem)
            self._memory.keep(made)
        if like is not None and _differs_in_resolution(request, like):
            return replace(made, pipelines=like.pipelines)
        return replace(made, pipelines=self._pipelines.load(plan, request.declared))

    def at_hand(self, request: CompileRequest, running: PreparedPlan) -> PreparedPlan | None:
        """The plan of a request if it is remembered and all its pipelines exist, else None."""
        known = self._memory.find(request)
        if known is None:
            return None
        entry, plan = known
        pipelines = self._pipelines.at_hand(plan, request.declared)
        if pipelines is None:
            return None
        return self._noted(PreparedPlan(request, plan, pipelines, entry.compiler, entry.problem), running)

    def _free_compiler(self, running: PreparedPlan | None) -> Compiler:
        """A compiler that the worker does not use; preferably the running plan's, which has its stages memoised."""
        first, second = self._compilers
        preferred = running.compiler if running is not None else first
        busy = self._beside.under_way if self._beside is not None else None
        if busy is None or busy.compiler is not preferred:
            return preferred
        return second if preferred is first else first

    def _noted(self, made: PreparedPlan, running: PreparedPlan | None) -> PreparedPlan:
        """Start the search for a better packing of a plan about to run, if its packing is new."""
        if self._repacker is not None:
            heaps = running.plan.placement.heaps if running is not None else None
            if made.plan.placement.heaps is not heaps:
                self._repacker.want(made.problem)
        return made

    # beside ---------------------------------------------------------------------------------------------------------

    @property
    def can_wait(self) -> bool:
        """Whether plans can be made beside the frames."""
        return self._beside is not None

    @property
    def pending(self) -> bool:
        """Whether a plan is being made beside the frames, or is ready to be taken."""
        return self._beside is not None and self._beside.wanted is not None

    def want(self, request: CompileRequest, running: PreparedPlan) -> None:
        """Make a plan beside the frames, replacing any other request. A compile of the same structure continues."""
        assert self._beside is not None
        self._newest = request
        job = self._beside.wanted
        if job is None or not job.request.same_structure(request):
            first, second = self._compilers
            self._beside.want(_Job(request, second if running.compiler is first else first))

    def drop(self) -> None:
        """Cancel the compile beside the frames."""
        if self._beside is not None:
            self._beside.want(None)

    def ended(self) -> bool:
        """Whether the compile beside the frames has ended, with a plan or an error."""
        return self._beside is not None and self._beside.ended()

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
        with job.compiler.steps(stop.check):
            plan, problem = _compiled(job.compiler, job.request, fast=True)
        _require_no_mistakes(plan, job.request)
        stop.check()
        if self._judge is not None:
            self._judge(plan)
        pipelines = self._pipelines.prepare(plan, job.request.declared, stop)
        return PreparedPlan(job.request, plan, pipelines, job.compiler, problem)

    # better packings ------------------------------------------------------------------------------------------------

    def better(self, running: PreparedPlan) -> PreparedPlan | None:
        """The running plan in a better packing that saves at least ``WORTH``; None until one is found.

        Re-raises errors of the search.
        """
        if self._repacker is None or not self._repacker.ended():
            return None
        problem, placement = self._repacker.wanted, self._repacker.take()
        assert problem is not None
        assert placement is not None
        before, after = _bytes(running.plan.placement), _bytes(placement)
        worth_it = after <= before * (1.0 - WORTH)
        log.debug("repacking: %d bytes instead of %d, %s", after, before, "adopted" if worth_it else "not adopted")
        if not worth_it:
            return None
        self._memory.forget(running.request)
        self._free_compiler(running).learn(problem, placement)
        return self.at_once(running.request, running)

    # the end --------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Wait for the compile beside the frames, if any."""
        if self._beside is not None:
            self._beside.wait()

    def finish_repacking(self) -> None:
        """Wait for the search for a better packing, if any."""
        if self._repacker is not None:
            self._repacker.wait()

    def close(self) -> None:
        """End both threads."""
        for beside in (self._beside, self._repacker):
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


def _compiled(compiler: Compiler, request: CompileRequest, *, fast: bool) -> tuple[Plan, PackingProblem | None]:
    """The plan, and its packing problem if it was packed ``FAST`` and no better packing is known."""
    options, problem = request.options, None
    if fast and options.packing is not PackPolicy.FAST:
        problem = compiler.packing_problem(request.snapshot, request.sizes, options)
        if compiler.has_solved(problem):
            problem = None
        else:
            options = replace(options, packing=PackPolicy.FAST)
    return compiler.compile(request.snapshot, request.sizes, options), problem


def _bytes(placement: Placement) -> int:
    return sum(heap.size for heap in placement.heaps)

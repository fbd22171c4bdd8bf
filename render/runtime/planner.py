"""Makes prepared plans, at once or beside the frames, and says how much work their packing may be.

The first plan is packed as the options say. A change in mid-run is packed ``FAST``, unless the better packing is
remembered; a thread then looks for the better one, which takes over if it saves enough.

Two compilers take turns, because a compiler's memory belongs to one thread at a time: while the worker uses one, the
thread that renders has the other for resizes and steps of the dynamic resolution.
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
from renderwright.render.runtime.pipelines import PipelineCache
from renderwright.render.runtime.plan_memory import PlanMemory
from renderwright.render.runtime.prepared_plan import CompileRequest, PreparedPlan

WORTH = 0.02
"""The share of the heaps' bytes that a better packing has to save to be worth the move."""

log = logging.getLogger("renderwright.runtime")

Judge = Callable[[Plan], None]


@dataclass(frozen=True, eq=False)
class _Job:
    """A compile on the worker."""

    request: CompileRequest
    compiler: Compiler


class Planner:
    """Makes the plans of one graph.

    ``repack`` says whether to look for better packings of what was packed fast. ``judge`` is shown every new plan
    before its first frame, and raises if it is not to run; the worker may call it. With a ``worker``, plans can be made
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
        self._compilers = (Compiler(model), Compiler(model))
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
        """Make the plan of a request on this thread; ``running`` is the plan before it."""
        return self._noted(self._made(request, running), running)

    def _made(self, request: CompileRequest, like: PreparedPlan | None) -> PreparedPlan:
        """The plan of a request, which may be ``like`` another one in all but sizes."""
        known = self._memory.find(request)
        if known is not None:
            entry, plan = known
            made = PreparedPlan(request, plan, {}, entry.compiler, entry.problem)
        else:
            compiler = self._free_compiler(like)
            plan, problem = _compiled(compiler, request, fast=like is not None)
            if self._judge is not None and (like is None or plan is not like.plan):
                self._judge(plan)
            made = PreparedPlan(request, plan, {}, compiler, problem)
            self._memory.keep(made)
        if like is not None and _differs_in_resolution(request, like):
            return replace(made, pipelines=like.pipelines)
        return replace(made, pipelines=self._pipelines.load(plan, request.declared))

    def at_hand(self, request: CompileRequest, running: PreparedPlan) -> PreparedPlan | None:
        """The plan of a request if it is remembered and all of its pipelines are there; None if not."""
        known = self._memory.find(request)
        if known is None:
            return None
        entry, plan = known
        pipelines = self._pipelines.at_hand(plan, request.declared)
        if pipelines is None:
            return None
        return self._noted(PreparedPlan(request, plan, pipelines, entry.compiler, entry.problem), running)

    def _free_compiler(self, running: PreparedPlan | None) -> Compiler:
        """A compiler that the worker does not use; that of the ``running`` plan if possible, which knows its stages."""
        first, second = self._compilers
        wanted = running.compiler if running is not None else first
        busy = self._beside.under_way if self._beside is not None else None
        if busy is None or busy.compiler is not wanted:
            return wanted
        return second if wanted is first else first

    def _noted(self, made: PreparedPlan, running: PreparedPlan | None) -> PreparedPlan:
        """A plan that is about to run: look for a better packing if its packing is a new one."""
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
        """Whether a plan is being made beside the frames, or waits to be taken."""
        return self._beside is not None and self._beside.wanted is not None

    def want(self, request: CompileRequest, running: PreparedPlan) -> None:
        """Make a plan beside the frames, in place of any other. A compile of the same structure goes on."""
        assert self._beside is not None
        self._newest = request
        wanted = self._beside.wanted
        if wanted is None or not wanted.request.same_structure(request):
            first, second = self._compilers
            self._beside.want(_Job(request, second if running.compiler is first else first))

    def drop(self) -> None:
        """Want no plan from beside the frames any more."""
        if self._beside is not None:
            self._beside.want(None)

    def ended(self) -> bool:
        """Whether the plan that is wanted can be taken, or the reason why there is none."""
        return self._beside is not None and self._beside.ended()

    def take(self, running: PreparedPlan) -> PreparedPlan:
        """The plan that was wanted, for the sizes that are wanted by now. Raises why there is none."""
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
        plan, problem = _compiled(job.compiler, job.request, fast=True)
        stop.check()
        if self._judge is not None:
            self._judge(plan)
        pipelines = self._pipelines.prepare(plan, job.request.declared, stop)
        return PreparedPlan(job.request, plan, pipelines, job.compiler, problem)

    # better packings ------------------------------------------------------------------------------------------------

    def better(self, running: PreparedPlan) -> PreparedPlan | None:
        """The plan that runs, in a better packing that is worth its move; None as long as none has been found.

        Raises what the search for it raised.
        """
        if self._repacker is None or not self._repacker.ended():
            return None
        problem, placement = self._repacker.wanted, self._repacker.take()
        assert problem is not None
        assert placement is not None
        before, after = _bytes(running.plan.placement), _bytes(placement)
        worth_it = after <= before * (1.0 - WORTH)
        log.debug("a better packing has %d bytes, not %d: %s", after, before, "taken" if worth_it else "left")
        if not worth_it:
            return None
        self._memory.forget(running.request)
        self._free_compiler(running).learn(problem, placement)
        return self.at_once(running.request, running)

    # the end --------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Wait until the compile beside the frames, if there is one, has ended."""
        if self._beside is not None:
            self._beside.wait()

    def finish_repacking(self) -> None:
        """Wait until the search for a better packing, if there is one, has ended."""
        if self._repacker is not None:
            self._repacker.wait()

    def close(self) -> None:
        """Leave no thread behind."""
        for beside in (self._beside, self._repacker):
            if beside is not None:
                beside.close()


def _differs_in_resolution(request: CompileRequest, like: PreparedPlan) -> bool:
    """Whether a request differs in dynamic resolutions at most, so that the pipelines are the same."""
    other = like.request
    alike = request.sizes.planned() == other.sizes.planned() and request.declared is other.declared
    return alike and request.same_structure(other)


def _compiled(compiler: Compiler, request: CompileRequest, *, fast: bool) -> tuple[Plan, PackingProblem | None]:
    """The plan, and its packing problem if the packing was ``fast`` and a better one is not known."""
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

"""The search beside the frames for plans that need less memory: better packings, and other orders.

Orders that were found are remembered by structure, for any size: a plan that comes back in another size begins with
the order found before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.order_search.better_order import plan_in_better_order
from renderwright.render.runtime.plans.beside import Beside, Stop, ThreadWorker
from renderwright.render.runtime.plans.prepared_plan import CompileRequest
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler
from renderwright.render.runtime.right_of_way import RightOfWay

WORTH = 0.02
"""The fraction of heap bytes that another packing or order has to save to be adopted."""

MAX_STRUCTURES = 8
"""Structures whose orders are remembered."""


@dataclass(frozen=True, eq=False)
class SmallerPlan:
    """The smallest plan that was found for a request, and the compiler that has its stages memoised."""

    request: CompileRequest
    plan: Plan
    compiler: StepwiseCompiler


@dataclass(frozen=True, eq=False)
class _Search:
    """A search on the worker."""

    request: CompileRequest
    compiler: StepwiseCompiler


class SmallerPlans:
    """Searches for one request at a time. Frames have the ``right_of_way``."""

    def __init__(self, right_of_way: RightOfWay) -> None:
        self._beside = Beside(ThreadWorker("renderwright repacking", right_of_way), _search)

    def want(self, request: CompileRequest, compiler: StepwiseCompiler) -> None:
        """Search for the plan of a request, instead of any other."""
        self._beside.want(_Search(request, compiler))

    @property
    def compilers(self) -> list[StepwiseCompiler]:
        """The compilers in use."""
        jobs = (self._beside.under_way, self._beside.wanted)
        return [job.compiler for job in jobs if job is not None]

    def take(self) -> SmallerPlan | None:
        """The result of the search, once; None until there is one. Re-raises errors of the search."""
        return self._beside.take()

    def wait(self) -> None:
        """Wait for the search, if any."""
        self._beside.wait()

    def close(self) -> None:
        """End the search."""
        self._beside.close()


def _search(job: _Search, stop: Stop) -> SmallerPlan:
    """On the worker: the smallest plan that can be found."""
    request = job.request
    with job.compiler.steps(stop.check):
        plan = plan_in_better_order(job.compiler, request.snapshot, request.sizes, request.options, between=stop.check)
    return SmallerPlan(replace(request, preferred=plan.graph.preferred), plan, job.compiler)


class KnownOrders:
    """The orders found for recent structures, most recently used first."""

    def __init__(self) -> None:
        self._known: list[tuple[GraphSnapshot, CompileOptions, PreferredOrder]] = []

    def applied(self, request: CompileRequest) -> CompileRequest:
        """The request with the order that is known for its structure, if there is one."""
        for number, (snapshot, options, order) in enumerate(self._known):
            if options == _apart_from_costs(request.options) and snapshot == request.snapshot:
                self._known.insert(0, self._known.pop(number))
                return replace(request, preferred=order)
        return request

    def learn(self, request: CompileRequest) -> None:
        """Remember the preferred order of a request; without one, forget its structure."""
        options = _apart_from_costs(request.options)
        self._known = [one for one in self._known if one[1] != options or one[0] != request.snapshot]
        if request.preferred is not None:
            self._known.insert(0, (request.snapshot, options, request.preferred))
            del self._known[MAX_STRUCTURES:]


def _apart_from_costs(options: CompileOptions) -> CompileOptions:
    """The options that tell structures apart; new measurements of GPU time do not make an order illegal."""
    return replace(options, costs=())

"""Recent plans by structure and size, so that going back to one needs no compile."""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.runtime.plans.prepared_plan import CompileRequest, PreparedPlan
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler
from renderwright.render.types.resources import Extent

MAX_STRUCTURES = 8
"""Pairs of structure and full size whose plans are remembered."""

MAX_STEPS = 16
"""Dynamic resolutions remembered for each."""


@dataclass
class Remembered:
    """The plans of one structure at one full size in its ``preferred`` order, by dynamic resolution."""

    snapshot: GraphSnapshot
    options: CompileOptions
    planned: SizeInputs
    compiler: StepwiseCompiler
    preferred: PreferredOrder | None
    steps: dict[tuple[tuple[str, Extent], ...], PartialPlans] = field(default_factory=dict)

    def fits(self, request: CompileRequest) -> bool:
        """Whether the request has this structure, size and options; dynamic resolutions may differ."""
        alike = self.options == request.options and self.planned == request.sizes.planned()
        return alike and self.snapshot == request.snapshot


class PlanMemory:
    """Recent plans, most recently used first."""

    def __init__(self) -> None:
        self._known: list[Remembered] = []

    def find(self, request: CompileRequest) -> tuple[Remembered, PartialPlans] | None:
        """The remembered plan of a request with its partial plans, or None."""
        entry = self._entry(request)
        plans = entry.steps.pop(request.sizes.dynamic, None) if entry is not None else None
        if entry is None or plans is None:
            return None
        entry.steps[request.sizes.dynamic] = plans  # insertion order is least recently used first
        return entry, plans

    def keep(self, prepared: PreparedPlan) -> None:
        """Remember a plan."""
        request = prepared.request
        entry = self._entry(request)
        if entry is None:
            planned = request.sizes.planned()
            entry = Remembered(request.snapshot, request.options, planned, prepared.compiler, request.preferred)
            self._known.insert(0, entry)
            del self._known[MAX_STRUCTURES:]
        entry.compiler, entry.preferred = prepared.compiler, request.preferred
        entry.steps.pop(request.sizes.dynamic, None)
        if len(entry.steps) >= MAX_STEPS:
            del entry.steps[next(iter(entry.steps))]
        entry.steps[request.sizes.dynamic] = prepared.partial

    def forget(self, request: CompileRequest) -> None:
        """Forget the plans of the request's structure and size, whose packing is outdated."""
        self._known = [entry for entry in self._known if not entry.fits(request)]

    def _entry(self, request: CompileRequest) -> Remembered | None:
        for number, entry in enumerate(self._known):
            if entry.fits(request):
                self._known.insert(0, self._known.pop(number))
                return entry
        return None

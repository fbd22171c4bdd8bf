"""Plans of the last structures and sizes, so that going back to one takes no compile."""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.render.compiler.pipeline import Compiler, PackingProblem
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.runtime.prepared_plan import CompileRequest, PreparedPlan
from renderwright.render.types.resources import Extent

MAX_STRUCTURES = 8
"""Structures at one size whose plans are remembered."""

MAX_STEPS = 16
"""Dynamic resolutions of each whose plans are remembered."""


@dataclass
class Remembered:
    """The plans of one structure at one full size, by dynamic resolution."""

    snapshot: GraphSnapshot
    options: CompileOptions
    planned: SizeInputs
    compiler: Compiler
    problem: PackingProblem | None
    steps: dict[tuple[tuple[str, Extent], ...], Plan] = field(default_factory=dict)

    def fits(self, request: CompileRequest) -> bool:
        """Whether the plans are those of the request, but for dynamic resolutions."""
        alike = self.options == request.options and self.planned == request.sizes.planned()
        return alike and self.snapshot == request.snapshot


class PlanMemory:
    """Remembers plans in the order in which they were last used."""

    def __init__(self) -> None:
        self._known: list[Remembered] = []

    def find(self, request: CompileRequest) -> tuple[Remembered, Plan] | None:
        """The plan of a request, if it is remembered."""
        entry = self._entry(request)
        plan = entry.steps.pop(request.sizes.dynamic, None) if entry is not None else None
        if entry is None or plan is None:
            return None
        entry.steps[request.sizes.dynamic] = plan  # the last one of the dictionary is the one last used
        return entry, plan

    def keep(self, prepared: PreparedPlan) -> None:
        """Remember a plan."""
        request = prepared.request
        entry = self._entry(request)
        if entry is None:
            planned = request.sizes.planned()
            entry = Remembered(request.snapshot, request.options, planned, prepared.compiler, prepared.problem)
            self._known.insert(0, entry)
            del self._known[MAX_STRUCTURES:]
        entry.compiler, entry.problem = prepared.compiler, prepared.problem
        entry.steps.pop(request.sizes.dynamic, None)
        if len(entry.steps) >= MAX_STEPS:
            del entry.steps[next(iter(entry.steps))]
        entry.steps[request.sizes.dynamic] = prepared.plan

    def forget(self, request: CompileRequest) -> None:
        """Forget the plans of a structure at its size: there is a better packing."""
        self._known = [entry for entry in self._known if not entry.fits(request)]

    def _entry(self, request: CompileRequest) -> Remembered | None:
        for number, entry in enumerate(self._known):
            if entry.fits(request):
                self._known.insert(0, self._known.pop(number))
                return entry
        return None

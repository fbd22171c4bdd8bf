"""What a plan is made from, and a plan with all that can be made for it apart from the frames.

One thread makes them, another one uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.backend.protocol import Pipeline
from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler
from renderwright.render.runtime.skipping.rates import PlanRates


@dataclass(frozen=True, eq=False)
class CompileRequest:
    """The graph at one revision, declared: the compiler's inputs, and the declared nodes that the runtime executes.

    ``declared`` are all nodes of the graph by name; the mapping is not modified any more. ``shaders`` increases when
    their shaders have to be loaded again. A ``preferred`` order is one that a search has found for the structure; it is
    no part of what was asked for.
    """

    revision: int
    snapshot: GraphSnapshot
    sizes: SizeInputs
    options: CompileOptions
    declared: Mapping[str, DeclaredNode]
    preferred: PreferredOrder | None = None
    shaders: int = 0

    def same_structure(self, other: CompileRequest) -> bool:
        """Whether the two differ at most in sizes, formats and execute functions."""
        alike = self.options == other.options and self.shaders == other.shaders
        return alike and self.snapshot == other.snapshot


@dataclass(frozen=True, eq=False)
class PreparedPlan:
    """A plan with its pipelines, by (node instance id, pipeline number), and with the ``partial`` plans of its frames.

    ``compiler`` made the plan and has its stages memoised.
    """

    request: CompileRequest
    partial: PartialPlans
    pipelines: Mapping[tuple[str, int], Pipeline]
    compiler: StepwiseCompiler

    @property
    def plan(self) -> Plan:
        """The whole plan."""
        return self.partial.whole

    @cached_property
    def rates(self) -> PlanRates:
        """Its rated nodes."""
        return PlanRates(self.plan, self.request.declared)

    @cached_property
    def executed(self) -> Mapping[str, DeclaredNode]:
        """The declared nodes that it executes, by name."""
        names = dict.fromkeys(node.declaration.name for node in self.plan.graph.nodes)
        return {name: self.request.declared[name] for name in names}


def same_places(plan: Plan, other: Plan) -> bool:
    """Whether two plans place everything at the same offsets; sizes may differ."""
    mine, others = plan.placement, other.placement
    return mine is others or (bool(mine.heaps) and mine.heaps is others.heaps)

"""The immutable result of a compile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from renderwright.render.compiler.attachments import pass_extents
from renderwright.render.compiler.findings import Problem, Removal
from renderwright.render.compiler.operations import Program
from renderwright.render.compiler.queues.plan import QueuePlan
from renderwright.render.compiler.stages import InstanceGraph, Placement, ResolvedGraph, StatePlan
from renderwright.render.graph.resources import Extent
from renderwright.render.sync.barriers import SyncPlan


@dataclass(frozen=True)
class Plan:
    """The immutable result of a compile: everything that the stages decided, for the runtime and the inspector.

    ``queues`` says of each node which queue it runs on.
    """

    resolved: ResolvedGraph
    graph: InstanceGraph
    placement: Placement
    state: StatePlan
    sync: SyncPlan
    program: Program
    queues: QueuePlan

    @cached_property
    def extents(self) -> tuple[Extent | None, ...]:
        """The sizes that the passes render at, None for those without attachments."""
        return pass_extents(self.state, self.placement)

    @property
    def removed(self) -> tuple[Removal, ...]:
        """Every node that is not in the frame."""
        return self.resolved.removed + self.graph.removed

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that the compile found worth saying."""
        return self.resolved.problems + self.graph.problems + self.placement.problems

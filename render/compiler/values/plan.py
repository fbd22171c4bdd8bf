"""The immutable result of a compile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.passes.load_store import pass_extents
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.operations import Program
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.sync.barriers import SyncPlan
from renderwright.render.types.resources import Extent


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

"""The immutable result of a compile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.operations import Program
from renderwright.render.compiler.values.passes import PassPlan, pass_extents
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.sync.barriers import SyncPlan
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Plan:
    """The immutable result of a compile: what each stage decided, for the runtime and the inspector."""

    resolved: ResolvedGraph
    graph: InstanceGraph
    placement: Placement
    pass_plan: PassPlan
    sync: SyncPlan
    program: Program
    queues: QueuePlan

    @cached_property
    def extents(self) -> tuple[Extent | None, ...]:
        """The size of each pass, None without attachments."""
        return pass_extents(self.pass_plan, self.placement)

    @property
    def removed(self) -> tuple[Removal, ...]:
        """All nodes that are not in the frame."""
        return self.resolved.removed + self.graph.removed

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems that the compile reports."""
        return self.resolved.problems + self.graph.problems + self.placement.problems

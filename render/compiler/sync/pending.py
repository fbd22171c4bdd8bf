"""Pending barriers: dependencies of a resource, not yet in a batch, not yet split, first-use ones without source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.sync.barriers import Barrier, BarrierReason, Split
from renderwright.render.sync.derive import Dependency, SourceScope
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.types.parts import WHOLE, Part

NOT_YET_KNOWN = SourceScope(Stage.NONE, Access.NONE, BarrierReason.ACTIVATE)
"""Stands for the source scope of a first-use barrier until aliasing is known."""


@dataclass(frozen=True, slots=True)
class PendingBarrier:
    """A dependency of a ``part`` of a resource, of which even and odd frames each make a barrier of their copy.

    The dependency's points are program points. ``why_unsplit`` is the reason why the barrier is never split; None if it
    may be. ``first_use`` says that it is the first-use barrier of a copy, which discards its contents; aliasing then
    decides its source scope.
    """

    resource: str
    dependency: Dependency
    why_unsplit: Split | None
    first_use: bool = False
    part: Part = WHOLE

    def barrier(self, copy: int, split: Split) -> Barrier:
        """The barrier of one copy."""
        dependency, part = self.dependency, self.part
        return Barrier(
            self.resource,
            copy,
            dependency.src_stages,
            dependency.src_access,
            dependency.dst.stages,
            dependency.dst.access,
            dependency.old_layout,
            dependency.dst.layout,
            dependency.reason,
            split,
            dependency.owners,
            part.mips,
            part.layers,
        )


def unsplit(resource: str, dependencies: Sequence[Dependency], *, first_use: bool = False) -> Sequence[PendingBarrier]:
    """The barriers of a resource that outlives the frame, which are never split; ``first_use`` says that the first
    dependency is the copy's first-use barrier."""
    return [
        PendingBarrier(resource, dependency, Split.OUTLIVES_FRAME, first_use and number == 0)
        for number, dependency in enumerate(dependencies)
    ]

"""A plan on the device at one dynamic resolution, with the frames that are lowered for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.runtime.lowering.lowered import LoweredFrame
from renderwright.render.runtime.lowering.lowered_frames import LoweredFrames
from renderwright.render.runtime.memory.resources import PlanResources
from renderwright.render.runtime.skipping.rates import PlanRates


@dataclass
class AtResolution:
    """The plan at one dynamic resolution.

    ``frames`` are lowered frames by the nodes that they skip, ``early`` those of the early nodes.
    """

    plan: Plan
    resources: PlanResources
    rates: PlanRates
    frames: dict[frozenset[str], LoweredFrames] = field(default_factory=dict)
    early: LoweredFrames | None = None

    def _all(self) -> list[LoweredFrames]:
        return [*self.frames.values(), *([self.early] if self.early is not None else [])]

    def redeclare(self, declared: Mapping[str, DeclaredNode]) -> None:
        """Some of the ``declared`` nodes are declared anew."""
        self.rates = self.rates.redeclared(declared)
        for frames in self._all():
            frames.redeclare()

    def leave(self) -> list[LoweredFrame]:
        """Lower nothing more; the caller destroys the frames."""
        return [frame for frames in self._all() for frame in frames.leave()]

    def latest(self, slot: int) -> LoweredFrame | None:
        """The frame of a slot that has been lowered or used last, whatever it skips."""
        known = (frames.latest(slot) for frames in reversed(self.frames.values()))
        return next((frame for frame in known if frame is not None), None)

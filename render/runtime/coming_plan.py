"""A plan that is on the device and lowers its first frames behind those of the plan that runs.

Lowering the first frame of a plan takes as long as several frames. Behind each frame a part of it is done, so that none
is late when the plan takes over.
"""

from __future__ import annotations

from renderwright.render.runtime.lowering_ahead import LoweringAhead
from renderwright.render.runtime.prepared_plan import CompileRequest
from renderwright.render.runtime.running import RunningPlan


class ComingPlan:
    """The plan that takes over next, as soon as it is ``ready``.

    It ``can_wait`` if it has no edit that the plan ``before`` lacks: such a plan needs less memory, or less GPU time.
    """

    def __init__(self, running: RunningPlan, before: RunningPlan) -> None:
        self.running = running
        self._before = before
        self.ready = False
        self.can_wait = running.prepared.request.revision == before.prepared.request.revision
        self._ahead = LoweringAhead(running.lower_first(before))

    def lacks_sizes(self, request: CompileRequest) -> bool:
        """Whether the next frame needs sizes of a request for which it is not made; dynamic ones do not count."""
        own, wanted = self.running.prepared.request.sizes.planned(), request.sizes.planned()
        return own != wanted and not own.can_wait_for(wanted)

    def has_structure_of(self, request: CompileRequest) -> bool:
        """Whether it differs from a request at most in sizes, formats and execute functions."""
        return self.running.prepared.request.same_structure(request)

    def go_on(self, seconds: float) -> None:
        """Lower its first frames for so long."""
        self.ready = self._ahead.go_on(seconds) or self.ready

    def stop(self) -> RunningPlan:
        """The plan, of which nothing more is lowered ahead. What it was given is not kept for it any more."""
        self._ahead.stop()
        self._before.coming_resources = ()
        return self.running

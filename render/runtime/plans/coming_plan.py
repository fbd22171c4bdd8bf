"""A plan that is put on the device, and lowers its first frames, behind those of the plan that runs.

To create the images of a plan and to lower its first frame takes as long as several frames. Behind each frame a part of
it is done, so that none is late when the plan takes over.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from renderwright.render.runtime.lowering.lowering_ahead import LoweringAhead, StepsAhead
from renderwright.render.runtime.plans.prepared_plan import CompileRequest, PreparedPlan
from renderwright.render.runtime.plans.running import RunningPlan
from renderwright.render.steps import all_of


class ComingPlan:
    """The plan that takes over next, as soon as it is ``ready``.

    ``make`` begins to put it on the device, beside the plan ``before``. It ``can_wait`` if it has no edit that this one
    lacks: such a plan needs less memory, or less GPU time.
    """

    def __init__(
        self, prepared: PreparedPlan, make: Callable[[], Generator[None, None, RunningPlan]], before: RunningPlan
    ) -> None:
        self.prepared = prepared
        self.ready = False
        self.can_wait = prepared.request.revision == before.prepared.request.revision
        self._before = before
        self._make = make
        self._running: RunningPlan | None = None
        self._making = make()
        self._ahead = LoweringAhead(self._steps())

    def lacks_sizes(self, request: CompileRequest) -> bool:
        """Whether the next frame needs sizes of a request for which it is not made; dynamic ones do not count."""
        own, wanted = self.prepared.request.sizes.planned(), request.sizes.planned()
        return own != wanted and not own.can_wait_for(wanted)

    def has_structure_of(self, request: CompileRequest) -> bool:
        """Whether it differs from a request at most in sizes, formats and execute functions."""
        return self.prepared.request.same_structure(request)

    def go_on(self, seconds: float) -> None:
        """Create its images and lower its first frames for so long."""
        self.ready = self._ahead.go_on(seconds) or self.ready

    def _steps(self) -> StepsAhead:
        self._running = yield from self._making
        yield from self._running.lower_first(self._before)

    def ended(self) -> RunningPlan:
        """The plan on the device, of which nothing more is lowered ahead; at once what is not there yet. Raises what
        keeps it from getting there."""
        return self.stop() or all_of(self._make())

    def stop(self) -> RunningPlan | None:
        """What is on the device, of which nothing more is lowered ahead. What it was given is kept for it no more."""
        self._ahead.stop()
        self._making.close()
        self._before.coming_resources = ()
        return self._running

"""Compiles a runtime's graph, and says how much work its packing may be.

The first plan is packed as the options say. A change in mid-run must not cost a frame, so it is packed ``FAST``, unless
the better packing is remembered; a thread then looks for the better one, which takes over if it saves enough. Plans of
the last dynamic resolutions are remembered whole until anything else changes: a step back to one must cost little.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.memory.needs import MemoryModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.repack import Repacker
from renderwright.render.types.resources import Extent

MAX_STEPS = 16
"""Dynamic resolutions whose plans are remembered."""

WORTH = 0.02
"""The share of the heaps' bytes that a better packing has to save to be worth the move."""

log = logging.getLogger("renderwright.runtime")

Judge = Callable[[Plan], None]


class Planner:
    """Makes the plans of one graph. ``repack`` says whether to look for better packings of what was packed fast.

    ``judge`` is shown every new plan before its first frame, and raises if it is not to run.
    """

    def __init__(self, graph: FrameGraph, model: MemoryModel, *, repack: bool, judge: Judge | None = None) -> None:
        self._graph = graph
        self._compiler = Compiler(model)
        self._repacker = Repacker() if repack else None
        self._judge = judge
        self._steps: dict[tuple[tuple[str, Extent], ...], Plan] = {}
        self._steps_of: tuple[int, CompileOptions] | None = None

    def plan(self, options: CompileOptions, running: Plan | None) -> Plan:
        """The plan of the graph as it is, declared; ``running`` is the plan before it."""
        sizes = self._graph.sizes()
        if self._steps_of != (self._graph.static_revision, options):
            self._steps_of = (self._graph.static_revision, options)
            self._steps.clear()
        plan = self._steps.pop(sizes.dynamic, None) or self._compiled(sizes, options, running)
        if len(self._steps) >= MAX_STEPS:
            del self._steps[next(iter(self._steps))]
        self._steps[sizes.dynamic] = plan  # the last one of the dictionary is the one last used
        return plan

    def _compiled(self, sizes: SizeInputs, options: CompileOptions, running: Plan | None) -> Plan:
        snapshot = self._graph.snapshot()
        wanted = None
        if running is not None and options.packing is not PackPolicy.FAST:
            problem = self._compiler.packing_problem(snapshot, sizes, options)
            if not self._compiler.has_solved(problem):
                options = replace(options, packing=PackPolicy.FAST)
                wanted = problem
        plan = self._compiler.compile(snapshot, sizes, options)
        if self._judge is not None and plan is not running:
            self._judge(plan)
        if self._repacker is not None and (running is None or plan.placement.heaps is not running.placement.heaps):
            self._repacker.want(wanted)
        return plan

    def has_better(self, running: Plan) -> bool:
        """Whether a packing has been found that is worth its move; the next ``plan`` has it then.

        Raises what the search for it raised.
        """
        found = self._repacker.found() if self._repacker is not None else None
        if found is None:
            return False
        problem, placement = found
        before, after = _bytes(running.placement), _bytes(placement)
        worth_it = after <= before * (1.0 - WORTH)
        log.debug("a better packing has %d bytes, not %d: %s", after, before, "taken" if worth_it else "left")
        if worth_it:
            self._compiler.learn(problem, placement)
            self._steps.clear()
        return worth_it

    def finish(self) -> None:
        """Wait until the search for a better packing, if there is one, has ended."""
        if self._repacker is not None:
            self._repacker.wait()

    def close(self) -> None:
        """Leave no thread behind."""
        if self._repacker is not None:
            self._repacker.close()


def _bytes(placement: Placement) -> int:
    return sum(heap.size for heap in placement.heaps)

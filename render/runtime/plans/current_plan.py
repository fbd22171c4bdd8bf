"""Keeps the plan that runs up to date with its graph, at once or beside the frames.

With a worker, a change of structure is compiled beside the frames: the old plan keeps running, *behind* the graph,
until the new one takes over between two frames. New nodes are declared before that, and its first frames lowered behind
those of the old plan, for a few milliseconds each; behind its own first frames, others that skip what the old plan's
frames skipped of late. The plan of an edit that is made meanwhile comes next.

The next frame waits for: the first plan, a change of sizes alone unless all of its rules may wait, another format of
the target, and the plan without a node that failed while it ran. A remembered plan needs no compile; its pipelines are
looked up, beside the frames if they are paced.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import DeviceLostError, OutOfMemoryError, RenderwrightError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule, SizeInputs
from renderwright.render.runtime.blame import greediest, log_problems, unplannable
from renderwright.render.runtime.failures import (
    FailureHandler,
    FailurePhase,
    NodeFailure,
    NodesFailedError,
)
from renderwright.render.runtime.lowering.lowering_ahead import LoweringAhead
from renderwright.render.runtime.out_of_memory import OutOfMemoryLog
from renderwright.render.runtime.plans.coming_plan import ComingPlan
from renderwright.render.runtime.plans.failing_nodes import FailingNodes
from renderwright.render.runtime.plans.planner import Planner
from renderwright.render.runtime.plans.prepared_plan import CompileRequest, PreparedPlan
from renderwright.render.runtime.plans.running import FIRST_CHOICES, RunningPlan
from renderwright.render.runtime.plans.succession import Succession
from renderwright.render.runtime.plans.trial import Trial
from renderwright.render.runtime.plans.waiting_actions import WaitingActions

log = logging.getLogger("renderwright.runtime")

Switched = Callable[[RunningPlan], None]


class CurrentPlan:
    """The plan that runs.

    Nodes that fail leave the graph (``FailingNodes``), edits on ``trial`` are taken back instead. ``switched`` is
    called with each new plan. ``held`` are resolutions that override the graph's while a plan is behind.
    """

    def __init__(
        self,
        graph: FrameGraph,
        planner: Planner,
        succession: Succession,
        options: CompileOptions,
        out_of_memory_log: OutOfMemoryLog,
        on_failure: FailureHandler | None,
        switched: Switched,
        trial: Trial,
    ) -> None:
        self.options = options
        self.held: Sequence[ResolutionRule] = ()
        self.running: RunningPlan | None = None
        self._graph = graph
        self._planner = planner
        self._succession = succession
        self._out_of_memory_log = out_of_memory_log
        self._failing = FailingNodes(graph, trial, on_failure)
        self._switched = switched
        self.trial = trial
        self._decided = -1  # the last revision that has a plan or a compile under way
        self._urgent = False
        self._other_structure = False
        self._refused: SizeInputs | None = None
        self._coming: ComingPlan | None = None
        self._likely: LoweringAhead | None = None
        self._finished = False
        self._shows = True  # whether the last frame was shown
        self._declares = True  # whether this frame may declare nodes ahead
        self._later = WaitingActions()

    @property
    def behind(self) -> bool:
        """Whether the running plan lacks edits of the graph."""
        return self.running is not None and self.running.prepared.request.revision != self._graph.revision

    @property
    def settled(self) -> bool:
        """Whether the current revision is handled and no compile is pending."""
        return self._decided == self._graph.revision and not self._planner.pending and self._coming is None

    @property
    def present(self) -> tuple[PreparedPlan, ...]:
        """The plans that need their pipelines: the one that runs, and the one that comes."""
        return tuple(plan.prepared for plan in (self.running, self._coming) if plan is not None)

    def finish(self) -> None:
        """Wait for the compile beside the frames, if any; the next frame has its plan."""
        self._urgent = self._urgent or self._graph.is_half_declared
        self._planner.finish()
        self._finished = self._planner.pending
        if self._coming is not None:
            self._coming.ready = True

    def decide_again(self) -> None:
        """Plan again in the next update, although the graph has not changed (its options have)."""
        self._decided = -1

    def when_shown(self, action: Callable[[], None]) -> None:
        """Call ``action`` when the running plan has all edits so far: now, or when such a plan takes over.

        Without a worker it is called now: the next frame has the new plan.
        """
        if self._planner.can_wait and self.behind:
            self._later.add(self._graph.revision, action)
        else:
            action()

    # between frames -------------------------------------------------------------------------------------------------

    def update(self) -> RunningPlan:
        """Plan or request a compile for new edits, and switch to a plan that is ready. Call it between frames."""
        while True:
            if self._coming is not None and (self._coming.ready or self._urgent):
                step = self._replace
            elif self.running is None or not self._is_decided():
                if not self._is_declared(self.running):
                    break
                step = self._decide
            elif self._coming is None and self._may_take(self.running):
                step = self._take
            else:
                break
            if not self._done(step):
                break
        assert self.running is not None
        return self.running

    def _may_take(self, running: RunningPlan) -> bool:
        """Whether a plan made beside the frames may be used: not with another's first frames, if these are shown."""
        hurries = self._finished or self._urgent or not self._shows or not self._planner.seconds_a_frame
        return self._planner.ended() and (hurries or running.frames >= FRAMES_IN_FLIGHT)

    def _is_decided(self) -> bool:
        """Whether the current revision of the graph has a plan, or a compile under way."""
        return self._graph.revision == self._decided

    def _is_declared(self, running: RunningPlan | None) -> bool:
        """Whether all nodes are declared, or have to be by now. If not, the others follow in the next frames."""
        seconds = self._planner.seconds_a_frame
        if running is None or self._urgent or not seconds:
            return True
        if self._graph.sizes().external_formats != running.prepared.request.sizes.external_formats:
            return True
        declared = self._declares and self._graph.declare_ahead(seconds)
        self._declares = declared
        self._other_structure = self._other_structure or not declared
        return declared

    def save_memory(self) -> None:
        """Switch to a better packing if one has been found, or out of heaps larger than a settled plan needs."""
        running = self.running
        if running is None or self.behind or not self.settled:
            return
        try:
            better = self._planner.better(running.prepared)
            if better is not None:
                self._install(better, tight=True, at_once=False)
            elif self._succession.is_wasteful(running):
                self._install(running.prepared, tight=True, at_once=False)
        except OutOfMemoryError as error:
            # The old and the new heaps exist together for a moment.
            log.debug("the plan stays in its large heaps: %s", error)

    def follow_sizes(self) -> RunningPlan:
        """Give a plan that is behind the sizes of the graph, except those in ``held`` and those that may wait."""
        assert self.running is not None
        if not (self.behind and self._other_structure):
            return self.running
        request, sizes = self.running.prepared.request, self._graph.sizes(self.held)
        if sizes not in (request.sizes, self._refused) and not self._can_wait(request.sizes, sizes):
            try:
                self._install(self._planner.at_once(replace(request, sizes=sizes), self.running.prepared))
            except OutOfMemoryError as error:
                self._out_of_memory_log.tell("the plan keeps its size", error)
            except DeviceLostError:
                raise
            except RenderwrightError as error:
                self._refused = sizes
                log.error("the plan keeps its size: %s", error)
        return self.running

    def _done(self, step: Callable[[], None]) -> bool:
        """Run a step; whether to continue. Failures of nodes change the graph, which needs another step."""
        revision = self._graph.revision
        try:
            step()
        except NodesFailedError as error:
            self.report(error.failures)
        except OutOfMemoryError as error:
            if self.running is None:
                raise
            self._out_of_memory_log.tell("the new plan has to wait; the old one keeps running", error)
            self._decided = -1
            return False
        except DeviceLostError:
            raise
        except RenderwrightError as error:
            failures = unplannable(error, self._graph.declared_nodes)
            if failures:
                self.report(failures)
            elif self.trial.refuse([NodeFailure("", "", FailurePhase.COMPILE, error)]):
                log.debug("edits on trial are taken back: %s", error)
            elif self.running is None:
                raise
            else:
                log.error("the graph has no new plan; the old one keeps running: %s", error)
                self._decided = revision
        except Exception as error:
            breaking = self._planner.breaking(self._graph.snapshot(), self._graph.sizes(), self.options)
            self._failing.take_out_breaking(breaking, error)
        return True

    def _decide(self) -> None:
        """Make the plan of the graph now, or request it from the worker."""
        failed = self._graph.declare()
        if failed:
            raise NodesFailedError(
                [NodeFailure(one.source.name, one.source.plugin, FailurePhase.DECLARE, one.error) for one in failed]
            )
        graph = self._graph
        request = CompileRequest(
            graph.revision, graph.snapshot(), graph.sizes(), self.options, graph.declared_nodes, shaders=graph.shaders
        )
        running = self.running.prepared if self.running is not None else None
        self._other_structure = running is not None and not request.same_structure(running.request)
        self._finished = False
        prepared, at_once = None, running is None or self._has_to_be_at_once(request, running)
        other = running is not None and (self._other_structure or request.sizes != running.request.sizes)
        beside = other and not at_once and self._planner.seconds_a_frame > 0
        if self._coming is not None:
            resized = self._coming.lacks_sizes(request)
            taken_back = not self._other_structure and not self._coming.has_structure_of(request)
            drops = self._coming.can_wait or taken_back or not (beside or at_once)
            if (at_once and not resized) or (resized and not drops):
                return self._replace()  # the edit is made in the plan that comes, in the next step
            if drops:
                self._succession.drop(self._coming.stop())
                self._coming = None
        if at_once:
            prepared = self._planner.at_once(request, running)
        elif running is not None and not beside:
            prepared = self._planner.at_hand(request, running)
        if prepared is not None:
            self._planner.drop()
            self._install_found(prepared, at_once=at_once)
        else:
            assert running is not None
            self._planner.want(request, running)
        self._decided = request.revision

    def _install_found(self, prepared: PreparedPlan, *, at_once: bool) -> None:
        try:
            self._install(prepared, at_once=at_once)
        except OutOfMemoryError as error:
            failures = greediest(prepared.plan, prepared.request.declared, error) if self.running is None else []
            if failures:  # the first plan cannot wait for memory
                raise NodesFailedError(failures) from error
            raise

    def _has_to_be_at_once(self, request: CompileRequest, running: PreparedPlan) -> bool:
        if self._urgent or not self._planner.can_wait:
            return True
        before, after = running.request.sizes, request.sizes
        if before.external_formats != after.external_formats:
            return True  # pipelines of the old format must not render to the new target
        return before != after and not self._other_structure and not self._can_wait(before, after)

    def _can_wait(self, before: SizeInputs, after: SizeInputs) -> bool:
        """Whether frames go on in the sizes ``before`` until a plan of the others is lowered."""
        return self._planner.seconds_a_frame > 0 and before.can_wait_for(after)

    def _take(self) -> None:
        assert self.running is not None
        at_once, self._finished = self._finished or self._urgent, False
        self._install(self._planner.take(self.running.prepared), at_once=at_once)

    def _install(self, prepared: PreparedPlan, *, tight: bool = False, at_once: bool = True) -> None:
        """Run a plan from the next frame on, or when it is lowered; the old one stays if this raises."""
        self.trial.judge_plan(prepared.plan)
        old = self.running
        if old is not None and not tight and old.differs_in_resolution(prepared):
            old.step_to(prepared)
            self._shown(prepared)
            return
        if self._failing.are_logged:
            log_problems(prepared.plan)
        if old is not None and not tight and old.differs_in_declarations(prepared):
            self._succession.redeclare(old, prepared)
            self._switched(old)
            self._shown(prepared)
        elif at_once or not self._planner.seconds_a_frame or old is None:
            self._run(self._succession.make(prepared, old, tight=tight), old)
        else:
            make = partial(self._succession.making, prepared, old, tight=tight)
            self._coming = ComingPlan(prepared, make, old)

    def _run(self, running: RunningPlan, old: RunningPlan | None) -> None:
        """Run a plan from the next frame on instead of the old one."""
        expected = running.expected(old, 2 * FIRST_CHOICES) if old is not None else ()
        self._lower_no_more()
        if old is not None:
            self._succession.replace(old, running)
        self.running = running
        if self._planner.seconds_a_frame:
            self._likely = LoweringAhead(running.lower_on(expected))
        self._switched(running)
        self._shown(running.prepared)

    def _replace(self) -> None:
        """Run the plan that comes from the next frame on, unless a node that it may have failed: that is an edit."""
        assert self._coming is not None
        coming, self._coming = self._coming, None
        if self._urgent and not self._is_decided():
            self._succession.drop(coming.stop())
        else:
            self._run(coming.ended(), self.running)

    def _lower_no_more(self) -> None:
        """Lower no more frames of the running plan ahead."""
        if self._likely is not None:
            self._likely.stop()
            self._likely = None

    def _shown(self, prepared: PreparedPlan) -> None:
        self._urgent, self._refused = False, None
        self._later.shown(prepared.request.revision)

    # failures -------------------------------------------------------------------------------------------------------

    def report(self, failures: Iterable[NodeFailure], *, while_running: bool = False) -> None:
        """Report failed nodes and remove them. After a failure ``while_running`` the next frame waits for its plan."""
        self._urgent = self._urgent or while_running
        self._failing.take_out(failures)

    def drop_frame(self) -> None:
        """No frame can be shown: nobody sees how long the next one takes."""
        self._declares, self._shows = True, False
        if self._coming is not None:
            self._coming.ready = True

    def abandon(self) -> None:
        """End without releasing anything but what is lowered ahead."""
        self.end()
        self._lower_no_more()
        if self._coming is not None:
            self._coming.stop()
            self._coming = None

    def end_frame(self, failures: Sequence[NodeFailure]) -> None:
        """A frame has been submitted, in which these nodes have failed. A part of the plan that comes is lowered."""
        self._declares = self._shows = True
        if self._coming is not None:
            self._coming.go_on(self._planner.seconds_a_frame)
        elif (running := self.running) is not None and running.frames >= FRAMES_IN_FLIGHT:
            if self._likely is None and running.at_hand.awaited is not None:
                self._likely = LoweringAhead(running.lower_on())
            if self._likely is not None and self._likely.go_on(self._planner.seconds_a_frame):
                self._likely = None
        self._succession.go_on(all_at_once=not self._planner.seconds_a_frame)
        if self.settled:
            self._out_of_memory_log.over()
        if failures:
            self.report(failures, while_running=True)
        elif not self.behind:
            self.trial.shown()

    # the end --------------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """No more frames: stop compiling, and call the actions that waited for another plan."""
        self._planner.close()
        self._later.call_all()

    def close(self) -> None:
        """End, and release the plans."""
        self.end()
        self._lower_no_more()
        if self._coming is not None:
            self._succession.drop(self._coming.stop())
        if self.running is not None:
            self._succession.drop(self.running)
        self._succession.go_on(all_at_once=True)
        self.running, self._coming = None, None

"""A plan with all its resources on the device, at its current dynamic resolution."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.external import ExternalProviders
from renderwright.render.runtime.checks.poisoner import PlanPoison
from renderwright.render.runtime.checks.texel_counter import PlanCounts
from renderwright.render.runtime.lowering.executed_nodes import ExecutedNodes
from renderwright.render.runtime.lowering.leaving_frames import LeavingFrames
from renderwright.render.runtime.lowering.lowered import Given, LoweredFrame
from renderwright.render.runtime.lowering.lowered_frames import LoweredFrames
from renderwright.render.runtime.lowering.lowering import Lowering
from renderwright.render.runtime.lowering.lowering_ahead import StepsAhead
from renderwright.render.runtime.lowering.node_run import ExpectedValue
from renderwright.render.runtime.lowering.texture_copies import TextureCopies
from renderwright.render.runtime.lowering.uniforms import UniformMemory
from renderwright.render.runtime.memory.device_memory import DeviceMemory
from renderwright.render.runtime.memory.externals import Externals
from renderwright.render.runtime.memory.history import Carried, HistoryStart, Remains
from renderwright.render.runtime.memory.initial_transitions import transition_to_general
from renderwright.render.runtime.memory.last_frame import LastFrame
from renderwright.render.runtime.memory.resources import PlanResources
from renderwright.render.runtime.plans.at_resolution import AtResolution
from renderwright.render.runtime.plans.plan_cells import PlanCells, expected_values
from renderwright.render.runtime.plans.prepared_plan import PreparedPlan, same_places
from renderwright.render.runtime.skipping.rates import PlanRates
from renderwright.render.runtime.skipping.skipped_alike import skipped_alike
from renderwright.render.runtime.skipping.skips_at_hand import SkipsAtHand
from renderwright.render.runtime.times.gpu_clock import first_queries
from renderwright.render.steps import all_of

log = logging.getLogger("renderwright.runtime")

MAX_CHOICES = 16
"""Sets of skipped nodes whose lowered frames are kept."""

FIRST_CHOICES = 4
"""Sets of skipped nodes that a plan's frames are lowered for before it takes over, and twice as many after that."""

MOST_ROUNDS = 3
"""How often first frames are lowered if those before go on to skip other nodes meanwhile."""

MAX_RESOLUTIONS = 16
"""Dynamic resolutions whose textures and lowered frames are kept."""


class RunningPlan:
    """A plan on the device.

    It executes its own declared nodes and calls their ``providers``, independent of later edits of the graph.
    ``started`` is true once its first frame has begun; until then ``remains`` is what the previous plan left.
    ``last`` holds the previous frame's histories. ``frames`` counts its frames. ``coming_resources`` are the external
    resources of the plan that comes: what providers have given for these is kept.
    """

    def __init__(
        self,
        prepared: PreparedPlan,
        providers: ExternalProviders,
        resources: PlanResources,
        backend: Backend,
        memory: DeviceMemory,
        leaving: LeavingFrames,
    ) -> None:
        plan = prepared.plan
        self.prepared = prepared
        self.external_cells: dict[str, BlobCell] = {}
        self.started = False
        self.remains: Remains | None = None
        self.last = LastFrame(memory.placed)
        self.frames = 0
        # Whether reused images are in their layout, and the parities whose histories no frame has written yet.
        self._transitioned, self._unwritten = False, {0, 1}
        self._backend = backend
        self._memory = memory
        self._leaving = leaving
        self._executed = ExecutedNodes(prepared.executed, prepared.pipelines)
        self._queries = first_queries(plan.graph.nodes)
        self._externals = Externals(plan, providers, memory.arrays)
        self._partial = prepared.partial
        self.at_hand = SkipsAtHand()
        self._uniforms = UniformMemory(backend)
        self._used: dict[tuple[int, bool], LoweredFrame] = {}
        self._latest: dict[int, Given] = {}
        self.coming_resources: tuple[str, ...] = ()
        self._now = AtResolution(plan, resources, prepared.rates)
        self._known = {plan.placement.extents: self._now}

    @property
    def plan(self) -> Plan:
        """The plan, at its current resolution."""
        return self._now.plan

    @property
    def resources(self) -> PlanResources:
        """Its resources, at its current resolution."""
        return self._now.resources

    @property
    def cells(self) -> PlanCells:
        """The cells of its blobs."""
        return PlanCells(self.resources.cells, self.external_cells)

    @property
    def rates(self) -> PlanRates:
        """Its rated nodes."""
        return self._now.rates

    # the beginning --------------------------------------------------------------------------------------------------

    def shares_resources(self, other: RunningPlan) -> bool:
        """Whether it was made to take over the resources of the other plan."""
        return self.resources.cells is other.resources.cells

    def follow(self, old: RunningPlan) -> None:
        """Expect what the old plan's last frames were given, until there are frames of this one."""
        self._latest = dict(old._latest)

    def take_over(self, old: RunningPlan) -> None:
        """Replace a plan whose resources it shares, and which is released."""
        self.started, self.remains, self.last = old.started, old.remains, old.last
        old.last = LastFrame(self._memory.placed)
        old.remains = None
        old.close()
        self._drop_resized_keeps(old.resources)

    def prepare(self, slot: int, opening: list[OpList]) -> Carried:
        """Record the work before the first frame of the plan, or of a dynamic resolution, into ``opening``."""
        carried = Carried()
        reuse = self.plan.sync.image_reuse
        copies = () if self._transitioned else reuse.initial_transitions[slot]
        copies += reuse.history_transitions[slot] if slot in self._unwritten else ()
        if self.started and not copies:
            return carried
        recorder = self._backend.recorder(slot)
        if not self.started:
            start = HistoryStart(self.plan, self.resources, self.last, 1 - slot)
            start.record(recorder, self._memory, self._backend, self.remains)
            carried = start.carried
            log.debug("a new plan runs: %s", carried)
            self.started = True
            self._give_back_remains()
        transition_to_general(recorder, copies, self.resources)
        self._transitioned = True
        self._unwritten.discard(slot)
        opening.append(recorder.take())
        return carried

    def _give_back_remains(self) -> None:
        if self.remains is not None:
            self.remains.give_back(self._memory)
            self.remains = None

    # dynamic resolution ---------------------------------------------------------------------------------------------

    def differs_in_resolution(self, prepared: PreparedPlan) -> bool:
        """Whether another plan differs from this one at most in its dynamic resolution."""
        plan, mine = prepared.plan, self.plan
        return (
            plan.graph is mine.graph
            and plan.program is mine.program
            and same_places(plan, mine)
            and prepared.request.shaders == self.prepared.request.shaders
            and self._executed.are(prepared.executed, prepared.pipelines)
        )

    def step_to(self, prepared: PreparedPlan) -> None:
        """Use another dynamic resolution from the next frame on; the old one stays if this raises."""
        plan = prepared.plan
        key = plan.placement.extents
        if key == self.plan.placement.extents:
            self.prepared = prepared
            return
        known = self._known.pop(key, None)
        if known is None:
            if len(self._known) >= MAX_RESOLUTIONS:
                self._close(self._known.pop(next(key for key, one in self._known.items() if one is not self._now)))
            resources = self._memory.resize(self.resources, plan)
            known = AtResolution(plan, resources, prepared.rates if self.rates else self.rates)
        self._known[key] = known
        before, self._now, self.prepared = self._now, known, prepared
        self._transitioned, self._unwritten = False, {0, 1}
        self._drop_resized_keeps(before.resources)

    def differs_in_declarations(self, prepared: PreparedPlan) -> bool:
        """Whether another plan is this one, of nodes that are perhaps declared anew: they do something else."""
        return prepared.plan is self.plan and prepared.request.shaders == self.prepared.request.shaders

    def redeclare(self, prepared: PreparedPlan, providers: ExternalProviders) -> None:
        """Execute the declared nodes of another plan from the next frame on."""
        before, self.prepared = self._executed.declared, prepared
        anew = {name for name, node in prepared.executed.items() if node is not before[name]}
        self._uniforms.forget(node.id for node in self.plan.graph.nodes if node.declaration.name in anew)
        self._executed.declared, self._executed.pipelines = prepared.executed, prepared.pipelines
        self._externals = Externals(self.plan, providers, self._memory.arrays)
        for one in self._known.values():
            one.redeclare(prepared.executed)

    def _drop_resized_keeps(self, before: PlanResources) -> None:
        """Invalidate kept resources whose single copy is another texture now; their writers run again."""
        for name, placed in self.resources.placed.items():
            if placed.kept and placed is not before.placed[name] and placed.copies:
                self.resources.valid.difference_update({(name, 0), (name, 1)})

    # frames ---------------------------------------------------------------------------------------------------------

    def given(self, frame: int, slot: int) -> Given:
        """What providers and earlier frames give to a frame. Raises ``NodesFailedError`` if a provider fails."""
        physicals, values = self._externals.given(frame, slot, self.coming_resources)
        for name, value in values.items():
            self._external_cell(name).value = value
        return Given(frame, physicals, self.external_cells, self.last.instead(self.resources, frame))

    def _external_cell(self, name: str) -> BlobCell:
        if name not in self.external_cells:
            self.external_cells[name] = BlobCell()
        return self.external_cells[name]

    def skipped_at_hand(self, skipped: frozenset[str], slot: int, given: Given) -> frozenset[str]:
        """What a frame skips that cannot wait: ``skipped``, or fewer nodes until a frame without these is lowered."""
        known = self._now.frames
        if skipped in known and known[skipped].has(slot, given):
            return self.at_hand.found(skipped)
        lowered = [some for some, frames in known.items() if frames.has(slot, given)]
        return self.at_hand.choose(skipped, lowered, self.rates.repeatable)

    def lowered(self, skipped: frozenset[str], slot: int, given: Given) -> LoweredFrame:
        """The frame of a slot without the ``skipped`` and the early nodes."""
        self._latest[slot] = given
        turn = slot, False
        like = partial(self._like, skipped, slot)
        return self._resumed(self._frames_without(skipped).get(slot, given, like, self._used.get(turn)), turn)

    def _frames_without(self, skipped: frozenset[str]) -> LoweredFrames:
        known = self._now.frames
        frames = known.pop(skipped, None)
        if frames is None:
            if len(known) >= MAX_CHOICES:
                known.pop(next(iter(known))).destroy()
            lowering = self._lowering(self._partial.plan(skipped, self.plan))
            frames = LoweredFrames(lowering.lower, lowering.renewed, self._backend, self._memory.placed)
        known[skipped] = frames  # insertion order is least recently used first
        return frames

    def lower_first(self, before: RunningPlan) -> StepsAhead:
        """Lower the first frame of each slot, in steps, while the plan ``before`` runs.

        They are expected to get the same external resources as its last frames, and to skip what ``expected`` says.
        What the last frame has skipped is compiled if the worker has not foreseen it.
        Providers that the plan ``before`` has not are asked; what these give stays until this plan runs. Frames that
        differ are lowered when they come, and reuse what is the same. Raises ``NodesFailedError`` if a provider fails.
        """
        before.coming_resources = self._externals.resources
        for _ in range(MOST_ROUNDS):
            last = before.likely(1, self.rates)
            for skipped in last:
                yield from self._partial.steps(skipped)
            yield from self.lower_next(before, self.expected(before, FIRST_CHOICES))
            if before.likely(1, self.rates) == last:
                return

    def expected(self, before: RunningPlan, most: int) -> tuple[frozenset[str], ...]:
        """The sets of nodes that frames are expected to skip, the likeliest first, as far as that needs no compile.

        These are those of the last frames of the plan ``before``, then others that the worker has foreseen.
        """
        likely = [*before.likely(MAX_CHOICES, self.rates), *self._partial.latest(MAX_CHOICES), frozenset[str]()]
        return tuple(dict.fromkeys(filter(self._partial.knows, likely)))[:most]

    def lower_on(self, choices: Sequence[frozenset[str]] = ()) -> StepsAhead:
        """Lower frames behind those of this plan: those that are awaited, and for each choice of skipped nodes."""
        left = deque(choices)
        while left or self.at_hand.awaited is not None:
            declared, awaited = self._executed.declared, self.at_hand.awaited
            if awaited is not None:
                yield from self._partial.steps(awaited)
            yield from self.lower_next(self, [left[0] if awaited is None else awaited])
            if self._executed.declared is not declared:
                continue  # what was half lowered has been given up
            if awaited is None:
                left.popleft()
            else:
                self.at_hand.tried = awaited

    def lower_next(self, before: RunningPlan, choices: Sequence[frozenset[str]]) -> StepsAhead:
        """Lower the frames that follow the last ones of the plan ``before``, for each choice of skipped nodes, as far
        as what they get from outside is known."""
        last = before._latest
        for slot, given in tuple(last.items()):
            frame = given.frame + FRAMES_IN_FLIGHT
            physicals = self._externals.expected(given.physicals, frame, slot)
            if physicals is None:
                return
            cells = {name: self._external_cell(name) for name in self._externals.values}
            expected = Given(frame, physicals, cells, self.last.instead(self.resources, frame))
            values = expected_values(self.cells, before.cells, lambda: max(one.frame for one in last.values()))
            for skipped in choices:
                for _ in self._ahead(slot, expected, skipped, values):
                    yield
                    if any(physical.released for physical in physicals.values()):
                        break  # the application has replaced it

    def _ahead(self, slot: int, given: Given, skipped: frozenset[str], values: ExpectedValue) -> Iterator[None]:
        if any(physical.released for physical in given.physicals.values()):
            return
        if self.rates and not self._early_frames().has(slot, given):
            yield from self._early_frames().ahead(slot, given, values)
        frames = self._frames_without(skipped)
        if not frames.has(slot, given):
            yield from frames.ahead(slot, given, values, partial(self._like, skipped, slot))

    def likely(self, most: int, other: PlanRates) -> tuple[frozenset[str], ...]:
        """The sets of nodes of another plan that are skipped as in its own frames of late, the last frame first."""
        latest = list(reversed(self._now.frames))[:most]
        alike = chain.from_iterable(skipped_alike(self.rates, skipped, other) for skipped in latest)
        return tuple(dict.fromkeys(alike))

    def lowered_with(self, copies: TextureCopies, skipped: frozenset[str], slot: int, given: Given) -> LoweredFrame:
        """The frame of a slot with copies of what is written, for one time; the caller destroys it."""
        lowering = self._lowering(self._partial.plan(skipped, self.plan), copies)
        return self._resumed(all_of(lowering.lower(slot, given)), (slot, False))

    def _like(self, skipped: frozenset[str], slot: int) -> LoweredFrame | None:
        """The latest frame of a slot without the ``skipped`` nodes at any resolution, else another one at this one."""
        known = (one.frames[skipped].latest(slot) for one in reversed(self._known.values()) if skipped in one.frames)
        return next((frame for frame in known if frame is not None), self._now.latest(slot))

    def early(self, slot: int, given: Given) -> LoweredFrame:
        """The early nodes, ready to run in a slot."""
        turn = slot, True
        return self._resumed(self._early_frames().get(slot, given, donor=self._used.get(turn)), turn)

    def _early_frames(self) -> LoweredFrames:
        if self._now.early is None:
            lowering = self._lowering(self.plan)
            renewed, placed = lowering.renewed, self._memory.placed
            self._now.early = LoweredFrames(lowering.lower_early, renewed, self._backend, placed)
        return self._now.early

    def _resumed(self, frame: LoweredFrame, turn: tuple[int, bool]) -> LoweredFrame:
        """The frame for its ``turn`` (slot, whether early), which another frame may have had before."""
        if self._used.get(turn) is not frame:
            frame.resume()
            self._used[turn] = frame
        return frame

    def end_frame(self, frame: int) -> None:
        """Note that a frame has been submitted."""
        self.last.note(self.resources, frame)
        self.frames += 1

    def _lowering(self, plan: Plan, copies: TextureCopies | None = None) -> Lowering:
        early = self.rates.early_names
        poisoner, counter = self._memory.poisoner, self._memory.counter
        return Lowering(
            plan,
            self._executed,
            self.resources,
            self._uniforms,
            self._memory.constants,
            self._backend,
            self._queries,
            early,
            PlanPoison(poisoner, self.plan) if poisoner is not None else None,
            PlanCounts(counter, self.plan) if counter is not None else None,
            copies,
        )

    # the end --------------------------------------------------------------------------------------------------------

    def retire(self) -> Remains:
        """Release everything except what the next plan may take over, and the lowered frames, which are leaving."""
        for one in self._known.values():
            self._leaving.add(one.leave())
            if one is not self._now:
                self._memory.give_back(one.resources)
        self._known.clear()
        self._uniforms.destroy()
        return Remains(self.plan, self.resources, self.last)

    def close(self) -> None:
        """Release everything except the lowered frames, which are leaving."""
        self._give_back_remains()
        self.retire().give_back(self._memory)

    def _close(self, one: AtResolution) -> None:
        for frame in one.leave():
            frame.destroy(self._backend)
        self._memory.give_back(one.resources)

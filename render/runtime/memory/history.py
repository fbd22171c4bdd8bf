"""Carries histories and kept resources over to a new plan, before its first frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.backend.protocol import Backend, BoundBarrier, Recorder
from renderwright.render.compiler.values.placement import PlacedResource
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.runtime.memory.contents import written_parts
from renderwright.render.runtime.memory.device_memory import DeviceMemory
from renderwright.render.runtime.memory.last_frame import LastFrame
from renderwright.render.runtime.memory.move_recorder import record_moves
from renderwright.render.runtime.memory.moves import Move
from renderwright.render.runtime.memory.resources import CopyKey, PlanResources
from renderwright.render.runtime.memory.transitions import transition
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import Physical, PhysicalInfo, TextureInfo
from renderwright.render.types.resources import Resolution, Texture

_NOTHING_LEFT = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Remains:
    """What a retired plan leaves to the next one."""

    plan: Plan
    resources: PlanResources
    last: LastFrame

    def give_back(self, memory: DeviceMemory) -> None:
        """Release it."""
        self.last.release()
        memory.give_back(self.resources)


@dataclass
class Carried:
    """Counts of histories and kept resources that a change of plan left in place, moved, and initialised."""

    in_place: int = 0
    moved: int = 0
    moved_bytes: int = 0
    anew: int = 0


class HistoryStart:
    """Prepares the previous frame's copies for the first frame of a plan.

    A history with the same description as in the previous plan is carried over: left in place if the new plan has it
    at the same place, else copied. Any other history is cleared or left undefined, as its readers request. ``copy`` is
    the parity of the last frame. Blob values are moved on the CPU. Kept resources are carried over too; if that is
    impossible, their writers run again.
    """

    def __init__(self, plan: Plan, resources: PlanResources, last: LastFrame, copy: int) -> None:
        self._plan = plan
        self._resources = resources
        self._last = last
        self._copy = copy
        self._layouts = dict(plan.sync.layouts_left)
        self.carried = Carried()

    def record(self, recorder: Recorder, memory: DeviceMemory, backend: Backend, remains: Remains | None) -> None:
        """Record the transfer, before the plan's first frame."""
        recorder.full_barrier()
        moves: list[Move] = []
        anew: list[CopyKey] = []
        old_layouts = dict(remains.plan.sync.layouts_left) if remains is not None else {}
        for placed in self._resources.placed.values():
            if remains is not None:
                self._carry_value(placed, remains.resources)
            for key in self._last_copies(placed):
                source = _left(placed, key, remains) if remains is not None else None
                target = self._target(placed, key, source, remains, memory) if source and remains else None
                if source is None or target is None:
                    if placed.has_history:
                        anew.append(key)
                    continue
                self._validate(placed, key)
                if target is source:
                    self.carried.in_place += 1
                    self._settle(key, source, old_layouts, recorder)
                else:
                    moves.append(Move(key, source, target, memory.placed.span(source), memory.placed.span(target)))
        moved = {move.key[0] for move in moves}
        written = written_parts(remains.plan, moved) if remains is not None and moved else {}
        record_moves(moves, recorder, backend, old_layouts, self._layouts, written)
        if moves:
            # An initialised history may lie in bytes that a move has just read.
            recorder.full_barrier()
        if memory.poisoner is not None:
            memory.poisoner.record_gaps(self._resources.heaps, self._taken_over(memory, anew), recorder)
        self.carried.moved = len(moves)
        self.carried.moved_bytes = sum(move.source_span.end - move.source_span.start for move in moves)
        for key in anew:
            self._initialise(key, recorder)
        self.carried.anew = len(anew)
        recorder.full_barrier()

    def _last_copies(self, placed: PlacedResource) -> list[CopyKey]:
        """The copies that the first frame may read: all of a ring, else the previous frame's copy."""
        if not (placed.has_history or placed.kept) or not placed.copies:
            return []
        return [(placed.id, copy) for copy in (range(placed.turns) if placed.turns > 2 else (self._copy,))]

    def _taken_over(self, memory: DeviceMemory, anew: Sequence[CopyKey]) -> list[tuple[int, int, int]]:
        """The bytes that hold contents: heap by number, start and end."""
        heaps = {id(heap): number for number, heap in enumerate(self._resources.heaps)}
        taken = []
        for placed in self._resources.placed.values():
            for key in self._last_copies(placed):
                if key in self._resources.valid and key not in anew:
                    span = memory.placed.span(self._resources.physicals[key])
                    taken.append((heaps[id(span.heap)], span.start, span.end))
        return taken

    def _carry_value(self, placed: PlacedResource, old: PlanResources) -> None:
        key = (placed.id, self._copy)
        if key in self._resources.cells and key in old.cells:
            self._resources.cells[key].value = old.cells[key].value
            if key in old.valid and (not placed.kept or old.placed[placed.id].kept):
                self._validate(placed, key)

    def _validate(self, placed: PlacedResource, key: CopyKey) -> None:
        self._resources.valid.update([(placed.id, 0), (placed.id, 1)] if placed.kept else [key])

    def _target(
        self, placed: PlacedResource, key: CopyKey, source: Physical, remains: Remains, memory: DeviceMemory
    ) -> Physical | None:
        """The resource that the contents belong in; None if the new plan cannot use them."""
        own = self._resources.physicals[key]
        if _without_usages(own.info) == _without_usages(source.info):
            return own
        if placed.kept or not _planned_alike(placed.id, self._plan, remains.plan):
            return None
        # Only the dynamic resolution has changed: the first frame reads a texture of the old size.
        assert isinstance(own.info, TextureInfo)
        assert isinstance(source.info, TextureInfo)
        info = replace(own.info, extent=source.info.extent, mips=source.info.mips)
        texture = memory.take_at(placed, key[1], info, self._resources.heaps)
        if texture is not None:
            self._last.put(key, texture)
        return texture

    def _settle(self, key: CopyKey, physical: Physical, old_layouts: Mapping[str, Layout], recorder: Recorder) -> None:
        """Transition contents that stay in place to the new plan's layout, if it differs."""
        old, new = (layouts.get(key[0], Layout.UNDEFINED) for layouts in (old_layouts, self._layouts))
        if isinstance(physical.info, TextureInfo) and old != new:
            recorder.barriers([BoundBarrier(transition(*key, old, new), physical)])

    def _initialise(self, key: CopyKey, recorder: Recorder) -> None:
        placed = self._resources.placed[key[0]]
        target = self._resources.physicals[key]
        layout = self._layouts.get(placed.id, Layout.UNDEFINED)
        if not isinstance(target.info, TextureInfo):
            if placed.first is FirstFrame.CLEAR:
                recorder.fill_buffer(target)
            return
        if placed.first is FirstFrame.CLEAR:
            recorder.barriers([BoundBarrier(transition(*key, Layout.UNDEFINED, Layout.TRANSFER_DST), target)])
            recorder.clear_texture(target, Layout.TRANSFER_DST, _NOTHING_LEFT)
            recorder.barriers([BoundBarrier(transition(*key, Layout.TRANSFER_DST, layout), target)])
        else:
            recorder.barriers([BoundBarrier(transition(*key, Layout.UNDEFINED, layout), target)])


def _left(placed: PlacedResource, key: CopyKey, remains: Remains) -> Physical | None:
    """The resource with the contents of the old plan's last frame, if it is of the same kind and valid."""
    before = remains.resources.placed.get(placed.id)
    if before is None or key not in remains.resources.valid:
        return None
    if (before.has_history, before.kept, before.turns) != (placed.has_history, placed.kept, placed.turns):
        return None
    return remains.resources.physicals[key] if placed.kept else remains.last.held.get(key)


def _without_usages(info: PhysicalInfo) -> PhysicalInfo:
    """The description without what contents do not depend on: usages and sharing between queues."""
    return replace(info, usages=frozenset(), concurrent=False)


def _planned_alike(resource: str, plan: Plan, before: Plan) -> bool:
    """Whether both plans have the same texture at the same full size; the dynamic resolution may differ."""
    descs = [next(item.resource.desc for item in one.graph.resources if item.id == resource) for one in (plan, before)]
    desc = descs[0]
    if desc != descs[1] or not isinstance(desc, Texture) or not isinstance(desc.size, Resolution):
        return False
    sizes = [dict(one.placement.planned_extents)[desc.size.name] for one in (plan, before)]
    return sizes[0] == sizes[1]

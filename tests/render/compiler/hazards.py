"""A brute-force judge of barriers.

It replays two even and two odd frames of a program, or any sequence of frames, over bytes of memory. Every pair of
accesses to common bytes, one of them a write, must be ordered by a chain of barriers; what was written last must be
made available and visible to whoever comes next; layouts and contents must be what each access expects. It knows the
graph, the placement and the program, and shares nothing with the stages that derived them but the table of usages.
"""

from __future__ import annotations

from collections.abc import Sequence

from ordered_frames import Compiled
from races import EVERYWHERE, Bytes, Event, meet, races

from renderwright.render.compiler.values.operations import BarrierOp, BeginPassOp, EndPassOp, NodeOp
from renderwright.render.sync.barriers import Barrier, BarrierReason, ClearOp, MemoryBarrier
from renderwright.render.sync.flags import WRITES, Access, Layout, Stage
from renderwright.render.sync.scopes import scope_of
from renderwright.render.types.attachments import Load, Store
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import ATTACHMENTS, Usage

Key = tuple[str, int]
OPENINGS = (BarrierReason.ACTIVATE, BarrierReason.HANDOVER)


def hazards(compiled: Compiled, limit: int = 1) -> list[str]:
    """What is wrong with the program, at most ``limit`` findings of each kind."""
    return hazards_of_frames([compiled] * 4, limit)


def hazards_of_frames(frames: Sequence[Compiled], limit: int = 1, *, carried: bool = False) -> list[str]:
    """What is wrong with a sequence of frames with the same memory, even and odd in turn, in which different nodes run.

    ``carried`` says that what is kept from frame to frame is there before the first.
    """
    replay = _Replay(frames, carried=carried)
    replay.run()
    distance = len(frames) if replay.kept else 2
    return [*replay.findings[:limit], *races(replay.events, limit, len(frames) - 2, distance)]


class _Replay:
    """Writes down the events in order, and follows layouts and contents on the way."""

    def __init__(self, frames: Sequence[Compiled], *, carried: bool) -> None:
        self.events: list[Event] = []
        self.findings: list[str] = []
        self._frames = frames
        compiled = self._compiled = frames[0]
        self.kept = {item.id for item in compiled.placement.resources if item.kept}
        self._assets = _assets(frames)
        self._placed = {item.id: item for item in compiled.placement.resources}
        self._external = {item.id for item in compiled.graph.resources if item.resource.external}
        self._unified = compiled.sync.layouts.unified
        self._textures = {r.id for r in compiled.graph.resources if isinstance(r.resource.desc, Texture)}
        # What the runtime provides before the first frame: histories at rest.
        self._layouts: dict[Key, Layout] = {(name, 1): layout for name, layout in compiled.sync.layouts_left}
        # Copies that are one image have one key.
        reuse = compiled.sync.image_reuse
        names: dict[str, Key] = {}
        self._images = {key: names.setdefault(name, key) for key, name in reuse.shared_images}
        self._layouts |= {self._key(*key): Layout.GENERAL for key in reuse.first_transitions(0)}
        self._contents: dict[Key, bool] = {}
        if carried:
            self._layouts |= {(name, 0): layout for name, layout in compiled.sync.layouts_left if name in self.kept}
            self._contents = {(name, 0): True for name in self.kept}
        self._time = 0
        self._frame = 0
        self._passes = 0
        self._presented: set[str] = set()

    def run(self) -> None:
        for number, compiled in enumerate(self._frames):
            self._frame, self._compiled = number, compiled
            program = compiled.program
            self._presented.clear()
            self._acquire()
            open_pass: BeginPassOp | None = None
            for op in program.odd if self._frame % 2 else program.even:
                self._time += 1
                if isinstance(op, BarrierOp):
                    self._barriers(op)
                elif isinstance(op, ClearOp):
                    key = self._key(op.resource, op.copy)
                    self._touch(key, Stage.CLEAR, Access.TRANSFER_WRITE, Layout.TRANSFER_DST, "clear", -1)
                elif isinstance(op, BeginPassOp):
                    open_pass = op
                    self._passes += 1
                    self._begin(op)
                elif isinstance(op, NodeOp):
                    self._node(op, open_pass)
                else:
                    assert isinstance(op, EndPassOp)
                    assert open_pass is not None
                    self._end(open_pass)
                    open_pass = None
            for name in self._presented:
                if self._layouts[name, self._frame % 2] is not Layout.PRESENT_SRC:
                    self._find(f"{name} is presented in another layout")

    def _find(self, text: str) -> None:
        self.findings.append(f"frame {self._frame}: {text}")

    def _key(self, name: str, copy: int) -> Key:
        """There is but one copy of what is kept."""
        return (name, 0) if name in self.kept else self._images.get((name, copy), (name, copy))

    def _bytes(self, key: Key) -> Bytes:
        placed = self._placed[key[0]]
        if placed.copies:
            copy = placed.copies[key[1]]
            return f"heap {copy.heap}", copy.offset, copy.offset + placed.size
        return (f"{key[0]} {key[1]}" if key[0] in self._textures else key[0]), 0, 1

    def _acquire(self) -> None:
        """The semaphore from the display is waited on at one stage; what touches the image must come after that."""
        for name in self._external & self._textures:
            stages, where = int(Stage.COLOR_ATTACHMENT_OUTPUT), self._bytes((name, self._frame % 2))
            self._time += 1
            self.events.append(Event(self._time, self._frame, f"acquire {name}", stages, 0, where, gate=True))

    def _barriers(self, op: BarrierOp) -> None:
        for barrier in op.barriers:
            if isinstance(barrier, MemoryBarrier):
                stages = barrier.src_stages
                self.events.append(
                    Event(self._time, self._frame, "barrier of all memory", stages, 0, EVERYWHERE, barrier=barrier)
                )
                for member in barrier.members:
                    self._open(member)
                continue
            self._open(barrier)
            key = self._key(barrier.resource, barrier.copy)
            where = self._bytes(key)
            label = f"barrier of {key}"
            event = Event(self._time, self._frame, label, barrier.src_stages, 0, where, barrier=barrier)
            self.events.append(event)
            if barrier.resource in self._textures:
                current = self._layouts.get(key, Layout.UNDEFINED)
                if barrier.old_layout not in (Layout.UNDEFINED, current):
                    self._find(f"{label} expects {barrier.old_layout!r}, not {current!r}")
                if barrier.old_layout is Layout.UNDEFINED:
                    self._clobber(key, keep=False)
                self._layouts[key] = barrier.new_layout
                event.change = barrier.old_layout != barrier.new_layout

    def _open(self, barrier: Barrier) -> None:
        """A life begins without contents, also where its image stays in its layout."""
        if barrier.reason in OPENINGS and barrier.old_layout is Layout.GENERAL:
            self._contents[self._key(barrier.resource, barrier.copy)] = False

    def _clobber(self, key: Key, *, keep: bool) -> None:
        """The bytes of ``key`` now hold its own contents, or nothing; nobody else has contents or a layout there."""
        for other in list(self._contents):
            if meet(self._bytes(other), self._bytes(key)):
                self._contents[other] = False
        for other in self._layouts:
            if other != key and meet(self._bytes(other), self._bytes(key)):
                self._layouts[other] = Layout.UNDEFINED
        self._contents[key] = keep

    def _touch(self, key: Key, stages: int, access: int, layout: Layout, label: str, render_pass: int) -> None:
        where = self._bytes(key)
        self.events.append(Event(self._time, self._frame, f"{label} {key}", stages, access, where, render_pass))
        if self._unified and key[0] not in self._external:
            layout = Layout.GENERAL
        if key[0] in self._textures and key[0] not in self._assets:
            current = self._layouts.get(key, Layout.UNDEFINED)
            if current is not layout:
                self._find(f"{label} finds {key} in {current!r}, not {layout!r}")
        if access & WRITES:
            self._clobber(key, keep=True)

    def _begin(self, op: BeginPassOp) -> None:
        for attachment, copy in zip(op.attachments, op.copies, strict=True):
            if attachment.load is Load.LOAD:
                self._expect(self._key(attachment.resource, copy), f"pass {op.number} loads")
            elif attachment.load is Load.DISCARD and attachment.usage is not Usage.RESOLVE:
                self._contents[self._key(attachment.resource, copy)] = False

    def _end(self, op: BeginPassOp) -> None:
        for attachment, copy in zip(op.attachments, op.copies, strict=True):
            if attachment.store is Store.DISCARD:
                self._contents[self._key(attachment.resource, copy)] = False

    def _expect(self, key: Key, label: str) -> None:
        if key[0] not in self._external and not self._contents.get(key, False):
            self._find(f"{label} {key}, which holds nothing")

    def _node(self, op: NodeOp, open_pass: BeginPassOp | None) -> None:
        node = self._compiled.graph.nodes[op.node]
        inside = self._passes if open_pass else -1
        needed = self._needed_layouts(op.node)
        for use in node.uses:
            if use.usage is Usage.PRESENT:
                self._presented.update(use.resources)
            if use.usage is None or use.usage is Usage.PRESENT:
                continue
            scope = scope_of(use.usage, use.stages)
            for name in use.resources:
                key = self._key(name, (self._frame + use.reads_history) % 2)
                if use.usage in ATTACHMENTS and (open_pass is None or name not in _names(open_pass)):
                    self._find(f"{node.id} renders to {name} outside its pass")
                if not (use.reads_history and self._frame == 0) and not scope.access & WRITES:
                    self._expect(key, f"{node.id} reads")
                label = f"{node.id} {use.usage}"
                attached = inside if use.usage in ATTACHMENTS else -1
                self._touch(key, scope.stages, scope.access, needed[name, use.reads_history], label, attached)
        if open_pass is None and any(use.present and use.usage in ATTACHMENTS for use in node.uses):
            self._find(f"{node.id} renders outside a pass")

    def _needed_layouts(self, number: int) -> dict[tuple[str, bool], Layout]:
        """What is used in two ways at once is in a layout for both: its own for depth, the general one for all else."""
        layouts: dict[tuple[str, bool], Layout] = {}
        for use in self._compiled.graph.nodes[number].uses:
            if use.usage is None:
                continue
            layout = scope_of(use.usage, use.stages).layout
            for name in use.resources:
                key = name, use.reads_history
                layouts[key] = _for_both(layout, layouts.get(key, layout))
        return layouts


def _for_both(one: Layout, other: Layout) -> Layout:
    for depth in (Layout.DEPTH_ATTACHMENT, Layout.DEPTH_READ_ONLY):
        if depth in (one, other):
            return depth
    return one if one is other else Layout.GENERAL


def _assets(frames: Sequence[Compiled]) -> set[str]:
    """External textures that are only ever sampled."""
    graph = frames[0].graph
    external = {r.id for r in graph.resources if r.resource.external and isinstance(r.resource.desc, Texture)}
    usages: dict[str, set[Usage | None]] = {}
    for frame in frames:
        for node in frame.graph.nodes:
            for use in node.uses:
                for name in use.resources:
                    usages.setdefault(name, set()).add(use.usage)
    return {name for name in external if usages.get(name, set()) <= {None, Usage.SAMPLED}}


def _names(op: BeginPassOp) -> set[str]:
    return {attachment.resource for attachment in op.attachments}

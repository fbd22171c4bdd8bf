"""A plan as the command stream that a device would receive, so that the oracle can judge it without a device.

The host does not wait between frames, which is stricter than the runtime.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.operations import (
    BarrierOp,
    BeginPassOp,
    EndPassOp,
    NodeOp,
    Op,
    Program,
    SetEventOp,
    SubmissionOp,
    WaitEventOp,
)
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError
from renderwright.render.inspect.frames import frame_plans
from renderwright.render.inspect.plan_accesses import RENDERED, device_access, layout_for
from renderwright.render.inspect.plan_externals import externals
from renderwright.render.inspect.plan_queues import FAMILIES, PlanQueues
from renderwright.render.sync.barriers import ClearOp, Issued, MemoryBarrier, SyncPlan
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import Report, check
from renderwright.render.sync.oracle import stream as s
from renderwright.render.sync.oracle.names import ACCESSES, ALL_COMMANDS, LAYOUTS, STAGES
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.attachments import Attachment as PlannedAttachment
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.resources import Blob, Buffer, Texture
from renderwright.render.types.usages import Usage

_LAYOUT_NAMES = {number: name for name, number in LAYOUTS.items()}
_CLEAR, _TRANSFER = STAGES["CLEAR"], ACCESSES["TRANSFER_WRITE"]
_JUDGED_FRAMES = 5

# The application may sample external textures with contents between frames.
_OUTSIDE = (
    STAGES["VERTEX_SHADER"] | STAGES["FRAGMENT_SHADER"] | STAGES["COMPUTE_SHADER"],
    ACCESSES["SHADER_SAMPLED_READ"],
    "SHADER_READ_ONLY_OPTIMAL",
)
_NO_BLEND = ("", "none", "off", None)


class Planned(Protocol):
    """The parts of a plan that the stream depends on."""

    @property
    def graph(self) -> InstanceGraph:
        """Nodes and resources."""

    @property
    def placement(self) -> Placement:
        """The memory of resources."""

    @property
    def sync(self) -> SyncPlan:
        """The layouts of histories in the steady state."""

    @property
    def program(self) -> Program:
        """The operations and submissions."""


def judge(frames: Sequence[Planned], *, carried: bool = False) -> Report:
    """The oracle's report on consecutive frames; see ``plan_stream``."""
    return check(plan_stream(frames, carried=carried))


def require_sound(plan: Plan) -> None:
    """Judge the first frames of a plan, and raise ``CompileError`` with the first finding."""
    found = judge(list(frame_plans(plan, _JUDGED_FRAMES))).findings
    if found:
        first, *others = str(found[0]).split("\n")
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise CompileError(f"the plan is not synchronised{more}: {first}", hint="\n  ".join(others))


def plan_stream(frames: Sequence[Planned], *, carried: bool = False) -> s.Stream:
    """The stream of frames, even and odd in turn, of plans that share one placement.

    ``carried`` says that kept resources have contents before the first frame.
    """
    return _Writer(frames, carried=carried).stream()


class _Writer:
    def __init__(self, frames: Sequence[Planned], *, carried: bool) -> None:
        self._frames = frames
        self._carried = carried
        self._items: list[s.Item] = []
        self._frame = 0
        self._buffer = ""
        plan = frames[0]
        self._placed = {item.id: item for item in plan.placement.resources}
        self._descs = {item.id: item.resource.desc for item in plan.graph.resources}
        self._externals = dict(externals([frame.graph for frame in frames]))
        self._unified = plan.sync.layouts.unified
        self._image_reuse = plan.sync.image_reuse
        self._concurrent = frozenset().union(*(frame.sync.concurrent for frame in frames))
        self._queues = PlanQueues([frame.program.submissions for frame in frames])
        self._submission = 0
        self._assets_sampled = False
        self._acquired: list[s.Wait] = []

    def stream(self) -> s.Stream:
        self._declare()
        for number, plan in enumerate(self._frames):
            self._frame = number
            self._items.append(s.Frame(self._line, number))
            self._play(plan)
        return s.Stream(self._queues.queues, tuple(self._items), "plan")

    @property
    def _line(self) -> int:
        """The line number of the next item in the text of the stream; the header is line 1."""
        return len(self._items) + 2

    # resources ------------------------------------------------------------------------------------------------------

    def _id(self, name: str, copy: int) -> str:
        external = self._externals.get(name)
        if external is not None:
            return name if not external.texture or external.asset else f"{name} of frame {self._frame}"
        if self._placed[name].kept:
            return name
        turns = len(self._placed[name].copies)
        if turns > 2:
            # The frame's own copy, or the oldest frame's copy, which the next frame overwrites.
            own = copy == self._frame % 2
            return self._numbered(name, (self._frame + (not own)) % turns)
        return self._image(name, copy)

    def _image(self, name: str, copy: int) -> str:
        """The id of a copy's image: one that it shares with other copies, or its own."""
        return self._image_reuse.image_names.get((name, copy)) or self._numbered(name, copy)

    def _numbered(self, name: str, number: int) -> str:
        """The id of one of several physical copies of a resource."""
        if len(self._placed[name].copies) > 2:
            return f"{name} ({number})"
        return f"{name} ({'odd' if number else 'even'})"

    def _declare(self) -> None:
        for timeline in self._queues.timelines():
            self._items.append(s.Semaphore(self._line, timeline, True))
        for name, external in self._externals.items():
            if not external.texture:
                desc = self._descs[name]
                assert isinstance(desc, Buffer)
                known = max(desc.size, 1)  # the size of some only their provider knows
                self._items.append(s.Buffer(self._line, name, known, concurrent=True, content="defined"))
            elif external.asset:
                held = "SHADER_READ_ONLY_OPTIMAL"
                self._items.append(s.Image(self._line, name, concurrent=True, content="defined", layout=held))
        layouts_left = dict(self._frames[0].sync.layouts_left)
        # The runtime transitions these to the general layout before the first frame.
        transitioned = {self._image(*key) for key in self._image_reuse.first_transitions(0)}
        declared = set()
        for placed in self._placed.values():
            for number, copy in enumerate(placed.copies[:1] if placed.kept else placed.copies):
                memory = s.Memory(f"heap {copy.heap}", copy.offset, placed.size)
                name = placed.id if placed.kept else self._image(placed.id, number)
                if name in declared:
                    continue
                declared.add(name)
                desc = self._descs[placed.id]
                concurrent = placed.id in self._concurrent
                # The runtime prepares the contents and layouts that a previous frame would have left.
                there = (placed.has_history and number >= 1) or (placed.kept and (placed.has_history or self._carried))
                content = "defined" if there else "none"
                layout = _LAYOUT_NAMES[layouts_left.get(placed.id, Layout.UNDEFINED) if there else Layout.UNDEFINED]
                if name in transitioned:
                    layout = _LAYOUT_NAMES[Layout.GENERAL]
                if isinstance(desc, Texture):
                    size = desc.mips, desc.layers
                    image = s.Image(self._line, name, *size, memory, concurrent, content=content, layout=layout)
                    self._items.append(image)
                elif isinstance(placed.info, BufferInfo):
                    self._items.append(s.Buffer(self._line, name, placed.info.size, memory, concurrent, content))

    # frames ---------------------------------------------------------------------------------------------------------

    def _begin(self, plan: Planned, buffer: str) -> None:
        self._buffer = buffer
        self._items.append(s.Begin(self._line, buffer))
        if not self._assets_sampled and plan.program.submissions[self._submission].queue == GRAPHICS:
            self._assets_sampled = True
            assets = [name for name, external in self._externals.items() if external.asset]
            if assets:
                self._work("outside of the frame", [s.Access(name, *_OUTSIDE) for name in assets])

    def _play(self, plan: Planned) -> None:
        self._queues.begin_frame()
        for name, external in self._externals.items():
            if external.texture and not external.asset:
                image, semaphore = self._id(name, 0), f"{name} acquired {self._frame}"
                self._items.append(s.Image(self._line, image, display=True, content="defined"))
                self._items.append(s.Semaphore(self._line, semaphore, False))
                self._items.append(s.Acquire(self._line, image, semaphore))
                self._acquired.append(s.Wait(semaphore, 0, STAGES["COLOR_ATTACHMENT_OUTPUT"]))
        self._submission = 0
        self._assets_sampled = False
        self._begin(plan, f"frame {self._frame}")
        for op in plan.program.odd if self._frame % 2 else plan.program.even:
            self._op(plan, op)
        shown = [name for name in self._externals if self._shows(plan, name)]
        semaphores = [f"{name} rendered {self._frame}" for name in shown]
        for semaphore in semaphores:
            self._items.append(s.Semaphore(self._line, semaphore, False))
        self._submit(plan, [s.Wait(semaphore, 0, ALL_COMMANDS) for semaphore in semaphores])
        for name, semaphore in zip(shown, semaphores, strict=True):
            self._items.append(s.Present(self._line, GRAPHICS, self._id(name, 0), (semaphore,)))
        self._host_reads(plan)

    def _submit(self, plan: Planned, more: Sequence[s.Wait] = ()) -> None:
        """Submits the recorded commands to their queue."""
        submission = plan.program.submissions[self._submission]
        waits, signal = self._queues.submit(submission)
        if submission.queue == GRAPHICS:
            waits, self._acquired = (*waits, *self._acquired), []
        self._items.append(s.Submit(self._line, submission.queue, (self._buffer,), waits, (signal, *more)))

    def _next_submission(self, plan: Planned, number: int) -> None:
        if number:
            self._submit(plan)
            self._submission = number
            self._begin(plan, f"frame {self._frame}, submission {number}")

    def _shows(self, plan: Planned, name: str) -> bool:
        return self._externals[name].texture and any(
            use.usage is Usage.PRESENT and name in use.resources for node in plan.graph.nodes for use in node.uses
        )

    def _host_reads(self, plan: Planned) -> None:
        read = [
            self._id(name, self._copy(use.reads_history))
            for node in plan.graph.nodes
            for use in node.uses
            if use.usage is Usage.HOST_READ
            for name in use.resources
        ]
        for timeline, value in self._queues.reached() if read else ():
            self._items.append(s.HostWait(self._line, timeline, value))
        self._items.extend(s.HostAccess(self._line, name, False) for name in read)

    def _copy(self, history: bool) -> int:
        return (self._frame + history) % 2

    def _op(self, plan: Planned, op: Op) -> None:
        match op:
            case BarrierOp():
                self._items.append(s.Barrier(self._line, self._buffer, self._dependencies(op.barriers)))
            case SetEventOp():
                dependencies = self._dependencies(op.barriers)
                self._items.append(s.SetEvent(self._line, self._buffer, self._event(op.event), dependencies))
            case WaitEventOp():
                waited = ((self._event(op.event), self._dependencies(op.barriers)),)
                self._items.append(s.WaitEvents(self._line, self._buffer, waited))
            case SubmissionOp():
                self._next_submission(plan, op.number)
            case ClearOp():
                part = s.Range(op.part.mips, op.part.layers)
                layout = layout_for({Usage.COPY_DST}, general=self._general(op.resource))
                access = s.Access(self._id(op.resource, op.copy), _CLEAR, _TRANSFER, layout, part)
                self._work("clear", [access])
            case BeginPassOp():
                names = [self._id(a.resource, copy) for a, copy in zip(op.attachments, op.copies, strict=True)]
                general = [self._general(attachment.resource) for attachment in op.attachments]
                found = tuple(_attachments(op.attachments, names, general, self._descs, op.views))
                self._items.append(s.BeginRendering(self._line, self._buffer, found))
            case EndPassOp():
                self._items.append(s.EndRendering(self._line, self._buffer))
            case NodeOp():
                self._node(plan.graph.nodes[op.node])

    def _general(self, name: str) -> bool:
        """Whether a texture is in the general layout for all usages. External ones have the layouts of their usages."""
        return self._unified and name not in self._externals

    def _event(self, number: int) -> str:
        """The id of an event, distinct for each frame."""
        return f"event {number} of frame {self._frame}"

    def _dependencies(self, barriers: Sequence[Issued]) -> tuple[s.Dependency, ...]:
        return tuple(self._dependency(barrier) for barrier in barriers)

    def _dependency(self, barrier: Issued) -> s.Dependency:
        source = int(barrier.src_stages), int(barrier.src_access)
        target = int(barrier.dst_stages), int(barrier.dst_access)
        if isinstance(barrier, MemoryBarrier):
            return s.Dependency(*source, *target)
        texture = isinstance(self._descs[barrier.resource], Texture)
        return s.Dependency(
            *source,
            *target,
            self._id(barrier.resource, barrier.copy),
            s.Range(barrier.mips, barrier.layers) if texture else s.WHOLE,
            _LAYOUT_NAMES[barrier.old_layout] if texture else "",
            _LAYOUT_NAMES[barrier.new_layout] if texture else "",
            (FAMILIES[barrier.owners[0]], FAMILIES[barrier.owners[1]]) if barrier.owners is not None else None,
        )

    def _node(self, node: NodeInstance) -> None:
        usages: dict[tuple[str, bool], list[tuple[Part, Usage]]] = {}
        for use in node.uses:
            for name in use.resources:
                if use.usage is not None:
                    usages.setdefault((name, use.reads_history), []).append((use.request.part, use.usage))
        accesses = []
        for use in node.uses:
            done = device_access(use.usage, use.stages) if use.usage is not None else None
            for name in use.resources if done is not None else ():
                assert done is not None
                texture = isinstance(self._descs[name], Texture)
                part = use.request.part
                together = _same_layout_usages(usages[name, use.reads_history], part)
                layout = layout_for(together, general=self._general(name)) if texture else ""
                place = s.Range(part.mips, part.layers) if texture else s.WHOLE
                accesses.append(s.Access(self._id(name, self._copy(use.reads_history)), *done, layout, place))
        draws = any(use.usage in RENDERED and use.present for use in node.uses)
        if not accesses and not draws:
            return
        states = [node.declaration.state, *(pipeline.state for pipeline in node.declaration.pipelines)]
        blends = any(dict(state).get("blend") not in _NO_BLEND for state in states)
        self._items.append(s.Label(self._line, self._buffer, node.id))
        usages_of_depth = {use.usage for use in node.uses if use.present} & {Usage.DEPTH, Usage.DEPTH_READ}
        depth = "read" if usages_of_depth == {Usage.DEPTH_READ} else "write"
        self._work("draw" if draws else "work", accesses, draws, blends, depth)
        self._items.append(s.Label(self._line, self._buffer, ""))

    def _work(
        self, name: str, accesses: Sequence[s.Access], draws: bool = False, blends: bool = False, depth: str = "write"
    ) -> None:
        self._items.append(s.Work(self._line, self._buffer, name, tuple(accesses), draws, blends, depth))


def _same_layout_usages(usages: Sequence[tuple[Part, Usage]], part: Part) -> set[Usage]:
    """The usages that must share one layout with a part: those of all parts connected to it by overlaps."""
    near, size = {part}, 0
    while len(near) > size:
        size = len(near)
        near |= {other for other, _ in usages for known in near if _overlap(other, known)}
    return {usage for other, usage in usages if other in near}


def _overlap(one: Part, other: Part) -> bool:
    spans = ((one.mips, other.mips), (one.layers, other.layers))
    return all(not a or not b or max(a[0], b[0]) < min(a[0] + a[1], b[0] + b[1]) for a, b in spans)


def _attachments(
    planned: Sequence[PlannedAttachment],
    names: Sequence[str],
    general: Sequence[bool],
    descs: Mapping[str, Texture | Buffer | Blob],
    views: int,
) -> Iterator[s.Attachment]:
    """The attachments of a pass. Resolve targets belong to the multisampled colours, in order."""
    found = list(zip(planned, names, general, strict=True))
    targets = [
        (name, layout_for({item.usage}, general=same), s.Range(item.part.mips, _layers(item.part, views)))
        for item, name, same in found
        if item.usage is Usage.RESOLVE
    ]
    for item, name, same in found:
        if item.usage is Usage.RESOLVE:
            continue
        desc = descs[item.resource]
        color = item.usage is Usage.COLOR
        resolves = color and targets and isinstance(desc, Texture) and desc.samples > 1
        target = targets.pop(0) if resolves else ()
        load = "dont_care" if item.load.value == "discard" else item.load.value
        store = "dont_care" if item.store.value == "discard" else item.store.value
        if item.usage is Usage.DEPTH_READ:
            store = "none"
        layout = layout_for({item.usage}, general=same)
        aspect = "color" if color else "depth"
        yield s.Attachment(name, aspect, layout, load, store, _attached(desc, item.part, views), *target)


def _attached(desc: Texture | Buffer | Blob, part: Part, views: int) -> s.Range:
    """The range of an attachment: one mip, by default the largest."""
    mips = part.mips or ((0, 1) if isinstance(desc, Texture) and desc.mips > 1 else None)
    return s.Range(mips, _layers(part, views))


def _layers(part: Part, views: int) -> tuple[int, int] | None:
    """The layers of an attachment; multiview rendering accesses one a view, from the first one on."""
    return (part.layers[0] if part.layers else 0, views) if views > 1 else part.layers

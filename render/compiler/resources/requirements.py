"""The requirements of each resource, known before sizes: usages, live ranges, history, what is carried over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.compiler.rates import kept_resources
from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.resources.clear_commands import needs_clear_command
from renderwright.render.compiler.resources.history_policies import first_frames, history_ages
from renderwright.render.compiler.resources.live_ranges import LiveRange, always, live_ranges
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.queue_plan import ExecutionInterval
from renderwright.render.errors import CompileError
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.sync.derive import ResourceAccess, is_concurrent
from renderwright.render.sync.layouts import in_general
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.resources import Blob
from renderwright.render.types.usages import ATTACHMENTS, Usage

_COPIES = frozenset({Usage.COPY_SRC, Usage.COPY_DST})


@dataclass(frozen=True, slots=True)
class ResourceRequirements:
    """The requirements of a resource, without its size.

    ``live_ranges`` are those of the even and of the odd copy on the circle of two frames; None for whatever takes no
    memory of the graph: blobs, external resources, unused ones. ``usages`` are all that the physical resource must
    allow. ``has_history`` says whether the next frame, or a later one, reads it; ``first`` what its readers find in the
    first frame. ``kept`` resources outlast frames in which their makers are skipped. The contents of a ``transient``
    texture never leave a render pass. No single queue owns a ``concurrent`` resource. Its history is read ``age``
    frames later: it has ``age + 1`` copies, and an age of two or more keeps their memory from aliasing.
    """

    item: ResourceInstance
    live_ranges: tuple[LiveRange, LiveRange] | None
    usages: frozenset[Usage]
    has_history: bool
    first: FirstFrame
    kept: bool
    transient: bool = False
    concurrent: bool = False
    age: int = 1

    @property
    def owned(self) -> bool:
        """Whether it takes memory of the graph."""
        return self.live_ranges is not None


@dataclass(frozen=True)
class Requirements:
    """The requirements of all resources in the graph's order; ``period`` is the length of the circle of two frames."""

    resources: tuple[ResourceRequirements, ...]
    period: int

    @cached_property
    def carried_over(self) -> frozenset[str]:
        """The resources (by id) whose contents later frames find: those with a history, and kept ones."""
        return frozenset(each.item.id for each in self.resources if each.has_history or each.kept)


def requirements(
    graph: InstanceGraph,
    histories: Mapping[str, AccessHistory],
    execution_intervals: Sequence[ExecutionInterval],
    queues: Sequence[str] = (),
    merge: bool = True,
) -> Requirements:
    """The requirements of all resources; ``CompileError`` for the history of an external resource.

    ``execution_intervals`` are those of the nodes, ``queues`` the queues that they run on; if empty, all run on
    the graphics queue. Without ``merge`` nodes share no pass.
    """
    policies = first_frames(graph)
    frame = _Frame(
        graph,
        execution_intervals,
        queues,
        policies=policies,
        ages=history_ages(graph),
        kept=kept_resources(graph),
        sinks=frozenset(graph.sinks),
        merge=merge,
    )
    found = []
    for item in graph.resources:
        if item.resource.external and item.id in policies:
            _check_external_history(item)
        accessed = histories.get(item.id)
        found.append(_of_blob(item, frame) if accessed is None else _of_gpu_resource(item, accessed, frame))
    return Requirements(tuple(found), 2 * len(graph.nodes))


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the requirements depend on besides the access history; ``policies`` to ``sinks`` are by resource id."""

    graph: InstanceGraph
    execution_intervals: Sequence[ExecutionInterval]
    queues: Sequence[str]
    policies: Mapping[str, FirstFrame]
    ages: Mapping[str, int]
    kept: frozenset[str]
    sinks: frozenset[str]
    merge: bool


def _check_external_history(item: ResourceInstance) -> None:
    if not isinstance(item.resource.desc, Blob):
        raise CompileError(
            f'"{item.id}" comes from outside the frame and has no history',
            hint="copy it to a resource of the graph and read the history of that",
            where=item.resource.source,
        )


def _of_blob(item: ResourceInstance, frame: _Frame) -> ResourceRequirements:
    return ResourceRequirements(
        item,
        live_ranges=None,
        usages=frozenset(),
        has_history=item.id in frame.policies,
        first=frame.policies.get(item.id, FirstFrame.DISCARD),
        kept=item.id in frame.kept,
    )


def _of_gpu_resource(item: ResourceInstance, accessed: AccessHistory, frame: _Frame) -> ResourceRequirements:
    name = item.id
    has_history, kept = name in frame.policies, name in frame.kept
    needed_later = has_history or kept or name in frame.sinks
    ranges = _live_ranges(item, accessed, frame)
    usages = _usages(item, accessed, kept=kept)
    only_attached = bool(usages) and usages <= ATTACHMENTS
    return ResourceRequirements(
        item,
        ranges,
        usages,
        has_history,
        first=frame.policies.get(name, FirstFrame.DISCARD),
        kept=kept,
        transient=ranges is not None
        and frame.merge
        and only_attached
        and not needed_later
        and _fits_one_pass(frame.graph.nodes, accessed),
        concurrent=bool(frame.queues) and _belongs_to_all(accessed, frame.queues, needed_later=needed_later),
        age=frame.ages.get(name, 1),
    )


def _live_ranges(item: ResourceInstance, accessed: AccessHistory, frame: _Frame) -> tuple[LiveRange, LiveRange] | None:
    """The live ranges of both copies, None if the resource takes no memory of the graph."""
    if item.resource.external or not accessed.nodes:
        return None
    if item.id in frame.kept or item.id in frame.ages:
        return always(len(frame.execution_intervals))
    return live_ranges(accessed, frame.execution_intervals, sink=item.id in frame.sinks)


def _usages(item: ResourceInstance, accessed: AccessHistory, *, kept: bool) -> frozenset[Usage]:
    """All usages that the physical resource must allow."""
    usages = frozenset[Usage]().union(*{access.usages for access in (*accessed.own, *accessed.history_reads)})
    if accessed.presented:
        usages |= {Usage.PRESENT}
    if accessed.history_reads or kept:
        # When the plan changes, the runtime copies the last contents, or clears them where it has none.
        usages |= _COPIES
    if needs_clear_command(item, accessed):
        usages |= {Usage.COPY_DST}
    return usages


def _fits_one_pass(nodes: Sequence[NodeInstance], accessed: AccessHistory) -> bool:
    """Whether all users of a texture that is only an attachment can be one render pass, so that its contents never
    leave a tiled GPU and need no memory there.

    They can if all recording nodes from the first user to the last have the same attachments. Whether they do become
    one pass depends on aliasing, and so on the answer. Where they do not, passes store and load the contents.
    """
    first, last = accessed.nodes[0], accessed.nodes[-1]
    targets = nodes[first].attached
    return all(node.attached == targets for node in nodes[first + 1 : last + 1] if node.records)


def _belongs_to_all(accessed: AccessHistory, queues: Sequence[str], *, needed_later: bool) -> bool:
    """Whether several queues use the resource at once. ``queues`` are those of the nodes, by number.

    A resource that is ``needed_later``, after the frame, belongs to all if any other queue than graphics uses it: the
    runtime carries it over and reads it back on the graphics queue. So does a texture of which several queues use
    parts. Passes are not formed yet, so this holds for every resource for which barriers need it, and maybe more.
    Reads in different layouts are at once where textures stay in the general layout; elsewhere one queue has them all.
    """
    steps = [
        ResourceAccess(access.node, in_general(access.scope), queues[access.node])
        for access in (*accessed.own, *accessed.history_reads)
    ]
    used = {step.queue for step in steps}
    if used <= {GRAPHICS}:
        return False
    return needed_later or (len(used) > 1 and (bool(accessed.cells) or is_concurrent(steps)))

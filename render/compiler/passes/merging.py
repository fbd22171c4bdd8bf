"""Pass merging: consecutive nodes become one render pass unless a merge blocker separates them."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.passes.aliasing_pairs import AliasingPair
from renderwright.render.compiler.passes.subresources import NodeSubresources, Subresource
from renderwright.render.compiler.resources.access_history import NodeAccess
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.usages import ATTACHMENTS


@dataclass(slots=True)
class MergedPass:
    """A pass while it is formed: its ``first`` and its ``last`` recording node, their attachments, how many views they
    draw at once, the last access to each subresource, and why the pass before could not take in the first node."""

    first: int
    last: int
    targets: tuple[Attached, ...]
    views: int
    accesses: dict[Subresource, NodeAccess]
    blocker: str

    def take_in(self, number: int, accesses: NodeSubresources) -> None:
        """The node joins the pass."""
        self.last = number
        self.accesses.update(accesses)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that might join the pass ``before`` it."""

    number: int
    node: NodeInstance
    accesses: NodeSubresources
    before: MergedPass


@dataclass(frozen=True)
class PassMerging:
    """The frame as merging depends on it: nodes, their accesses, aliasing pairs of merge candidates, and queues.

    Without ``merge`` no node joins another.
    """

    nodes: Sequence[NodeInstance]
    accesses: Sequence[NodeSubresources]
    aliasing: Set[AliasingPair]
    queues: QueuePlan
    merge: bool = True

    def passes(self) -> Sequence[MergedPass]:
        """The recording nodes grouped into passes: all barriers of a pass stand in front of it."""
        found: list[MergedPass] = []
        for number, node in enumerate(self.nodes):
            if not node.records:
                continue
            accesses = self.accesses[number]
            blocker = self._blocker(Candidate(number, node, accesses, found[-1])) if found else ""
            if found and not blocker:
                found[-1].take_in(number, accesses)
            else:
                found.append(MergedPass(number, number, node.attached, _views(node), dict(accesses), blocker))
        return found

    def _blocker(self, candidate: Candidate) -> str:
        """Why the node cannot join the pass, '' if it can."""
        return next((words for rule in _MERGE_BLOCKERS if (words := rule(self, candidate))), "")

    def name(self, number: int) -> str:
        """The id of a node."""
        return self.nodes[number].id


def _switched_off(frame: PassMerging, candidate: Candidate) -> str:
    return "" if frame.merge else "merging is switched off"


def _no_attachment(frame: PassMerging, candidate: Candidate) -> str:
    return "" if candidate.node.attached else "it renders to no attachment"


def _no_attachment_before(frame: PassMerging, candidate: Candidate) -> str:
    before = candidate.before
    return "" if before.targets else f'"{frame.name(before.last)}" before it renders to no attachment'


def _other_attachments(frame: PassMerging, candidate: Candidate) -> str:
    own, before = candidate.node.attached, candidate.before.targets
    if own == before:
        return ""
    return f"it renders to {_attachments(own)}, the pass before it to {_attachments(before)}"


def _other_views(frame: PassMerging, candidate: Candidate) -> str:
    own, before = _views(candidate.node), candidate.before.views
    return f"it is drawn for {own} views at once, the pass before it for {before}" if own != before else ""


def _semaphore(frame: PassMerging, candidate: Candidate) -> str:
    """A render pass cannot stop for another queue."""
    queues, last = frame.queues, candidate.before.last
    if not queues.several:
        return ""
    if queues.waits[candidate.number]:
        other = queues.waits[candidate.number][0]
        return f'it waits for "{frame.name(other)}" on the {queues.queues[other]} queue'
    if candidate.number in queues.cross_frame_waits:
        return "it waits for what another queue does since the frame before"
    return f'another queue waits for "{frame.name(last)}" before it' if last in queues.signals else ""


def _barrier(frame: PassMerging, candidate: Candidate) -> str:
    """A render pass cannot stop for a barrier: neither for a hazard nor for aliased memory."""
    known = candidate.before.accesses
    for subresource, access in candidate.accesses.items():
        earlier = known.get(subresource)
        if earlier is not None:
            words = _hazard(subresource.resource, access, earlier, frame.name(earlier.node))
        else:
            words = _aliased_memory(frame, subresource, known) if frame.aliasing else ""
        if words:
            return words
    return ""


def _hazard(resource: str, access: NodeAccess, earlier: NodeAccess, node: str) -> str:
    """``node`` is the one with the ``earlier`` access, in the pass before."""
    if earlier.usages <= ATTACHMENTS and access.usages <= ATTACHMENTS:
        return ""  # rasterization order covers attachments
    usages = _usages(access)
    if earlier.scope.writes:
        return f'it uses "{resource}" as {usages}, and "{node}" in the pass before it writes that'
    if access.scope.writes:
        return f'it writes "{resource}" as {usages}, and "{node}" in the pass before it reads that'
    if earlier.scope.layout != access.scope.layout:
        return f'it uses "{resource}" as {usages}, and "{node}" in the pass before it as {_usages(earlier)}'
    return ""


def _aliased_memory(frame: PassMerging, subresource: Subresource, known: NodeSubresources) -> str:
    """A resource of the node takes over memory of a resource of the pass before."""
    other = next((other for other in known if (subresource, other) in frame.aliasing), None)
    if other is None:
        return ""
    return f'"{subresource.resource}" lies in memory that "{other.resource}" gives up in the pass before it'


_MERGE_BLOCKERS: tuple[Callable[[PassMerging, Candidate], str], ...] = (
    _switched_off,
    _no_attachment,
    _no_attachment_before,
    _other_attachments,
    _other_views,
    _semaphore,
    _barrier,
)
"""The rules in order: the first one that gives a reason is reported."""


def _views(node: NodeInstance) -> int:
    return node.views.count if node.views is not None else 1


def _usages(access: NodeAccess) -> str:
    return " and ".join(sorted(access.usages))


def _attachments(targets: Sequence[Attached]) -> str:
    return ", ".join([f'{f"{part} of " if part != WHOLE else ""}"{name}" as {usage}' for name, usage, part in targets])

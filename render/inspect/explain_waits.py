"""Barriers in words: source and destination scopes with their nodes, and reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from renderwright.render.compiler.resources.access_history import NodeAccess
from renderwright.render.inspect.coalesced import Coalesced
from renderwright.render.inspect.explain_memory import sharers
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import layout_word, phrase, place_text, some
from renderwright.render.sync.barriers import Barrier, BarrierBatch, BarrierReason
from renderwright.render.sync.derive import ResourceAccess, last_group
from renderwright.render.sync.queues import GRAPHICS

_AFTER_READS = (BarrierReason.READ_WRITE, BarrierReason.LAYOUT)


def waits_of_pass(index: PlanIndex, pass_number: int, resources: Collection[str]) -> Iterator[str]:
    """The barriers before a pass on some resources. Those of odd frames are left out where they are the same."""
    seen = set()
    for frame, batch, (barrier, coalesced) in index.barriers(pass_number):
        if barrier.resource not in resources or batch.behind:
            continue
        text = barrier_line(index, frame, batch, barrier, coalesced)
        if text not in seen:
            seen.add(text)
            yield text


def waits_of_resource(index: PlanIndex, resource: str) -> Iterator[str]:
    """All barriers on a resource, each with its pass; both halves of split ones."""
    seen = set()
    passes = index.plan.pass_plan.passes
    for frame, batch, (barrier, coalesced) in index.barriers():
        if barrier.resource != resource:
            continue
        place = "at the end of the frame"
        if batch.number < len(passes):
            first = index.nodes[passes[batch.number].first].id
            place = f"{place_text(batch.number, behind=batch.behind)} (`{first}`)"
        if batch.event >= 0:
            place += f", event {batch.event} is {'set' if batch.sets else 'waited for'}"
        text = f"{place}: {barrier_line(index, frame, batch, barrier, coalesced)}"
        if text not in seen:
            seen.add(text)
            yield text


def barrier_line(
    index: PlanIndex, frame: int, batch: BarrierBatch, barrier: Barrier, coalesced: Coalesced | None = None
) -> str:
    """One barrier: reason, destination scope, source scope with its nodes, layout change, and why it is split or not.

    If it is ``coalesced``, the text adds the global memory barrier and its position.
    """
    own = barrier.copy == frame
    which = "this frame's copy" if own else "the previous frame's copy"
    awaited = _awaited_text(index, batch.number + batch.behind, barrier, own)
    source = phrase(barrier.src_stages, "nothing")
    if barrier.src_access:
        source += f" (what they wrote becomes available: {phrase(barrier.src_access, '')})"
    target = phrase(barrier.dst_stages, "nothing")
    if barrier.dst_access:
        target += f" ({phrase(barrier.dst_access, '')})"
    layouts = ""
    if barrier.old_layout is not barrier.new_layout:
        old, new = (layout_word(layout).replace("_", " ") for layout in (barrier.old_layout, barrier.new_layout))
        layouts = f"; layout {old} to {new}"
    what = f"`{barrier.resource}`, {which}: {barrier.reason.value}{awaited}"
    scopes = f"held back: {target}; waited for: {source}{layouts}"
    return f"{what}; {scopes}; {barrier.split.value}{_issued(batch, barrier, coalesced)}"


def _issued(batch: BarrierBatch, barrier: Barrier, coalesced: Coalesced | None) -> str:
    """The issue of a coalesced barrier; '' for one that is issued itself."""
    if coalesced is None:
        return ""
    where = ""
    if coalesced.earlier or (coalesced.before_pass, coalesced.behind) != (batch.number, batch.behind):
        place = place_text(coalesced.before_pass, behind=coalesced.behind)
        where = f", {place}" + (" of the frame before" if coalesced.earlier else "")
    others = dict.fromkeys(f"`{one.resource}`" for one in coalesced.barrier.members if one is not barrier)
    which = f", which is also for {some(others)}" if others else ""
    return f"; issued as a barrier of all memory{where}{which}"


def _awaited_text(index: PlanIndex, pass_number: int, barrier: Barrier, own: bool) -> str:
    """The nodes or aliasing resources whose accesses a barrier waits for."""
    names = some(f"`{name}`" for name in awaited(index, pass_number, barrier, own))
    if not names:
        of_first_use = barrier.reason is BarrierReason.ACTIVATE
        return " (its own memory; a semaphore has waited for its last users)" if of_first_use else ""
    match barrier.reason:
        case BarrierReason.HANDOVER:
            return f": {names}"
        case BarrierReason.ACTIVATE:
            return f" (its own memory, last used by {names} in an earlier frame)"
    return f" (by {names})"


def awaited(index: PlanIndex, pass_number: int, barrier: Barrier, own: bool) -> list[str]:
    """The nodes whose accesses a barrier waits for; of a handover, the resources that had the bytes.

    A first-use barrier whose bytes no other resource has waits for the nodes that used them last in earlier frames.

    ``pass_number`` is the first pass behind the barrier; ``own`` says that its copy is that of the frame.
    """
    match barrier.reason:
        case BarrierReason.ACQUIRE:
            return []
        case BarrierReason.HANDOVER:
            return list(dict.fromkeys(sharers(index, barrier.resource, barrier.copy)))
        case BarrierReason.ACTIVATE:
            return _last_users(index, barrier, pass_number)
    time = index.time(barrier.resource)
    earlier = [access for access in time.own if not own or index.passes[access.node] < pass_number]
    if not own:
        earlier += [access for access in time.history_reads if index.passes[access.node] < pass_number]
    users = [index.nodes[access.node].id for access in _awaited_accesses(earlier, barrier.reason, index)]
    return list(dict.fromkeys(users))


def _last_users(index: PlanIndex, barrier: Barrier, pass_number: int) -> list[str]:
    """The nodes that used a resource last on the queue of a barrier; all its users if some of them may be skipped."""
    passes = index.plan.pass_plan.passes
    queue = passes[pass_number].queue if pass_number < len(passes) else GRAPHICS
    users = []
    time = index.time(barrier.resource)
    for each in time.cells or (time,):
        accesses = [*each.own, *each.history_reads]
        last = last_group([ResourceAccess(access.node, access.scope) for access in accesses])
        # Accesses of one pass are one to the barriers.
        last_passes = {index.passes[access.point] for access in last}
        users += [access for access in accesses if index.plan.graph.rated or index.passes[access.node] in last_passes]
    on_queue = [one for one in users if passes[index.passes[one.node]].queue == queue]
    awaited_users = [one.node for one in on_queue if one.scope.stages & barrier.src_stages]
    return [index.nodes[node].id for node in sorted(set(awaited_users))]


def _awaited_accesses(earlier: list[NodeAccess], reason: BarrierReason, index: PlanIndex) -> list[NodeAccess]:
    """The last writers among the earlier accesses, or all readers since the last write."""
    found: list[NodeAccess] = []
    after_reads = reason in _AFTER_READS
    for access in reversed(earlier):
        if after_reads:
            if access.scope.writes:
                break
            found.append(access)
        elif access.scope.writes or reason is BarrierReason.PRESENT:
            if found and index.passes[access.node] != index.passes[found[0].node]:
                break
            found.append(access)
    return found[::-1]

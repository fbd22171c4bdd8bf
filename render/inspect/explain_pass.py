"""Passes in words: their nodes, merge blockers, and the load and store operations of attachments with reasons."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.values.passes import Pass
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import clear_text, some
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.usages import Usage


def pass_lines(index: PlanIndex, node: int) -> Iterator[str]:
    """The pass of a node: its other nodes, the merge blockers on both sides, and its attachments."""
    passes = index.plan.pass_plan.passes
    number = index.passes[node]
    item = passes[number]
    others = [other.id for other in index.nodes[item.first : item.last + 1] if other.id != index.nodes[node].id]
    together = f"together with {some(f'`{other}`' for other in others)}" if others else "alone in it"
    extent = index.plan.extents[number]
    kind = f"render pass of {extent[0]} x {extent[1]}" if extent else "plain commands"
    if item.views > 1:
        kind += f", {item.views} views at once"
    yield f"pass {number} ({kind}): {together}"
    if item.merge_blocker:
        yield f"  not merged with pass {number - 1}: {item.merge_blocker}"
    if number + 1 < len(passes) and passes[number + 1].merge_blocker:
        yield f"  pass {number + 1} is not merged with it: {passes[number + 1].merge_blocker}"
    for attachment in item.attachments:
        yield f"  {attachment_line(index, item, attachment)}"


def attachment_line(index: PlanIndex, item: Pass, attachment: Attachment) -> str:
    """The load and store operations of an attachment, with their reasons."""
    load, store = load_text(index, item, attachment), store_text(index, item, attachment)
    return f"`{attachment.resource}` as {attachment.usage}: {load}; {store}"


def load_text(index: PlanIndex, item: Pass, attachment: Attachment) -> str:
    """What is loaded, and why."""
    match attachment.load:
        case Load.CLEAR:
            creator = index.resources[attachment.resource].creator
            value = clear_text(attachment.clear, depth=attachment.usage is Usage.DEPTH)
            return f"cleared to {value}, as `{creator}` asks, because its life begins here"
        case Load.LOAD:
            before = [a.node for a in index.time(attachment.resource).own if a.node < item.first]
            return f"loaded, because `{index.nodes[before[-1]].id}` has used it before" if before else "loaded"
        case Load.DISCARD if attachment.usage is Usage.RESOLVE:
            return "not loaded, because every texel is overwritten"
        case Load.DISCARD:
            return "not loaded, because its live range begins here without a clear value"


def store_text(index: PlanIndex, item: Pass, attachment: Attachment) -> str:
    """What is stored, and why."""
    if attachment.store is Store.NONE:
        return "nothing to store, because it is only tested against"
    if attachment.store is Store.DISCARD:
        return "not stored, because no node uses it afterwards"
    name = attachment.resource
    time = index.time(name)
    later = next((access.node for access in time.own if access.node > item.last), None)
    placed = index.placed[name]
    if later is not None:
        why = f"`{index.nodes[later].id}` uses it later"
    elif time.presented:
        why = "it is presented"
    elif placed.has_history:
        why = "the next frame reads its history"
    elif placed.kept:
        why = "it is kept for frames in which it is not made anew"
    elif name in index.plan.graph.sinks:
        why = "the frame is made for it"
    else:
        why = "it belongs to the application"
    return f"stored, because {why}"

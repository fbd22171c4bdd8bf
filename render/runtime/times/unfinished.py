"""The nodes that the device is working on, for the message about a hang."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.times.gpu_clock import TimedNode


def unfinished_nodes(plan: Plan, timed: Sequence[TimedNode], passed: Sequence[bool]) -> tuple[NodeInstance, ...]:
    """On each queue, the first node of a frame that the device has not passed; with all nodes of its render pass.

    ``timed`` are the frame's nodes with timestamps, ``passed`` says for each query whether the device has passed it.
    """
    left: dict[str, list[str]] = {}
    for node in timed:
        begin, end = any(passed[node.begins]), any(passed[node.ends])
        waiting = left.setdefault(node.queue, [])
        if begin or end:
            waiting.clear()  # a queue comes to a node when those before it are over
        if not end:
            waiting.append(node.node)
    return tuple(node for waiting in left.values() if waiting for node in _in_pass_with(plan, waiting[0], set(waiting)))


def _in_pass_with(plan: Plan, node: str, left: set[str]) -> list[NodeInstance]:
    nodes = plan.graph.nodes
    for each in plan.pass_plan.passes:
        members = nodes[each.first : each.last + 1]
        if node in {member.id for member in members}:
            return [member for member in members if member.id in left]
    return []

"""What a frame takes over from the frames before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from renderwright.render.compiler.rates import writes
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.graph.requests import Verb
from renderwright.render.types.resources import Blob

LEAD = 1
"""Frames that are rendered before the first one of a worker: values of the CPU may look back at the frame before."""

_ONLY_FASTER = frozenset({"view_verdicts"})
"""What outlives a frame without a trace in pictures: which instances occlusion culling has found hidden."""

_BAKED = "probe_bake"
"""The blob that says which light probe is baked. They are baked one after another, with the scene of that frame."""


def carried_over(plan: Plan) -> tuple[str, ...]:
    """The resources that frames take over and change further, so that no frame is right without all before it.

    These are histories of textures and buffers, external resources that nodes modify, blobs that are made of their own
    history, what nodes at a rate of their own leave for further frames, and light probes.
    """
    known = {item.id: item.resource for item in plan.graph.resources}
    names = {name for node in plan.graph.nodes for name in _taken_over(node, known)} - set(plan.resolved.sinks)
    names |= _made_of_their_past(plan.graph.nodes, known)
    return tuple(sorted(names))


def _taken_over(node: NodeInstance, known: Mapping[str, LogicalResource]) -> Iterable[str]:
    for use in node.uses:
        for resource in (known[name] for name in use.resources):
            on_device = not isinstance(resource.desc, Blob)
            stays = resource.external and use.request.verb is Verb.MODIFY and resource.root not in _ONLY_FASTER
            rests = node.declaration.rate.every > LEAD + 1 and writes(use.request, resource.desc)
            if (on_device and (use.reads_history or stays or rests)) or resource.root == _BAKED:
                yield resource.root


def _made_of_their_past(nodes: Iterable[NodeInstance], known: Mapping[str, LogicalResource]) -> set[str]:
    """Blobs whose history reaches their own maker, directly or through other nodes of the frame."""
    nodes = list(nodes)
    made = {node.id: _names(node, known, written=True) for node in nodes}
    read = {node.id: _names(node, known, written=False) for node in nodes}
    loops = set()
    for node in nodes:
        past = {name for use in node.uses if use.reads_history for name in use.resources}
        if not past:
            continue
        reached = set(made[node.id])
        grown = True
        while grown:
            more = {name for other in nodes if read[other.id] & reached for name in made[other.id]}
            grown = not more <= reached
            reached |= more
        loops |= {known[name].root for name in past & reached}
    return loops


def _names(node: NodeInstance, known: Mapping[str, LogicalResource], *, written: bool) -> set[str]:
    """The resources (by id) that a node writes, or those that it reads in the same frame."""
    return {
        name
        for use in node.uses
        if not use.reads_history
        for name in use.resources
        if not written or writes(use.request, known[name].desc)
    }

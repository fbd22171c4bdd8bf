"""Conversion of validated entries to graph values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from renderwright.engine.skeleton.document import Document
from renderwright.engine.skeleton.schema import (
    BlobEntry,
    ExternalBuffer,
    ExternalTexture,
    NodeEntry,
    SizedResolution,
    SkeletonEntry,
)
from renderwright.engine.skeleton.skeleton import Skeleton
from renderwright.render.graph.requests import (
    EVERY_FRAME,
    ChainMember,
    FirstFrame,
    NodeDeclaration,
    Rate,
    Request,
    Verb,
    last_part,
)
from renderwright.render.graph.snapshot import Chain, ResolutionRule
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Blob, Buffer, ClearValue, Resolution, ResourceDesc, Texture
from renderwright.render.types.usages import Usage


def build_skeleton(entry: SkeletonEntry, document: Document) -> Skeleton:
    """Build a skeleton from its entry. Requests and nodes carry their source locations."""
    return Skeleton(
        name=entry.name or Path(document.file).stem,
        dimensions=entry.dimensions,
        resolutions=tuple(
            ResolutionRule(name, size=rule.size)
            if isinstance(rule, SizedResolution)
            else ResolutionRule(name, of=rule.of, scale=rule.scale)
            for name, rule in entry.resolutions.items()
        ),
        slots=tuple(entry.slots.items()),
        chains=tuple(
            Chain(name, chain.input, chain.output, document.where(("chains", name, "input")))
            for name, chain in entry.chains.items()
        ),
        sinks=entry.sinks,
        nodes=tuple(_node(node, number, document) for number, node in enumerate(entry.nodes)),
    )


def _node(node: NodeEntry, number: int, document: Document) -> NodeDeclaration:
    return NodeDeclaration(
        name=node.name,
        plugin="",
        source=document.where(("nodes", number)),
        index=number,
        requests=tuple(_requests(node, number, document)),
        before=node.before,
        after=node.after,
        multiplex=frozenset(node.multiplex) if "multiplex" in node.model_fields_set else None,
        side_effects=node.side_effects,
        priority=node.priority,
        queues=tuple(str(queue) for queue in node.queue),
        cost=node.cost,
        state=tuple(sorted(node.state.items())),
        chains=tuple(
            ChainMember(name, member.before, member.after, member.priority) for name, member in node.chain.items()
        ),
        executes=False,
        rate=_rate(node),
        multiview=node.multiview or "",
    )


def _rate(node: NodeEntry) -> Rate:
    if node.when is not None:
        return Rate(when=node.when)
    return Rate(node.every, node.phase) if node.every is not None else EVERY_FRAME


def _requests(node: NodeEntry, number: int, document: Document) -> Iterator[Request]:
    verbs: tuple[tuple[Verb, dict[str, Any]], ...] = (
        (Verb.CREATE, node.create),
        (Verb.EXTERNAL, node.external),
        (Verb.MODIFY, node.modify),
        (Verb.READ, node.read),
        (Verb.HISTORY, node.history),
        (Verb.RENAME, node.rename),
        (Verb.GATHER, node.gather),
    )
    for verb, entries in verbs:
        for name, entry in entries.items():
            to = getattr(entry, "to", "")
            yield Request(
                verb=verb,
                name=name,
                source=document.where_key(("nodes", number, verb.value, name)),
                binding=last_part(to or name),
                usage=getattr(entry, "usage", None),
                stages=(entry.stage,) if getattr(entry, "stage", None) else (),
                desc=_description(entry),
                optional=getattr(entry, "optional", False),
                to=to,
                first=getattr(entry, "first", FirstFrame.CLEAR),
                clear=_clear(getattr(entry, "clear", None)),
                part=_part(entry),
                frames=getattr(entry, "frames", 1),
            )
    if node.when is not None and node.when not in node.read:
        source = document.where_key(("nodes", number, "when"))
        yield Request(Verb.READ, node.when, source, binding=last_part(node.when))
    for chain in node.chain:
        source = document.where_key(("nodes", number, "chain", chain))
        yield Request(Verb.READ, "", source, binding="source", usage=Usage.SAMPLED, chain=chain)
        yield Request(Verb.CREATE, "", source, binding="result", usage=Usage.COLOR, chain=chain)


def _description(entry: Any) -> ResourceDesc | None:
    if isinstance(entry, ExternalTexture):
        size = entry.size if entry.size is not None else Resolution(entry.resolution or "", entry.scale)
        return Texture(entry.texture, size, entry.mips, entry.layers, entry.samples, entry.cube)
    if isinstance(entry, ExternalBuffer):
        return Buffer(entry.buffer)
    return Blob(entry.blob) if isinstance(entry, BlobEntry) else None


def _part(entry: Any) -> Part:
    """The mips and layers of a request. Counts of mips and layers in a resource description are ignored."""
    spans = []
    for one, several in (("mip", "mips"), ("layer", "layers")):
        number, span = getattr(entry, one, None), getattr(entry, several, None)
        spans.append((number, 1) if number is not None else span if isinstance(span, tuple) else None)
    return Part(*spans)


def _clear(value: float | tuple[float, float, float, float] | None) -> ClearValue | None:
    return (value, 0.0, 0.0, 0.0) if isinstance(value, float) else value

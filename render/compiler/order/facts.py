"""What list scheduling has to know of each node, as numbers: looked up once, used at every step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, repeat
from typing import Any, NamedTuple

from renderwright.render.compiler.order.costs import Costs, costs_of
from renderwright.render.compiler.order.keys import Key, declared_key
from renderwright.render.compiler.order.sizes import estimated_bytes
from renderwright.render.compiler.rates import kept_resources
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.compiler.values.uses import Attached, Use
from renderwright.render.incremental.memo import Parts
from renderwright.render.types.usages import ATTACHMENTS, READ_ONLY_USAGES, Usage

Item = tuple[str, bool]
"""A resource id, and whether it is the previous frame's copy."""

State = tuple[tuple[str, Any], ...]
"""Fixed-function state as a node declares it."""

Alike = tuple[Any, ...]
"""What nodes have in common that draw the same way to the same targets, can share a pass, and are alive together; empty
for a node that shares no pass with its like."""

_COPIES = frozenset({Usage.COPY_SRC, Usage.COPY_DST})


class Bottleneck(IntEnum):
    """The part of the GPU that a node keeps busy."""

    NONE = 0
    RASTER = 1
    COMPUTE = 2
    COPY = 3


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """One node. ``targets`` is empty without attachments.

    ``touched`` are the own copies that its commands use and ``written`` those that they change; the pairs of ``shaded``
    are (item, whether it writes) for what is no attachment. ``items`` are all that it keeps alive. ``cost`` is 0 for a
    node that records nothing; ``key`` settles ties.
    """

    id: str
    records: bool
    executes: bool
    priority: int
    cost: float
    targets: tuple[Attached, ...]
    bottleneck: Bottleneck
    state: State
    touched: tuple[str, ...]
    written: tuple[str, ...]
    shaded: tuple[tuple[Item, bool], ...]
    items: tuple[Item, ...]
    alike: Alike
    key: Key


class FactsOf:
    """Finds the facts of nodes of one graph, which are ``by_id``; ``measured`` is microseconds by node name."""

    def __init__(self, graph: InstanceGraph, measured: Mapping[str, float], parts: Parts | None = None) -> None:
        self._parts = parts or Parts()
        self._costs = costs_of(graph.nodes, measured)
        self.by_id = {node.id: node for node in graph.nodes}
        blobs = tuple([item.id for item in graph.resources if item.resource.desc.kind == "blob"])
        self._blobs = self._parts.of(frozenset[str])("blobs", blobs)

    def nodes(self, ids: Iterable[str]) -> tuple[NodeInstance, ...]:
        """The nodes themselves."""
        return tuple(map(self.by_id.__getitem__, ids))

    def facts(self, ids: Sequence[str], crowds: Mapping[str, Sequence[NodeInstance]] | None = None) -> list[NodeFacts]:
        """The facts of nodes; the first of each of the ``crowds``, by its id, costs what all do."""
        nodes = self.nodes(ids)
        costs = dict(zip(ids, self._costs.of(nodes), strict=True))
        total = self._parts.of(Costs.total)
        for first, members in (crowds or {}).items():
            costs[first] = total(first, self._costs, members)
        return list(self._parts.of(_facts).all(ids, nodes, costs.values(), repeat(self._blobs)))

    def alike(self, ids: Sequence[str]) -> list[Alike]:
        """``alike`` of nodes of which nothing else has to be known."""
        return list(self._parts.of(_alike).all(ids, self.nodes(ids), repeat(self._blobs)))


def resource_bytes(graph: InstanceGraph, parts: Parts | None = None) -> dict[str, float]:
    """Estimated bytes of each resource; 0 where no order makes a difference.

    Blobs take no memory of the GPU's, what comes from outside none of the graph's, and what a node at its own rate
    keeps is always there.
    """
    ids = [item.id for item in graph.resources]
    found = (parts or Parts()).of(_bytes).all(ids, [item.resource for item in graph.resources])
    return {**dict(zip(ids, found, strict=True)), **dict.fromkeys(kept_resources(graph), 0.0)}


def _bytes(resource: LogicalResource) -> float:
    return 0.0 if resource.external else estimated_bytes(resource.desc)


class _Items(NamedTuple):
    """What a node uses, as ``NodeFacts`` says; without blobs."""

    targets: tuple[Attached, ...]
    touched: tuple[str, ...]
    written: tuple[str, ...]
    shaded: tuple[tuple[Item, bool], ...]
    items: tuple[Item, ...]


def _items(node: NodeInstance, blobs: Collection[str]) -> _Items:
    items: dict[Item, None] = {}
    touched: dict[str, None] = {}
    written: dict[str, None] = {}
    shaded: dict[Item, bool] = {}
    attached = False
    for use in node.uses:
        usage, history = use.usage, use.history
        touches = usage is not None and usage is not Usage.PRESENT
        writes = usage not in READ_ONLY_USAGES
        attachment = usage in ATTACHMENTS
        for name in use.resources:
            if name in blobs:
                continue
            item = (name, history)
            items[item] = None
            if not touches:
                continue
            if not history:
                touched[name] = None
                if writes:
                    written[name] = None
            if attachment:
                attached = True
            else:
                shaded[item] = writes or shaded.get(item, False)
    targets = node.attached if attached else ()
    return _Items(targets, tuple(touched), tuple(written), tuple(shaded.items()), tuple(items))


def _facts(node: NodeInstance, cost: float, blobs: Collection[str]) -> NodeFacts:
    declaration = node.declaration
    targets, touched, written, shaded, items = used = _items(node, blobs)
    return NodeFacts(
        node.id,
        node.records,
        declaration.executes,
        declaration.priority,
        cost if node.records and declaration.executes else 0.0,
        targets,
        _bottleneck(node.records, targets, node.uses),
        declaration.state,
        touched,
        written,
        shaded,
        items,
        _common(node, used),
        declared_key(node),
    )


def _alike(node: NodeInstance, blobs: Collection[str]) -> Alike:
    return _common(node, _items(node, blobs)) if node.attached and node.declaration.executes else ()


def _common(node: NodeInstance, used: _Items) -> Alike:
    declaration = node.declaration
    if not used.targets or not declaration.executes or any(writes for _, writes in used.shaded):
        return ()
    # Flat, and nothing in it twice: whole crowds are compared.
    attached = {name for name, _, _ in used.targets}
    others = [item for item in used.items if item[1] or item[0] not in attached]
    return declaration.priority, declaration.state, len(used.targets), *chain(*used.targets, *others)


def _bottleneck(recording: bool, targets: tuple[Attached, ...], uses: Sequence[Use]) -> Bottleneck:
    if not recording:
        return Bottleneck.NONE
    if targets:
        return Bottleneck.RASTER
    copies = [use.usage in _COPIES for use in uses if use.touches_gpu]
    return Bottleneck.COPY if copies and all(copies) else Bottleneck.COMPUTE

"""Stage 5: choose one of the legal orders."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from render.compiler.snapshot import CompileOptions
from render.compiler.stages import InstanceGraph, NodeInstance
from render.compiler.toposort import Ready, schedule
from render.errors import UsageError
from render.sync.usages import ATTACHMENTS


def order(graph: InstanceGraph, options: CompileOptions) -> InstanceGraph:
    """The graph with its nodes in the order in which they run.

    ``declared``: larger priority, earlier declaration, smaller index, smaller name first; but a node with the same
    attachments as the one before is taken ahead of others, so that the two can become one render pass, and a node that
    executes nothing is put off while another could run, so that what it creates lives no longer than it must.
    ``random:SEED``: any node that may come next, with equal probability. ``UsageError`` for another policy.
    """
    nodes = {node.id: node for node in sorted(graph.nodes, key=_key)}
    result = schedule(list(nodes), ((e.before, e.after) for e in graph.edges), _policy(options.order, nodes.values()))
    assert len(result) == len(nodes), "the edges have a cycle"
    return replace(graph, nodes=tuple(nodes[node] for node in result))


def _policy(name: str, nodes: Iterable[NodeInstance]) -> Ready:
    kind, _, seed = name.partition(":")
    if name == "declared":
        return _Declared(nodes)
    if kind == "random" and seed.removeprefix("-").isdecimal():
        return _Random(int(seed))
    raise UsageError(f'unknown order policy "{name}"', hint='known: "declared", "random:SEED" with a whole number')


def _key(node: NodeInstance) -> tuple[bool, int, int, tuple[int, ...], str]:
    declaration = node.declaration
    return (
        not declaration.executes,
        -declaration.priority,
        declaration.index,
        tuple(number for _, number in node.index),
        node.id,
    )


class _Declared:
    """Ready nodes in one heap for all and one for each set of attachments; a node leaves the other heap later."""

    def __init__(self, nodes: Iterable[NodeInstance]) -> None:
        self._keys: dict[str, Any] = {}
        self._targets: dict[str, frozenset[str]] = {}
        for node in nodes:
            self._keys[node.id] = _key(node)
            targets = (use.resources for use in node.uses if use.usage in ATTACHMENTS)
            self._targets[node.id] = frozenset(resource for resources in targets for resource in resources)
        self._all: list[Any] = []
        self._same: dict[frozenset[str], list[Any]] = {}
        self._ready: set[str] = set()
        self._last: frozenset[str] = frozenset()

    def push(self, node: str) -> None:
        """``node`` may come now."""
        self._ready.add(node)
        entry = (self._keys[node], node)
        heapq.heappush(self._all, entry)
        if self._targets[node]:
            heapq.heappush(self._same.setdefault(self._targets[node], []), entry)

    def pop(self) -> str:
        """The first node that draws to what the last one drew to, or else the first of all."""
        for heap in (self._same.get(self._last, []), self._all):
            while heap:
                node: str = heapq.heappop(heap)[1]
                if node in self._ready:
                    self._ready.remove(node)
                    self._last = self._targets[node]
                    return node
        raise IndexError("no node is ready")

    def __len__(self) -> int:
        return len(self._ready)


class _Random:
    """Any ready node."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._ready: list[str] = []

    def push(self, node: str) -> None:
        """``node`` may come now."""
        self._ready.append(node)

    def pop(self) -> str:
        """A node chosen with equal probability."""
        at = self._random.randrange(len(self._ready))
        self._ready[at], self._ready[-1] = self._ready[-1], self._ready[at]
        return self._ready.pop()

    def __len__(self) -> int:
        return len(self._ready)

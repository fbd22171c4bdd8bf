"""What each plugin costs: nodes, memory, and the bytes that its nodes move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from renderwright.render.inspect.plan_index import PlanIndex

ENGINE = ""
"""Stands for the engine and the skeleton in place of a plugin."""


def plugins_of(index: PlanIndex, accesses: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each plugin with nodes in the graph, those that move most bytes first.

    ``memory`` are the bytes of all copies of the resources that it makes; copies at one place count once. Resources
    share memory, so the sum is larger than the heaps.
    """
    rows: dict[str, dict[str, Any]] = defaultdict(
        lambda: {"nodes": 0, "removed": 0, "resources": 0, "memory": 0, "bytes_read": 0, "bytes_written": 0}
    )
    owners = {node.id: node.declaration.plugin for node in index.nodes}
    for owner in owners.values():
        rows[owner]["nodes"] += 1
    for name in index.removals:
        declaration = index.declarations.get(name)
        if declaration is not None:
            rows[declaration.plugin]["removed"] += 1
    for item in index.plan.graph.resources:
        row = rows[owners.get(item.creator, index.declarations[item.resource.creator].plugin)]
        placed = index.placed[item.id]
        row["resources"] += 1
        places = {(copy.heap, copy.offset) for copy in placed.copies}
        row["memory"] += placed.size * (1 if placed.kept else len(places))
    for access in accesses:
        row = rows[owners[access["node"]]]
        row["bytes_read"] += access["bytes_read"]
        row["bytes_written"] += access["bytes_written"]
    found = [{"plugin": plugin, **row} for plugin, row in rows.items()]
    return sorted(found, key=lambda row: (-row["bytes_read"] - row["bytes_written"], row["plugin"]))

"""Times of node instances, summed by node and by plugin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from renderwright.render.compiler.values.plan import Plan

ENGINE = "(engine)"
"""Stands for a plugin where nodes of the engine and of the skeleton are meant."""


class NodeKey(NamedTuple):
    """A node, or with '' all nodes of a plugin."""

    plugin: str
    node: str = ""


class NodeOwners:
    """The plugins of all node instances of the plans so far."""

    def __init__(self) -> None:
        self._owners: dict[str, NodeKey] = {}
        self._plan: Plan | None = None

    def follow(self, plan: Plan) -> None:
        """Take in another plan."""
        if plan is not self._plan:
            self._plan = plan
            for node in plan.graph.nodes:
                self._owners[node.id] = NodeKey(node.declaration.plugin or ENGINE, node.declaration.name)

    def summed(self, seconds: Mapping[str, float]) -> dict[NodeKey, float]:
        """Seconds by node, and by plugin, of all their instances."""
        sums: dict[NodeKey, float] = {}
        for instance, taken in seconds.items():
            owner = self._owners.get(instance)
            for key in (owner, NodeKey(owner.plugin)) if owner is not None else ():
                sums[key] = sums.get(key, 0.0) + taken
        return sums

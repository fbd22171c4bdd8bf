"""Fixed-function state: each node switches only what differs from the state before it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.passes import StateChange


def state_changes(nodes: Iterable[NodeInstance]) -> tuple[tuple[StateChange, ...], int]:
    """The state that each node has to switch, and how many switches the nodes before it have made unnecessary."""
    current: dict[str, Any] = {}
    changes = []
    saved = 0
    for number, node in enumerate(nodes):
        wanted = node.declaration.state
        if not wanted:
            continue
        differing = tuple([(key, value) for key, value in wanted if key not in current or current[key] != value])
        saved += len(wanted) - len(differing)
        current.update(differing)
        if differing:
            changes.append(StateChange(number, differing))
    return tuple(changes), saved

"""A graph with other names, and one with another order of declaration."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Mapping
from typing import Any

from renderwright.render.errors import SourceLocation
from renderwright.render.graph.snapshot import GraphSnapshot


def numbered(snapshot: GraphSnapshot, rng: random.Random | None = None) -> GraphSnapshot:
    """The graph with a place of its own in the order of declaration for each node; shuffled with ``rng``."""
    nodes = list(snapshot.nodes)
    if rng is not None:
        rng.shuffle(nodes)
    indexed = tuple(dataclasses.replace(node, index=number) for number, node in enumerate(nodes))
    return dataclasses.replace(snapshot, nodes=indexed)


def new_names(snapshot: GraphSnapshot, rng: random.Random) -> dict[str, str]:
    """A new name for each part of a name with a digit; members of chains, whose names order them, keep their order."""
    old = sorted(_parts(snapshot))
    new = [f"q{number:04}" for number in range(len(old))]
    rng.shuffle(new)
    names = dict(zip(old, new, strict=True))
    members = [name for name in old if name in _chain_members(snapshot)]
    return names | dict(zip(members, sorted(names[name] for name in members), strict=True))


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A graph, or any value of one, with the names replaced."""
    if type(value) is str:
        return "/".join(names.get(part, part) for part in value.split("/"))
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(renamed(one, names) for one in value)
    if isinstance(value, dict):
        return {renamed(key, names): renamed(one, names) for key, one in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type | SourceLocation):
        fields = [field.name for field in dataclasses.fields(value) if field.init]
        return dataclasses.replace(value, **{name: renamed(getattr(value, name), names) for name in fields})
    return value


def _parts(snapshot: GraphSnapshot) -> set[str]:
    names = {name for chain in snapshot.chains for name in (chain.name, chain.input, chain.output)}
    for node in snapshot.nodes:
        names |= {node.name}.union(*((one.name, one.to, one.creates, one.chain) for one in node.requests))
    return {part for name in names for part in name.split("/") if re.search(r"\d", part)}


def _chain_members(snapshot: GraphSnapshot) -> set[str]:
    members = [node for node in snapshot.nodes if node.chains or any(request.chain for request in node.requests)]
    return {node.name.rpartition("/")[2] for node in members}

"""A finding: something in a frame that is worth a look, with what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any


class Of(StrEnum):
    """What the share of a finding is a share of, in the order in which findings come."""

    GPU_TIME = "gpu_time"
    """The sum of the nodes' times on the GPU."""
    PLANNED_TIME = "planned_time"
    """The planned time of the frame."""
    MOVED = "moved"
    """The bytes that all nodes move."""
    MEMORY = "memory"
    """The bytes of all heaps."""
    NOTHING = ""
    """The cost is not known."""


@dataclass(frozen=True)
class Finding:
    """``rule`` is a code for programs. ``share`` is the cost's share ``of`` the frame's, by which findings of the same
    ``of`` are sorted; ``bytes`` are the bytes that it costs, in memory or moved, 0 where it costs time. A finding is no
    error."""

    rule: str
    message: str
    hint: str
    nodes: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    plugin: str = ""
    bytes: int = 0
    share: float = 0.0
    of: Of = Of.NOTHING

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return {**asdict(self), "nodes": list(self.nodes), "resources": list(self.resources)}


class Looked:
    """A capture's document with the tables that several rules look at."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.plan: Mapping[str, Any] = document["plan"]
        self.accesses: Sequence[Mapping[str, Any]] = document["accesses"]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The place of each node in the order."""
        return {node["id"]: number for number, node in enumerate(self.plan["nodes"])}

    @cached_property
    def places(self) -> Mapping[str, Mapping[str, Any]]:
        """By node the places that the edges leave it, as in the document's order."""
        return {row["node"]: row for row in self.document["order"]["nodes"]}

    @cached_property
    def reasons(self) -> Mapping[tuple[str, str], str]:
        """The reason of each edge, by the node that runs first and the one that runs then."""
        return {(before, after): reason for before, after, reason in self.plan["edges"]}

    @cached_property
    def predecessors(self) -> Mapping[str, Sequence[str]]:
        """The nodes that each node runs after."""
        found: dict[str, list[str]] = {node: [] for node in self.numbers}
        for before, after in self.reasons:
            found[after].append(before)
        return found

    @cached_property
    def nodes(self) -> Mapping[str, Mapping[str, Any]]:
        """The nodes of the plan's report."""
        return {node["id"]: node for node in self.plan["nodes"]}

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """The plugin of each node."""
        return {node["id"]: node["plugin"] for node in self.plan["nodes"]}

    @cached_property
    def resources(self) -> Mapping[str, Mapping[str, Any]]:
        """The resources of the plan's report and of the capture, joined."""
        more = {item["id"]: item for item in self.document["resources"]}
        return {item["id"]: {**item, **more[item["id"]]} for item in self.plan["resources"]}

    @cached_property
    def moved(self) -> int:
        """The bytes that all nodes read and write."""
        return sum(access["bytes_read"] + access["bytes_written"] for access in self.accesses)

    @cached_property
    def heap_bytes(self) -> int:
        """The bytes of all heaps."""
        return sum(heap["size"] for heap in self.plan["heaps"])


def listed(names: Sequence[str], most: int = 4) -> str:
    """Names in a row, of which the last ones are counted if there are more than ``most``."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > most:
        quoted[most - 1 :] = [f"{len(quoted) - most + 1} more"]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def mebibytes(size: float) -> str:
    """Bytes in words: ``3.5 MiB``, below that ``12 KiB``."""
    return f"{size / 2**20:.1f} MiB" if size >= 2**20 else f"{size / 2**10:.0f} KiB"

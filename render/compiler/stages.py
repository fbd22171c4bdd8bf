"""The frozen values that pass from one compile stage to the next.

declare -> resolve -> multiplex -> cull -> order -> place -> state -> sync -> program
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from render.compiler.findings import Problem, Removal
from render.compiler.precedence import Edge, Precedence, edges_of
from render.errors import SourceLocation
from render.graph.requests import ClearValue, FirstFrame, NodeDeclaration, Request
from render.graph.resources import Extent, ResourceDesc
from render.memory.physical import PhysicalInfo
from render.sync.flags import Access, Layout, Stage
from render.sync.usages import ShaderStage, Usage

Index = tuple[tuple[str, int], ...]
"""A multiplexing index: (dimension, number) pairs in the snapshot's order of dimensions."""


# resolve ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoundRequest:
    """A request whose names are final: slots and chains followed.

    ``number`` is the request's index in its declaration. ``name`` and ``to`` are resolved names, ``root`` the name
    under which the resource was first created ('' when nobody creates it).
    """

    number: int
    request: Request
    name: str
    root: str
    to: str = ""


@dataclass(frozen=True)
class BoundNode:
    """A node with its bound requests, and the dimensions that it repeats over (declared, or those of what it uses)."""

    declaration: NodeDeclaration
    requests: tuple[BoundRequest, ...]
    mode: frozenset[str]


@dataclass(frozen=True)
class LogicalResource:
    """One resource from its creation through all its renames; ``names[0]`` is the root."""

    root: str
    names: tuple[str, ...]
    desc: ResourceDesc
    creator: str
    external: bool
    clear: ClearValue | None
    mode: frozenset[str]
    source: SourceLocation


@dataclass(frozen=True)
class ResolvedGraph:
    """Names bound, chains threaded, edges drawn, errors repaired. ``sinks`` are roots.

    ``aliases`` are the indirect names (slots, outputs and sources of chains) with what they stand for. ``left_out``
    are the declarations of the removed nodes.
    """

    nodes: tuple[BoundNode, ...]
    resources: tuple[LogicalResource, ...]
    precedences: tuple[Precedence, ...]
    sinks: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...]
    removed: tuple[Removal, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: tuple[NodeDeclaration, ...] = ()

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """``precedences`` spelt out, one edge for each pair; for reports, since there can be very many."""
        return edges_of(self.precedences)


# multiplex, cull, order ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """One node instance using one resource instance, or several for a gather request, in index order.

    ``resources`` is empty when an optional request found nothing. ``history`` reads last frame's copy. ``name`` is the
    request's name with slots and chains followed, ``to`` that of a rename's new name.
    """

    number: int
    request: Request
    resources: tuple[str, ...]
    usage: Usage | None
    stage: ShaderStage
    history: bool = False
    name: str = ""
    to: str = ""

    @property
    def present(self) -> bool:
        """Whether there is anything to use."""
        return bool(self.resources)


@dataclass(frozen=True)
class NodeInstance:
    """One copy of a node for one multiplexing index; ``id`` is ``name`` or ``name@view=1,eye=0``."""

    id: str
    declaration: NodeDeclaration
    index: Index
    uses: tuple[Use, ...]


@dataclass(frozen=True)
class ResourceInstance:
    """One copy of a logical resource for one multiplexing index."""

    id: str
    resource: LogicalResource
    index: Index
    creator: str


@dataclass(frozen=True)
class InstanceGraph:
    """The frame's node and resource instances, and which instance runs before which (by id).

    After ``order`` the nodes stand in the order in which they run, which ``policy`` chose.
    """

    nodes: tuple[NodeInstance, ...]
    resources: tuple[ResourceInstance, ...]
    precedences: tuple[Precedence, ...]
    sinks: tuple[str, ...]
    removed: tuple[Removal, ...] = ()
    problems: tuple[Problem, ...] = ()
    policy: str = ""

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """``precedences`` spelt out, one edge for each pair; for reports, since there can be very many."""
        return edges_of(self.precedences)


# place --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Copy:
    """One of the two physical copies of a resource.

    ``arc`` is the half-open [start, end) of its life in slots of the circle of 2N; a full circle has
    ``end == start + 2N``, and an arc may wrap past 2N. ``heap`` indexes ``Placement.heaps``.
    """

    heap: int
    offset: int
    arc: tuple[int, int]


@dataclass(frozen=True)
class PlacedResource:
    """A resource instance with its physical description and its place.

    ``copies`` is (even, odd) for GPU resources of the graph, and empty for external resources and blobs. A ``kept``
    resource outlives frames in which its makers do not run; both of its copies are the same.
    """

    id: str
    info: PhysicalInfo | None
    size: int
    alignment: int
    copies: tuple[Copy, ...]
    history: bool
    first: FirstFrame
    kept: bool = False


@dataclass(frozen=True)
class HeapPlan:
    """A heap: the memory class that it comes from, its bytes, and the load that bounds them from below."""

    memory_class: str
    size: int
    load: int


@dataclass(frozen=True)
class Placement:
    """Where every resource lives. ``extents`` are the values of the auto-resolutions."""

    resources: tuple[PlacedResource, ...]
    heaps: tuple[HeapPlan, ...]
    extents: tuple[tuple[str, Extent], ...]
    problems: tuple[Problem, ...] = ()


# state --------------------------------------------------------------------------------------------------------------


class Load(StrEnum):
    """What happens to an attachment when a pass begins."""

    LOAD = "load"
    CLEAR = "clear"
    DISCARD = "discard"


class Store(StrEnum):
    """What happens to an attachment when a pass ends; NONE leaves memory untouched and does not count as a write."""

    STORE = "store"
    DISCARD = "discard"
    NONE = "none"


@dataclass(frozen=True)
class Attachment:
    """A render target of a pass; ``usage`` is color, depth, depth_read or resolve."""

    resource: str
    usage: Usage
    load: Load
    store: Store
    clear: ClearValue


@dataclass(frozen=True)
class Pass:
    """A run of nodes [first, last] in order. With attachments it is one render pass, else a plain stretch of commands.

    ``alone`` says why the pass before it could not take it in ('' when it took none, being first). How large it is, is
    no part of it (``Plan.extents``).
    """

    first: int
    last: int
    attachments: tuple[Attachment, ...]
    alone: str = ""


@dataclass(frozen=True)
class StateChange:
    """The fixed-function state that node number ``node`` must switch, as (key, value) pairs that differ from before."""

    node: int
    changes: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class StatePlan:
    """Passes and state switches of a frame; ``saved`` counts the switches that neighbours made unnecessary."""

    passes: tuple[Pass, ...]
    changes: tuple[StateChange, ...]
    saved: int = 0


# sync ---------------------------------------------------------------------------------------------------------------


class BarrierReason(StrEnum):
    """Why there is a barrier."""

    ACTIVATE = "first use in the frame: contents are discarded"
    HANDOVER = "takes over memory from another resource"
    WRITE_READ = "written, then read"
    WRITE_WRITE = "written, then written again"
    READ_WRITE = "read, then written"
    LAYOUT = "read in another layout"
    ACQUIRE = "comes from outside the frame"
    PRESENT = "handed out of the frame"


@dataclass(frozen=True)
class Barrier:
    """One dependency on one copy of one resource; ``copy`` is 0 (even) or 1 (odd).

    ``new_layout`` is UNDEFINED for buffers. An ``old_layout`` of UNDEFINED discards an image's contents.
    """

    resource: str
    copy: int
    src_stages: Stage
    src_access: Access
    dst_stages: Stage
    dst_access: Access
    old_layout: Layout
    new_layout: Layout
    reason: BarrierReason


@dataclass(frozen=True)
class ClearOp:
    """Clear a created texture that no attachment load can clear."""

    resource: str
    copy: int
    value: ClearValue


@dataclass(frozen=True)
class BarrierBatch:
    """Barriers that are issued together before pass number ``before`` (== len(passes) after the last one).

    ``clears`` follow the barriers; what has to wait for them is in a second batch with the same ``before``.
    """

    before: int
    barriers: tuple[Barrier, ...]
    clears: tuple[ClearOp, ...] = ()


@dataclass(frozen=True)
class SyncPlan:
    """The barrier batches of an even and of an odd frame.

    ``rest`` gives, by resource id, the layout in which a frame leaves its own copy of each texture: what a history
    reader of the next frame starts from, and what a reader outside the frame finds.
    """

    even: tuple[BarrierBatch, ...]
    odd: tuple[BarrierBatch, ...]
    rest: tuple[tuple[str, Layout], ...] = ()


# program ------------------------------------------------------------------------------------------------------------

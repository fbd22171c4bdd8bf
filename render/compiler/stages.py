"""The frozen values that pass from one compile stage to the next.

declare -> resolve -> multiplex -> cull -> multiview -> order -> place -> state -> sync -> program
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from renderwright.render.compiler.edges import precedences_of
from renderwright.render.compiler.findings import Problem, Removal
from renderwright.render.compiler.obstacles import Obstacle, in_words
from renderwright.render.compiler.precedence import Edge, Precedence, Row, edges_of, with_links
from renderwright.render.compiler.uses import Attached, attached
from renderwright.render.compiler.uses import Use as Use
from renderwright.render.compiler.views import Apart, Views
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import EVERY_FRAME, ClearValue, FirstFrame, NodeDeclaration, Request
from renderwright.render.graph.resources import Extent, ResourceDesc
from renderwright.render.memory.physical import PhysicalInfo
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.ranges import WHOLE, Part
from renderwright.render.sync.usages import ATTACHMENTS, Usage

Index = tuple[tuple[str, int], ...]
"""A multiplexing index: (dimension, number) pairs in the snapshot's order of dimensions."""

# resolve ------------------------------------------------------------------------------------------------------------


class BoundRequest(NamedTuple):
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
    """A node with its bound requests, and the dimensions that it repeats over (declared, or those of what it uses).

    What the requests mean is known of them together, too: ``roots`` are those of the requests, and ``roles`` the part
    that the node has in the life of each name (``life_step``), where names that nobody makes are left out.
    """

    declaration: NodeDeclaration
    requests: tuple[BoundRequest, ...]
    mode: frozenset[str]
    roots: tuple[str, ...] = field(repr=False, compare=False)
    roles: tuple[tuple[str, int], ...] = field(repr=False, compare=False)


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


class Traits(NamedTuple):
    """What some nodes of a graph may have: rates of their own, queues besides the graphics queue, dimensions that they
    can be drawn over at once, fixed-function state. Where none has it, nobody needs to look at the nodes."""

    rates: bool
    queues: bool
    multiview: bool
    state: bool


ANY = Traits(rates=True, queues=True, multiview=True, state=True)
"""Those of a graph of which nothing is known."""


@dataclass(frozen=True)
class ResolvedGraph:
    """Names bound, chains threaded, edges drawn, errors repaired. ``sinks`` are roots.

    ``aliases`` are the indirect names (slots, outputs and sources of chains) with what they stand for. ``left_out``
    are the declarations of the removed nodes, ``lost`` (name, node) pairs of what these would have made. ``rows`` are
    the orders of the modifiers of each name that has several, ``explicit`` the (before, after) pairs of nodes that
    declarations order; all other precedences follow from the nodes. ``traits`` are those of the nodes, which are all
    ``needed`` if none is to be culled.
    """

    nodes: tuple[BoundNode, ...]
    resources: tuple[LogicalResource, ...]
    explicit: tuple[tuple[str, str], ...]
    sinks: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...]
    removed: tuple[Removal, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: tuple[NodeDeclaration, ...] = ()
    lost: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()
    traits: Traits = ANY
    needed: bool = False

    @cached_property
    def precedences(self) -> tuple[Precedence, ...]:
        """Who runs before whom: what ``explicit``, the names and ``rows`` ask for."""
        roles = [(role, (node.declaration.name,)) for node in self.nodes for role in node.roles]
        return with_links(precedences_of(roles, self.explicit), self.rows)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """``precedences`` spelt out, one edge for each pair; for reports, since there can be very many."""
        return edges_of(self.precedences)


# multiplex, cull, order ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NodeInstance:
    """One copy of a node for one multiplexing index; ``id`` is ``name`` or ``name@view=1,eye=0``.

    With ``views`` it is drawn for all instances of a dimension at once, which is missing in the index and a ``*`` in
    the id; a use of values that repeat has one resource for each view then.

    The rest follows from the uses. ``attached`` is what the node renders to, colours in the order of the requests and
    depth last. ``parted`` are the textures (by id) of which the node uses parts, with these. ``records`` says whether
    the node may record commands; one that does not can stand anywhere, even inside a render pass. ``renders_only`` says
    that it uses textures and buffers as attachments only. ``past`` are the resources (by id) whose history it reads,
    with what it wants in the first frame.
    """

    id: str
    declaration: NodeDeclaration
    index: Index
    uses: tuple[Use, ...]
    views: Views | None = None
    attached: tuple[Attached, ...] = field(init=False, repr=False, compare=False)
    parted: tuple[tuple[str, Part], ...] = field(init=False, repr=False, compare=False)
    records: bool = field(init=False, repr=False, compare=False)
    renders_only: bool = field(init=False, repr=False, compare=False)
    past: tuple[tuple[str, FirstFrame], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # There are many nodes, and a cached property takes a dictionary for each.
        uses, put = self.uses, object.__setattr__
        put(self, "attached", attached(uses))
        others = [use for use in uses if use.request.part is not WHOLE and use.request.part != WHOLE]
        put(self, "parted", tuple([(name, use.request.part) for use in others for name in use.resources]))
        device = [use for use in uses if use.touches_gpu]
        put(self, "records", bool(self.declaration.pipelines) or bool(device))
        put(self, "renders_only", all(use.usage in ATTACHMENTS and not use.history for use in device))
        put(self, "past", tuple([(name, use.request.first) for use in uses if use.history for name in use.resources]))


@dataclass(frozen=True)
class ResourceInstance:
    """One copy of a logical resource for one multiplexing index."""

    id: str
    resource: LogicalResource
    index: Index
    creator: str


@dataclass(frozen=True)
class InstanceGraph:
    """The frame's node and resource instances, and which instance runs before which (by id): ``groups``, and ``rows``
    of those that modify the same.

    After ``order`` the nodes stand in the order in which they run, which ``policy`` chose. ``lost`` and ``needed`` are
    those of ``ResolvedGraph``, ``modifiers`` are its rows; ``traits`` are those of its nodes. ``apart`` are the nodes
    that could be drawn for several views at once and are not.
    """

    nodes: tuple[NodeInstance, ...]
    resources: tuple[ResourceInstance, ...]
    groups: tuple[Precedence, ...]
    sinks: tuple[str, ...]
    removed: tuple[Removal, ...] = ()
    problems: tuple[Problem, ...] = ()
    policy: str = ""
    lost: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()
    modifiers: tuple[Row, ...] = ()
    traits: Traits = ANY
    needed: bool = False
    apart: tuple[Apart, ...] = ()

    @cached_property
    def precedences(self) -> tuple[Precedence, ...]:
        """``groups`` and the links of ``rows``, which can be many."""
        return with_links(self.groups, self.rows)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """``precedences`` spelt out, one edge for each pair; for reports, since there can be very many."""
        return edges_of(self.precedences)

    @cached_property
    def rated(self) -> tuple[NodeInstance, ...]:
        """The nodes that may not run in every frame: few, if any, of many."""
        if not self.traits.rates:
            return ()
        others = [node for node in self.nodes if node.declaration.rate is not EVERY_FRAME]
        return tuple([node for node in others if node.declaration.rate != EVERY_FRAME])


# place --------------------------------------------------------------------------------------------------------------


class Copy(NamedTuple):
    """One of the physical copies of a resource.

    ``arc`` is the half-open [start, end) of its life in slots of the circle of 2N; a full circle has
    ``end == start + 2N``, and an arc may wrap past 2N. ``heap`` indexes ``Placement.heaps``.
    """

    heap: int
    offset: int
    arc: tuple[int, int]


class PlacedResource(NamedTuple):
    """A resource instance with its physical description and its place.

    ``copies`` is (even, odd) for GPU resources of the graph, and empty for external resources and blobs. A ``kept``
    resource outlives frames in which its makers do not run; both of its copies are the same. One whose history is read
    later than in the next frame has a copy more for each frame, and frames write them in turn.
    """

    id: str
    info: PhysicalInfo | None
    size: int
    alignment: int
    copies: tuple[Copy, ...]
    history: bool
    first: FirstFrame
    kept: bool = False

    @property
    def turns(self) -> int:
        """How many frames pass until one writes the same copy again."""
        return max(2, len(self.copies))


@dataclass(frozen=True)
class HeapPlan:
    """A heap: the memory class that it comes from, its bytes, and their bounds from below.

    ``load`` is the most that is alive at one moment; ``clique``, at least as large, the most found among resources that
    are pairwise alive together. ``optimal`` says that ``size`` is proved to be the least.
    """

    memory_class: str
    size: int
    load: int
    clique: int
    optimal: bool


@dataclass(frozen=True)
class Placement:
    """Where every resource lives.

    ``extents`` are the values of the auto-resolutions; ``full`` those that memory is planned for, where a dynamic
    resolution makes the others smaller for now (empty where none does).
    """

    resources: tuple[PlacedResource, ...]
    heaps: tuple[HeapPlan, ...]
    extents: tuple[tuple[str, Extent], ...]
    problems: tuple[Problem, ...] = ()
    full: tuple[tuple[str, Extent], ...] = ()

    @property
    def planned_extents(self) -> tuple[tuple[str, Extent], ...]:
        """The values of the auto-resolutions that memory is planned for."""
        return self.full or self.extents


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


class Attachment(NamedTuple):
    """A render target of a pass, or a ``part`` of it; ``usage`` is color, depth, depth_read or resolve."""

    resource: str
    usage: Usage
    load: Load
    store: Store
    clear: ClearValue
    part: Part = WHOLE


class Pass(NamedTuple):
    """A run of nodes [first, last] in order. With attachments it is one render pass, else a plain stretch of commands.

    ``obstacle`` is why the pass before it could not take it in ('' when it took none, being first). How large it is, is
    no part of it (``Plan.extents``). All its nodes run on the ``queue``, and draw so many ``views`` at once.
    """

    first: int
    last: int
    attachments: tuple[Attachment, ...]
    obstacle: Obstacle = ""
    queue: str = GRAPHICS
    views: int = 1

    @property
    def alone(self) -> str:
        """The ``obstacle`` in words."""
        return in_words(self.obstacle)


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

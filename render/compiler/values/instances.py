"""The results of ``multiplex``, ``cull``, ``multiview`` and ``order``: node and resource instances of a frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.instances.precedence import Edge, Precedence, Row, edges_of, with_links
from renderwright.render.compiler.values.resolved import ANY, LogicalResource, Traits
from renderwright.render.compiler.values.uses import Attached, Use, attached
from renderwright.render.compiler.values.views import Apart, Views
from renderwright.render.graph.requests import EVERY_FRAME, FirstFrame, NodeDeclaration
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.usages import ATTACHMENTS

Index = tuple[tuple[str, int], ...]
"""A multiplexing index: (dimension, number) pairs in the snapshot's order of dimensions."""


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

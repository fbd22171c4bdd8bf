"""The results of ``multiplex``, ``cull``, ``multiview`` and ``order``: node and resource instances of a frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.values.precedence import Edge, ModifierOrder, Precedence, edges_of, with_links
from renderwright.render.compiler.values.preferred_order import PreferredOrder
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.compiler.values.uses import Attached, Use, attached
from renderwright.render.compiler.values.views import Apart, Views
from renderwright.render.graph.requests import EVERY_FRAME, FirstFrame, NodeDeclaration
from renderwright.render.types.parts import WHOLE, Part

Index = tuple[tuple[str, int], ...]
"""A multiplexing index: (dimension, number) pairs in the snapshot's order of dimensions."""


@dataclass(frozen=True, slots=True)
class NodeInstance:
    """One instance of a node, for one multiplexing index; ``id`` is ``name`` or ``name@view=1,eye=0``.

    A node with ``views`` is drawn for all instances of a dimension at once. The dimension is missing in its index and
    has a ``*`` in its id; a use of values that repeat over the dimension has one resource for each view.

    The other fields are derived from the uses:

    - ``attached``: the attachments, colours in the order of the requests and depth last;
    - ``parted``: (texture id, part) of each use of a part of a texture;
    - ``records``: whether the node may record commands. A node that records nothing may be placed anywhere, even inside
      a render pass;
    - ``past``: (resource id, what to read in the first frame) of each use of a history.
    """

    id: str
    declaration: NodeDeclaration
    index: Index
    uses: tuple[Use, ...]
    views: Views | None = None
    attached: tuple[Attached, ...] = field(init=False, repr=False, compare=False)
    parted: tuple[tuple[str, Part], ...] = field(init=False, repr=False, compare=False)
    records: bool = field(init=False, repr=False, compare=False)
    past: tuple[tuple[str, FirstFrame], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Every stage reads these fields; cached properties would need a dictionary for each of many nodes.
        derive = object.__setattr__
        in_parts = [use for use in self.uses if use.request.part != WHOLE]
        of_past = [use for use in self.uses if use.reads_history]
        derive(self, "attached", attached(self.uses))
        derive(self, "parted", tuple([(name, use.request.part) for use in in_parts for name in use.resources]))
        derive(self, "records", bool(self.declaration.pipelines) or any(use.touches_gpu for use in self.uses))
        derive(self, "past", tuple([(name, use.request.first) for use in of_past for name in use.resources]))


@dataclass(frozen=True, slots=True)
class ResourceInstance:
    """One instance of a logical resource, for one multiplexing index; it has an even and an odd copy."""

    id: str
    resource: LogicalResource
    index: Index
    creator: str


@dataclass(frozen=True)
class InstanceGraph:
    """The frame's node and resource instances and the dependencies between nodes (by id).

    Dependencies are the hyperedges ``groups`` and the ``rows`` of serialised modifiers. After ``order`` the nodes are
    in execution order, which ``policy`` chose unless another one was ``preferred``. ``lost_names`` are (name, node)
    pairs: the names that nodes which ``resolve`` removed would have created or, in chains, got; ``consequences`` are
    the names of those nodes that left for lack of another name. ``modifiers`` are the rows of ``ResolvedGraph``, by
    node name. ``apart`` are the nodes that declare multiview and are drawn for each view by themselves. ``aliases``
    are the names of slots and chains.
    """

    nodes: tuple[NodeInstance, ...]
    resources: tuple[ResourceInstance, ...]
    groups: tuple[Precedence, ...]
    sinks: tuple[str, ...]
    removed: tuple[Removal, ...] = ()
    problems: tuple[Problem, ...] = ()
    policy: str = ""
    lost_names: tuple[tuple[str, str], ...] = ()
    consequences: frozenset[str] = frozenset()
    rows: tuple[ModifierOrder, ...] = ()
    modifiers: tuple[ModifierOrder, ...] = ()
    apart: tuple[Apart, ...] = ()
    aliases: tuple[str, ...] = ()
    preferred: PreferredOrder | None = None

    @cached_property
    def precedences(self) -> tuple[Precedence, ...]:
        """``groups``, and one hyperedge for each two neighbours in ``rows``."""
        return with_links(self.groups, self.rows)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """``precedences`` expanded, one edge for each pair; for reports, since there can be very many."""
        return edges_of(self.precedences)

    @cached_property
    def rated(self) -> tuple[NodeInstance, ...]:
        """The nodes that do not run in every frame."""
        return tuple([node for node in self.nodes if node.declaration.rate != EVERY_FRAME])

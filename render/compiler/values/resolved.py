"""``resolve``'s result: nodes with names bound, and the logical resources that they use."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.instances.dependencies import precedences_of
from renderwright.render.compiler.values.precedence import Edge, Precedence, Row, edges_of, with_links
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration, Request
from renderwright.render.types.resources import ClearValue, ResourceDesc


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

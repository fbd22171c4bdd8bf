"""``resolve``'s result: nodes with names bound, and the logical resources that they use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from renderwright.render.compiler.diagnostics.findings import Problem, Rejection, Removal
from renderwright.render.compiler.values.precedence import Edge, ModifierOrder, Precedence, edges_of, with_links
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration, Request
from renderwright.render.types.resources import ClearValue, ResourceDesc


class BoundRequest(NamedTuple):
    """A request whose names are final: slots and chains are followed.

    ``number`` is the request's index in its declaration. ``name`` and ``to`` are resolved names. ``root`` is the name
    of the creation at the start of all renames, '' if there is none.
    """

    number: int
    request: Request
    name: str
    root: str
    to: str = ""


@dataclass(frozen=True)
class BoundNode:
    """A node with its bound requests and its mode: the dimensions that it repeats over, declared or inferred."""

    declaration: NodeDeclaration
    requests: tuple[BoundRequest, ...]
    mode: frozenset[str]

    @property
    def name(self) -> str:
        """The node's name."""
        return self.declaration.name


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


class Drawn(NamedTuple):
    """A full-screen node that draws where others run as compute shaders, and the reason in words."""

    node: str
    reason: str


@dataclass(frozen=True)
class ResolvedGraph:
    """Names bound, chains threaded, dependencies found, errors repaired. ``sinks`` are roots.

    ``aliases`` are the indirect names (slots, outputs and sources of chains) with their targets. ``left_out`` are the
    declarations of removed nodes, ``lost_names`` the (name, node) pairs of what these would have made and, of members
    of chains, what they would have got; ``consequences`` are the names of those nodes that left for lack of another
    name. ``explicit`` are the declared (before, after) pairs of nodes. ``groups`` are the dependencies between nodes
    except those among modifiers of one name, whose order is in ``rows``. ``rejected`` are nodes with mistakes of their
    own, without those that only come to light when these have left. ``drawn`` are the full-screen nodes that cannot run
    as compute shaders, where others do. ``chains`` are the names of the chains.
    """

    nodes: tuple[BoundNode, ...]
    resources: tuple[LogicalResource, ...]
    explicit: tuple[tuple[str, str], ...]
    sinks: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...]
    removed: tuple[Removal, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: tuple[NodeDeclaration, ...] = ()
    lost_names: tuple[tuple[str, str], ...] = ()
    consequences: frozenset[str] = frozenset()
    rows: tuple[ModifierOrder, ...] = ()
    groups: tuple[Precedence, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    chains: tuple[str, ...] = ()

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """``groups`` and the links of ``rows``, one edge for each pair; for reports, since there can be very many."""
        return edges_of(with_links(self.groups, self.rows))

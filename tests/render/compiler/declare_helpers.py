"""Short ways to write declarations for tests of the compiler's front half."""

from __future__ import annotations

from itertools import count
from typing import Any

from renderwright.render.compiler.cull.stage import cull
from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.instances.multiplex import multiplex
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.precedence import Edge
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import ChainMember, NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.types.resources import Buffer, ResourceDesc, Texture

COLOR = Texture("rgba8_unorm", (64, 64))
DEPTH = Texture("d32_sfloat", (64, 64))
BYTES = Buffer(256)
_lines = count(1)


def place() -> SourceLocation:
    """A source location of its own for every declaration and request."""
    return SourceLocation("plugin.py", next(_lines))


def request(verb: Verb, name: str, **more: Any) -> Request:
    return Request(verb, name, place(), **more)


def create(name: str, desc: ResourceDesc | None = COLOR, **more: Any) -> Request:
    return request(Verb.CREATE, name, desc=desc, **more)


def external(name: str, desc: ResourceDesc | None = COLOR, **more: Any) -> Request:
    return request(Verb.EXTERNAL, name, desc=desc, **more)


def read(name: str, **more: Any) -> Request:
    return request(Verb.READ, name, **more)


def modify(name: str, **more: Any) -> Request:
    return request(Verb.MODIFY, name, **more)


def history(name: str, **more: Any) -> Request:
    return request(Verb.HISTORY, name, **more)


def gather(name: str, **more: Any) -> Request:
    return request(Verb.GATHER, name, **more)


def rename(name: str, to: str, **more: Any) -> Request:
    return request(Verb.RENAME, name, to=to, **more)


def node(name: str, *requests: Request, **more: Any) -> NodeDeclaration:
    """A node; ``mode`` is its multiplexing as a string of words, ``sink`` gives it side effects."""
    mode = frozenset(str(more.pop("mode", "")).split())
    sink = bool(more.pop("sink", False))
    return NodeDeclaration(name, "test", place(), requests=requests, multiplex=mode, side_effects=sink, **more)


def member(name: str, chain: str, *requests: Request, desc: ResourceDesc | None = None, **more: Any) -> NodeDeclaration:
    """A chain member; ``before``, ``after`` and ``priority`` are its place in the chain."""
    where = ChainMember(chain, more.pop("before", ()), more.pop("after", ()), more.pop("priority", 0))
    both = (read("", chain=chain), create("", desc, chain=chain))
    return node(name, *both, *requests, chains=(where,), **more)


def graph(*nodes: NodeDeclaration, **more: Any) -> GraphSnapshot:
    return GraphSnapshot(nodes=nodes, **more)


def culled(snapshot: GraphSnapshot) -> InstanceGraph:
    return cull(multiplex(resolve(snapshot), snapshot))


def names(result: ResolvedGraph | InstanceGraph) -> list[str]:
    """Node names, each once."""
    return list(dict.fromkeys(n.declaration.name for n in result.nodes))


def ids(result: InstanceGraph) -> list[str]:
    return [n.id for n in result.nodes]


def pairs(result: ResolvedGraph | InstanceGraph) -> set[tuple[str, str]]:
    return {(edge.before, edge.after) for edge in result.edges}


def edge(result: ResolvedGraph | InstanceGraph, before: str, after: str) -> Edge:
    return next(e for e in result.edges if (e.before, e.after) == (before, after))


def problem(result: ResolvedGraph | InstanceGraph, code: str) -> Problem:
    """The only problem with that code."""
    (found,) = [p for p in result.problems if p.code == code]
    return found


def removal(result: ResolvedGraph | InstanceGraph, name: str) -> Removal:
    """The only removal of that node."""
    (found,) = [r for r in result.removed if r.node == name]
    return found

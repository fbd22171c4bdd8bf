"""Runs the declare functions of new and changed nodes."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from renderwright.render.errors import CODE_FAILURES, GraphError
from renderwright.render.graph.callables import check_one_argument
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.external import ValueProvider
from renderwright.render.graph.node_requests import end_declaring
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.revision import Revision
from renderwright.render.graph.source import function_location
from renderwright.render.graph.uniform_source import UniformSource

Execute = Callable[[Commands], None]
"""Records one node instance's commands for one frame."""

Declare = Callable[[Registry], Execute | None]
"""States a node's requests and returns its execute function; None for a node that only orders others."""


@dataclass(frozen=True, eq=False)
class NodeSource:
    """A registered node: its full name, its plugin, its declare function, and its shader folders.

    ``declaration`` replaces the declare function of nodes that come as data (a skeleton file). ``facts`` are stated
    while the node is in the graph.
    """

    name: str
    plugin: str
    index: int
    declare: Declare | None
    shader_paths: tuple[Path, ...] = ()
    declaration: NodeDeclaration | None = None
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class DeclaredNode:
    """A node's declaration, with the live objects that the runtime needs to execute it, and the facts that it has asked
    for."""

    source: NodeSource
    declaration: NodeDeclaration
    execute: Execute | None
    handles: Sequence[RequestBuilder]
    uniforms: Sequence[UniformSource]
    providers: Sequence[tuple[str, ValueProvider]] = ()
    revisions: Sequence[Revision] = ()
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class DeclareFailure:
    """A declare function that raised."""

    source: NodeSource
    error: BaseException


def declare(
    sources: Iterable[NodeSource], known: Mapping[str, DeclaredNode], facts: Mapping[str, object] | None = None
) -> tuple[dict[str, DeclaredNode], tuple[DeclareFailure, ...]]:
    """Declared nodes by name. A node in ``known`` with the same source object is reused, unless ``facts`` that it has
    asked for are others; its function does not run.

    A node whose declare function raises is left out and reported. The others are unaffected.
    """
    nodes: dict[str, DeclaredNode] = {}
    failures: list[DeclareFailure] = []
    for source in sources:
        before = known.get(source.name)
        if before is not None and holds(before, source, facts or {}):
            nodes[source.name] = before
            continue
        try:
            nodes[source.name] = declare_one(source, facts or {})
        except CODE_FAILURES as error:
            failures.append(DeclareFailure(source, error))
    return nodes, tuple(failures)


def holds(node: DeclaredNode, source: NodeSource, facts: Mapping[str, object]) -> bool:
    """Whether a declared node is that of the ``source``, and has been told the same ``facts``."""
    return node.source is source and all(facts.get(name) == value for name, value in node.facts.items())


def declare_one(source: NodeSource, facts: Mapping[str, object]) -> DeclaredNode:
    """Run the declare function of a node. Raises what it raises, and ``GraphError``."""
    if source.declaration is not None:
        return DeclaredNode(source, source.declaration, None, (), ())
    assert source.declare is not None
    registry = Registry(source.name, source.plugin, facts)
    execute = source.declare(registry)
    requests = end_declaring(registry)
    where = function_location(source.declare)
    if execute is not None and not callable(execute):
        raise GraphError(
            f'the declare function of node "{source.name}" returns {reprlib.repr(execute)}, which cannot be called',
            hint="return a function of one argument, which records the node's commands, or nothing",
            where=where,
        )
    if execute is not None:
        what = f'the execute function of node "{source.name}"'
        check_one_argument(what, execute, "cmd", function_location(execute))
    declaration = requests.declaration(where, source.index, execute is not None)
    return DeclaredNode(
        source,
        declaration,
        execute,
        tuple(requests.resources),
        tuple(requests.uniforms),
        tuple(requests.providers),
        tuple(requests.revisions),
        requests.asked,
    )

"""Finds the nodes at fault when a graph has no plan, or no memory for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from renderwright.render.compiler.diagnostics.findings import Severity
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.debugging import debug_advice
from renderwright.render.errors import CompileError, OutOfMemoryError, RenderwrightError, SourceLocation
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.runtime.failures import FailurePhase, NodeFailure

log = logging.getLogger("renderwright.runtime")


def rejected(plan: Plan, declared: Mapping[str, DeclaredNode]) -> list[NodeFailure]:
    """The nodes of plugins that the compiler has removed for mistakes of their own."""
    failures = []
    for rejection in plan.resolved.rejected:
        node, problem = declared[rejection.node], rejection.problem
        plugin, source = node.source.plugin, node.declaration.source
        if plugin:
            where = next((place for place in problem.where if place.file == source.file), source)
            error = CompileError(problem.message, hint=problem.hint, where=where, node=rejection.node)
            failures.append(NodeFailure(rejection.node, plugin, FailurePhase.COMPILE, error))
    return failures


def log_problems(plan: Plan) -> None:
    """Log the plan's errors, for who has no handler of failures."""
    for problem in plan.problems:
        if problem.severity is Severity.ERROR:
            log.warning("%s", problem)


def unplannable(error: RenderwrightError, declared: Mapping[str, DeclaredNode]) -> list[NodeFailure]:
    """The node whose request made the compile fail, if the error names one."""
    node = declared.get(error.node) if isinstance(error, CompileError) else None
    return [NodeFailure(node.source.name, node.source.plugin, FailurePhase.COMPILE, error)] if node else []


def unforeseen(node: NodeDeclaration, phase: FailurePhase, error: Exception) -> NodeFailure:
    """The failure of a node for which our own code raises what no rule of ours foresees."""
    what = "the compiler" if phase is FailurePhase.COMPILE else "its preparation"
    hint = "look for a value of a wrong type or size in its declare function"
    told = CompileError(
        f'{what} fails with {type(error).__name__} because of node "{node.name}": {error}',
        hint="; ".join(filter(None, (hint, debug_advice("shows where it fails")))),
        where=node.source,
        node=node.name,
    )
    told.__cause__ = error
    return NodeFailure(node.name, node.plugin, phase, told)


def failure_of(node: NodeDeclaration, where: SourceLocation, error: Exception) -> NodeFailure:
    """The failure of a node that cannot be prepared, at ``where`` unless its error knows better.

    Raises an error that no rule of ours foresees, unless the node is a plugin's.
    """
    if isinstance(error, RenderwrightError):
        error.where = error.where or where
        return NodeFailure(node.name, node.plugin, FailurePhase.PIPELINE, error)
    if not node.plugin:
        raise error
    return unforeseen(node, FailurePhase.PIPELINE, error)


def breaking(snapshot: GraphSnapshot, compile: Callable[[GraphSnapshot], object]) -> NodeFailure | None:
    """The node of a plugin without which a graph compiles, if ``compile`` raises what no rule of ours foresees.

    Nodes of plugins are added to the others in order of registration until the compile fails. The first of them with
    which it does is at fault. None if it fails without plugins, or does not fail.
    """
    own = [node for node in snapshot.nodes if not node.plugin]
    added = [node for node in snapshot.nodes if node.plugin]

    def error_with(count: int) -> Exception | None:
        return _unforeseen_error(replace(snapshot, nodes=_sorted([*own, *added[:count]])), compile)

    error = error_with(len(added))
    if error is None or error_with(0) is not None:
        return None
    fine, bad = 0, len(added)
    while bad - fine > 1:
        middle = (fine + bad) // 2
        found = error_with(middle)
        if found is None:
            fine = middle
        else:
            bad, error = middle, found
    return unforeseen(added[bad - 1], FailurePhase.COMPILE, error)


def _sorted(nodes: Sequence[NodeDeclaration]) -> tuple[NodeDeclaration, ...]:
    return tuple(sorted(nodes, key=attrgetter("index")))


def _unforeseen_error(snapshot: GraphSnapshot, compile: Callable[[GraphSnapshot], object]) -> Exception | None:
    try:
        compile(snapshot)
    except RenderwrightError:
        return None  # a rule has foreseen it
    except Exception as error:
        return error
    return None


def greediest(plan: Plan, declared: Mapping[str, DeclaredNode], error: OutOfMemoryError) -> list[NodeFailure]:
    """The node that creates the largest resource of a plan without room, if it is a plugin's."""
    creators = {item.id: item.resource for item in plan.graph.resources}
    placed = [each for each in plan.placement.resources if each.copies]
    if not placed:
        return []
    largest = max(placed, key=lambda each: (each.size, each.id))
    resource = creators[largest.id]
    plugin = declared[resource.creator].source.plugin
    if not plugin:
        return []
    message = f'`{largest.id}` of node "{resource.creator}" takes {largest.size} bytes: {error.message}'
    failure = OutOfMemoryError(message, hint="make it smaller", where=resource.source)
    return [NodeFailure(resource.creator, plugin, FailurePhase.COMPILE, failure)]

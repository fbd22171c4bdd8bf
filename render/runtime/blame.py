"""Finds the nodes at fault when a graph has no plan, or no memory for it."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CompileError, OutOfMemoryError, RenderwrightError
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.runtime.failures import FailurePhase, NodeFailure


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


def unplannable(error: RenderwrightError, declared: Mapping[str, DeclaredNode]) -> list[NodeFailure]:
    """The node whose request made the compile fail, if the error names one."""
    node = declared.get(error.node) if isinstance(error, CompileError) else None
    return [NodeFailure(node.source.name, node.source.plugin, FailurePhase.COMPILE, error)] if node else []


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

"""Finds render targets for which the shaders of their node declare an output that they never assign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.uses import Use
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.runtime.fullscreen import targets_of
from renderwright.render.runtime.shader_checks.unwritten_targets import (
    Pipelines,
    UnwrittenTarget,
    declared_outputs,
    fragments_of,
    stores_beside,
)
from renderwright.render.shaders.declared import output_at
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.unassigned import may_assign, unassigned_outputs


def unassigned_targets(nodes: Iterable[NodeInstance], pipelines: Pipelines) -> Iterator[UnwrittenTarget | None]:
    """The color targets of the ``nodes`` whose outputs are declared, and assigned in no pipeline; None behind each
    shader, whose code has to be read. ``where`` is the declaration in the shader, or else the request."""
    told: set[str] = set()
    for node in nodes:
        targets = targets_of(node)
        if not targets or node.declaration.name in told:
            continue
        unassigned: dict[int, ShaderModule] = {}
        assigned: set[int] = set()
        for module in fragments_of(node, pipelines):
            lacking = unassigned_outputs(module)
            assigned.update(location for location in declared_outputs(module) if location not in lacking)
            if lacking and not stores_beside(module):
                unassigned |= dict.fromkeys(lacking, module)
            yield None
        for location, target in enumerate(targets):
            shader = unassigned.get(location)
            if shader is not None and location not in assigned and not may_assign(shader, location):
                told.add(node.declaration.name)
                yield _unassigned(node, target, location, shader)


def _unassigned(node: NodeInstance, target: Use, location: int, module: ShaderModule) -> UnwrittenTarget:
    declaration, request = node.declaration, target.request
    place = output_at(module.file, location, module.included)
    return UnwrittenTarget(
        node,
        f"{node_in_words(declaration.name, declaration.plugin)} renders to {request.words}, but "
        f"`{Path(module.file).name}` declares the output at location {location} and never assigns it: what it draws is "
        "undefined",
        "assign the output in main; a variable of the same name in a function hides it",
        place if place.line else request.source,
    )

"""Finds render targets that no shader of their node has an output for: they keep their old contents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.backend.protocol import Pipeline
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.runtime.fullscreen import stored_outputs, targets_of
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.stores import stored_bindings
from renderwright.render.types.fullscreen import output_location
from renderwright.render.types.usages import ShaderStage

Pipelines = Mapping[tuple[str, int], Pipeline]
"""The pipelines of a plan, by node instance and number."""


@dataclass(frozen=True)
class UnwrittenTarget:
    """A render target that none of its node's pipelines writes; ``where`` is its request."""

    node: NodeInstance
    message: str
    hint: str
    where: SourceLocation


def unwritten_targets(plan: Plan, pipelines: Pipelines) -> Iterator[UnwrittenTarget]:
    """The color targets without an output in any pipeline of their node, those of a node once whatever its instances
    are.

    A target that the node clears may stay as the clear leaves it. A node without pipelines draws nothing at all. One
    that stores to images or buffers may need a target for its extent alone, and one whose optional resource is absent
    may have outputs under ``#if HAS_...``.
    """
    told: set[str] = set()
    for node in plan.graph.nodes:
        targets = targets_of(node)
        if not targets or node.declaration.name in told or _lacks_an_optional(node):
            continue
        drawing = _drawing(node, pipelines)
        fragments = fragments_of(node, pipelines)
        written = {location for module in fragments for location in declared_outputs(module)}
        lacking = [location for location in range(len(targets)) if location not in written]
        if not drawing or not lacking or any(stores_beside(module) for module in fragments):
            continue
        for location in lacking:
            target = targets[location]
            if target.request.clear is None:
                told.add(node.declaration.name)
                yield _unwritten(node, target, location, fragments)


def fragments_of(node: NodeInstance, pipelines: Pipelines) -> Sequence[ShaderModule]:
    """The shaders of the node's pipelines that write its targets."""
    last = [modules[-1] for modules in _drawing(node, pipelines)]
    return [module for module in last if module.stage is not ShaderStage.VERTEX]


def declared_outputs(module: ShaderModule) -> Sequence[int]:
    """The locations of the targets that a fragment shader, or one that computes in its place, has outputs for."""
    return (*module.outputs, *stored_outputs(module))


def stores_beside(module: ShaderModule) -> bool:
    """Whether a shader stores to images or buffers beside its outputs, as one that voxelizes does."""
    outputs = {(one.set, one.binding) for one in module.bindings if output_location(one.name) is not None}
    return not stored_bindings(module) <= outputs


def _lacks_an_optional(node: NodeInstance) -> bool:
    """Whether a shader of the node may be without what stands under ``#if HAS_...``."""
    return any(use.request.presence_macro and not use.present for use in node.uses)


def _drawing(node: NodeInstance, pipelines: Pipelines) -> Sequence[tuple[ShaderModule, ...]]:
    """The shaders of each of the node's pipelines that draw."""
    keys = [(node.id, number) for number in range(len(node.declaration.pipelines))]
    every = [pipelines[key].desc.modules for key in keys if key in pipelines]
    return [modules for modules in every if modules[0].stage is ShaderStage.VERTEX or stored_outputs(modules[-1])]


def _unwritten(node: NodeInstance, target: Use, location: int, fragments: Sequence[ShaderModule]) -> UnwrittenTarget:
    declaration, request = node.declaration, target.request
    files = sorted({Path(module.file).name for module in fragments})
    words = " and ".join(f"`{file}`" for file in files) or "its pipeline without a fragment shader"
    contents = "its contents are undefined" if request.verb is Verb.CREATE else "it stays as it was"
    return UnwrittenTarget(
        node,
        f"{node_in_words(declaration.name, declaration.plugin)} renders to {request.words}, but {words} "
        f"{'have' if len(files) > 1 else 'has'} no output at location {location}: {contents}",
        f"write layout(location = {location}) out in the shader, or leave the request out; a target that is only "
        "cleared takes .color(clear=...)",
        request.source,
    )

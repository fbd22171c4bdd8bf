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

    A target that the node clears may stay as the clear leaves it. A node without pipelines draws nothing at all.
    """
    told: set[str] = set()
    for node in plan.graph.nodes:
        targets = targets_of(node)
        if not targets or node.declaration.name in told:
            continue
        drawing = _drawing(node, pipelines)
        fragments = [modules[-1] for modules in drawing if modules[-1].stage is not ShaderStage.VERTEX]
        written = {location for module in fragments for location in (*module.outputs, *stored_outputs(module))}
        for location, target in enumerate(targets):
            if drawing and location not in written and target.request.clear is None:
                told.add(node.declaration.name)
                yield _unwritten(node, target, location, fragments)


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

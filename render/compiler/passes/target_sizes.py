"""Finds nodes whose render targets have several sizes: a pass renders only to what all of them cover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation
from renderwright.render.types.physical import TextureInfo, mip_extent
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class UnequalTargets:
    """A node that renders to targets of several sizes at once; ``where`` is the request of one of them."""

    node: NodeInstance
    message: str
    where: SourceLocation

    hint = "give them one size, or render to each of them in a node of its own"


def unequal_targets(plan: Plan) -> Iterator[UnequalTargets]:
    """The nodes of a plan that render to targets of several sizes, each once whatever its instances are."""
    extents = {each.id: each.info.extent for each in plan.placement.resources if isinstance(each.info, TextureInfo)}
    told: set[str] = set()
    for node in plan.graph.nodes:
        sizes = {name: mip_extent(extents[name], part) for name, _, part in node.attached}
        if len(set(sizes.values())) > 1 and node.declaration.name not in told:
            told.add(node.declaration.name)
            yield _unequal(node, sizes)


def _unequal(node: NodeInstance, sizes: dict[str, Extent]) -> UnequalTargets:
    first = next(iter(sizes))
    other = next(name for name, size in sizes.items() if size != sizes[first])
    request = next(use.request for use in node.uses if other in use.resources)
    message = (
        f'node "{node.declaration.name}" renders to "{first}" of {_in_words(sizes[first])} and to "{other}" of '
        f"{_in_words(sizes[other])} at once: it reaches only what both cover"
    )
    return UnequalTargets(node, message, request.source)


def _in_words(extent: Extent) -> str:
    return f"{extent[0]} x {extent[1]}"

"""Finds nodes whose render targets have several sizes: a pass renders only to what all of them cover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.errors import SourceLocation
from renderwright.render.types.parts import has_any
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
    """The nodes of a plan that render to targets of several sizes, each once whatever its instances are.

    A node one of whose targets is too small to have the requested mip draws nothing.
    """
    infos = {each.id: each.info for each in plan.placement.resources if isinstance(each.info, TextureInfo)}
    told: set[str] = set()
    for node in plan.graph.nodes:
        targets = [(target, infos[target[0]]) for target in node.attached]
        sizes = [(target, mip_extent(info.extent, target[2])) for target, info in targets]
        draws = all(has_any(target[2], info.mips) for target, info in targets)
        other = next((each for each in sizes if each[1] != sizes[0][1]), None)
        if draws and other is not None and node.declaration.name not in told:
            told.add(node.declaration.name)
            yield _unequal(node, sizes[0], other)


def _unequal(node: NodeInstance, first: tuple[Attached, Extent], other: tuple[Attached, Extent]) -> UnequalTargets:
    (one, one_size), (two, two_size) = first, other
    name, usage, part = two
    where = next(
        use.request.source
        for use in node.uses
        if name in use.resources and use.usage is usage and use.request.part == part and not use.reads_history
    )
    message = (
        f'node "{node.declaration.name}" renders to "{one[0]}" of {_in_words(one_size)} and to "{name}" of '
        f"{_in_words(two_size)} at once: it reaches only what both cover"
    )
    return UnequalTargets(node, message, where)


def _in_words(extent: Extent) -> str:
    return f"{extent[0]} x {extent[1]}"

"""What each node does with resources, and the stretches of neighbours that do the same with the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache
from itertools import repeat
from typing import NamedTuple

from renderwright.render.compiler.alike import runs
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.errors import CompileError
from renderwright.render.incremental.memo import Parts
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.merge import merge_scopes, without_layout
from renderwright.render.sync.scopes import Scope, scope_of
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Buffer
from renderwright.render.types.usages import ShaderStage, Usage

Touch = tuple[Scope, frozenset[Usage]]
"""All that one node does with one copy of a resource, as one scope (without a layout for buffers).

The scope's layout is the one that a texture is in while the node runs.
"""


class Touches(NamedTuple):
    """The resources (by id) whose own copies a node touches, and how; those whose history it touches, and how; what it
    mentions otherwise (blobs, too), and those that it hands to the display.

    ``targets`` is what it renders to, None for a node that records nothing; ``renders_only``, ``parted`` and ``views``
    are those of the instance.
    """

    own: tuple[tuple[str, Touch], ...]
    history: tuple[tuple[str, Touch], ...]
    mentioned: tuple[str, ...]
    presented: tuple[str, ...]
    targets: tuple[Attached, ...] | None
    renders_only: bool
    parted: tuple[tuple[str, Part], ...]
    views: int


Stretch = tuple[int, int, Touches]
"""Neighbours in the order that touch the same resources in the same ways: the numbers of the first and of the last one,
and what they do.

A crowd of nodes that fill the same targets is one stretch, and most of what is derived from nodes is the same for all
of them.
"""


def touches(graph: InstanceGraph, parts: Parts | None = None) -> Mapping[str, Touches]:
    """What each node does, by id, equal ones as the same object; ``CompileError`` for a node that uses a texture in two
    ways that exclude each other."""
    parts = parts or Parts()
    buffers = parts.of(frozenset[str])(
        "buffers", tuple([item.id for item in graph.resources if isinstance(item.resource.desc, Buffer)])
    )
    names = [node.id for node in graph.nodes]
    found = parts.of(touches_of, shared=True).all(names, graph.nodes, repeat(buffers))
    return dict(zip(names, found, strict=True))


def stretches(graph: InstanceGraph, known: Mapping[str, Touches] | None = None) -> tuple[Stretch, ...]:
    """The nodes as the longest such stretches; ``known`` are the ``touches`` of the graph, whatever its order."""
    known = touches(graph) if known is None else known
    row = [known[node.id] for node in graph.nodes]
    firsts, ends = runs(row)
    return tuple([(first, end - 1, row[first]) for first, end in zip(firsts, ends, strict=True)])


def touches_of(node: NodeInstance, buffers: Set[str]) -> Touches:
    """What the node does; ``buffers`` are the ids of all of those."""
    own: dict[str, Touch] = {}
    history: dict[str, Touch] = {}
    mentioned: list[str] = []
    presented: list[str] = []
    parted = {name for name, _ in node.parted}
    for use in node.uses:
        usage, names = use.usage, use.resources
        if not use.history:
            mentioned += names
        if usage is None:
            continue
        if usage is Usage.PRESENT:
            presented += () if use.history else names
            continue
        touched = history if use.history else own
        for name in names:
            touch = _single_use(usage, use.stage, name not in buffers)
            before = touched.get(name)
            if before is not None:
                scope, usages = before
                both = loose(scope, touch[0]) if name in parted else in_one_layout(node, name, usage, *before, touch[0])
                touch = both, usages | touch[1]
            touched[name] = touch
    return Touches(
        tuple(own.items()),
        tuple(history.items()),
        tuple([name for name in dict.fromkeys(mentioned) if name not in own]),
        tuple(presented),
        node.attached if node.records else None,
        node.renders_only,
        node.parted,
        node.views.count if node.views is not None else 1,
    )


@cache
def _single_use(usage: Usage, stage: ShaderStage, texture: bool) -> Touch:
    scope = scope_of(usage, stage)
    return scope if texture else without_layout(scope), frozenset({usage})


def loose(first: Scope, second: Scope) -> Scope:
    """Uses of parts that need have no layout in common, as one."""
    layout = first.layout if first.layout == second.layout else Layout.GENERAL
    return Scope(first.stages | second.stages, first.access | second.access, layout)


def in_one_layout(
    node: NodeInstance, name: str, usage: Usage, earlier: Scope, earlier_usages: Set[Usage], scope: Scope
) -> Scope:
    """The node's ``earlier`` uses and one more as one; ``CompileError`` if no layout allows both."""
    try:
        return merge_scopes(earlier, scope)
    except ValueError:
        others = ", ".join(sorted(earlier_usages))
        raise CompileError(
            f'node "{node.id}" uses "{name}" as {usage} and as {others} at once; no layout allows both',
            hint="let an earlier node copy what has to be read, or read it in a later node",
            where=node.declaration.source,
            node=node.declaration.name,
        ) from None

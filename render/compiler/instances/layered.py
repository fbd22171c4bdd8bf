"""One instance and one texture in place of several: what ``multiview`` has decided, carried out.

Instances of different views meet nowhere but in a row of modifiers of what exists once for all views, which a node that
is drawn for several at once never writes to. So where the graph of nodes has no cycle, neither has the one that comes
of putting instances together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from renderwright.render.compiler.values.instances import Index, InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.precedence import Precedence, precedences
from renderwright.render.compiler.values.uses import Use
from renderwright.render.compiler.values.views import Views
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Texture

Place = tuple[str, int]
"""A texture with layers (by id), and one of its layers."""


@dataclass(frozen=True)
class Layered:
    """The nodes that are drawn for several views at once, by name, and the textures that have layers, by root."""

    nodes: Mapping[str, Views]
    textures: Mapping[str, Views]


def layered(graph: InstanceGraph, chosen: Layered) -> InstanceGraph:
    """The graph with the chosen nodes and textures put together."""
    together = _together(graph, chosen)
    places = _places(graph, chosen)
    resources = _resources(graph, chosen, places, together)
    nodes = _nodes(graph, chosen, places, together)
    return replace(
        graph,
        nodes=nodes,
        resources=resources,
        groups=_precedences(graph, chosen, together),
        rows=(),
    )


def whole_id(id: str, name: str, index: Index, views: Views) -> str:
    """The id of all views of a node or resource: ``opaque@view=1,eye=*`` for ``opaque@view=1,eye=0``."""
    number = dict(index)[views.dimension]
    suffix = id[len(name) + 1 :].split(",")
    before, after = f"{views.dimension}={number}", f"{views.dimension}=*"
    return f"{name}@{','.join(after if word == before else word for word in suffix)}"


def _others(index: Index, dimension: str) -> Index:
    return tuple([place for place in index if place[0] != dimension])


def _together(graph: InstanceGraph, chosen: Layered) -> Mapping[str, str]:
    """The new ids of the instances of the chosen nodes."""
    return {
        node.id: whole_id(node.id, node.declaration.name, node.index, chosen.nodes[node.declaration.name])
        for node in graph.nodes
        if node.declaration.name in chosen.nodes
    }


def _places(graph: InstanceGraph, chosen: Layered) -> Mapping[str, Place]:
    """Where the instances of the chosen textures are found, by id."""
    places = {}
    for item in graph.resources:
        views = chosen.textures.get(item.resource.root)
        if views is not None:
            number = dict(item.index)[views.dimension]
            places[item.id] = whole_id(item.id, item.resource.root, item.index, views), number
    return places


def _resources(
    graph: InstanceGraph, chosen: Layered, places: Mapping[str, Place], together: Mapping[str, str]
) -> tuple[ResourceInstance, ...]:
    logical = {}
    result = []
    for item in graph.resources:
        creator = together.get(item.creator, item.creator)
        views = chosen.textures.get(item.resource.root)
        if views is None:
            result.append(item)
            continue
        name, layer = places[item.id]
        if layer:
            continue
        if item.resource.root not in logical:
            desc = item.resource.desc
            assert isinstance(desc, Texture)
            logical[item.resource.root] = replace(item.resource, desc=replace(desc, layers=views.count))
        index = _others(item.index, views.dimension)
        result.append(ResourceInstance(name, logical[item.resource.root], index, creator))
    return tuple(result)


def _nodes(
    graph: InstanceGraph,
    chosen: Layered,
    places: Mapping[str, Place],
    together: Mapping[str, str],
) -> tuple[NodeInstance, ...]:
    groups: dict[str, list[NodeInstance]] = {}
    for node in graph.nodes:
        groups.setdefault(together.get(node.id, node.id), []).append(node)
    nodes = []
    for name, members in groups.items():
        views = chosen.nodes.get(members[0].declaration.name)
        own = _own(places, chain.from_iterable(use.resources for member in members for use in member.uses))
        if views is not None:
            nodes.append(_united(name, tuple(members), views, own))
        else:
            nodes.append(_within_layers(members[0], own) if own else members[0])
    return tuple(nodes)


Own = tuple[tuple[str, Place], ...]


def _own(places: Mapping[str, Place], names: Iterator[str]) -> Own:
    return tuple([(name, places[name]) for name in dict.fromkeys(names) if name in places])


def _within_layers(node: NodeInstance, own: Own) -> NodeInstance:
    """A node of one view: of textures with layers it uses the layer of its own."""
    places = dict(own)
    return replace(node, uses=tuple([_in_layer(use, places) for use in node.uses]))


def _in_layer(use: Use, places: Mapping[str, Place]) -> Use:
    if not use.resources or use.resources[0] not in places:
        return use
    found = [places[name] for name in use.resources]
    request = use.request
    if use.usage is not None:  # a mere rename touches nothing
        request = replace(request, part=Part(request.part.mips, (found[0][1], 1)))
    return use._replace(request=request, resources=tuple([name for name, _ in found]))


def _united(name: str, members: Sequence[NodeInstance], views: Views, own: Own) -> NodeInstance:
    """A node of all views: of textures with layers it uses all, of values one for each view.

    Of textures with layers along another dimension it uses the layer of its own.
    """
    places = dict(own)
    first = members[0]
    uses = []
    for number, use in enumerate(first.uses):
        resources = tuple(dict.fromkeys(chain.from_iterable(member.uses[number].resources for member in members)))
        request = use.request
        if len(resources) == 1 and resources[0] in places:
            uses.append(_in_layer(use, places))
            continue
        if resources and resources[0] in places:
            resources = tuple(dict.fromkeys(places[one][0] for one in resources))
            request = replace(request, part=Part(request.part.mips, None))
        uses.append(use._replace(request=request, resources=resources))
    return NodeInstance(name, first.declaration, _others(first.index, views.dimension), tuple(uses), views)


def _precedences(graph: InstanceGraph, chosen: Layered, together: Mapping[str, str]) -> tuple[Precedence, ...]:
    names = {}
    for item in graph.resources:
        views = chosen.textures.get(item.resource.root)
        if views is not None:
            suffix = item.id[len(item.resource.root) :]
            for name in item.resource.names:
                names[name + suffix] = whole_id(name + suffix, name, item.index, views)
    groups: dict[Precedence, None] = {}
    for group in graph.precedences:
        befores, afters = (
            tuple(dict.fromkeys(together.get(node, node) for node in side)) for side in (group.befores, group.afters)
        )
        resource = names.get(group.resource, group.resource)
        groups |= dict.fromkeys(precedences(befores, afters, group.reason, resource))
    return tuple(groups)

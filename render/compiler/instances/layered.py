"""Carries a decision of ``multiview`` out: one instance and one texture with layers in place of one for each view.

Uniting instances makes no cycle: instances of different views depend on each other only as serialised modifiers of a
resource that exists once for all views, and a node that is drawn for several views at once never writes such a
resource.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.values.instances import Index, InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.precedence import Precedence, precedences
from renderwright.render.compiler.values.uses import Use
from renderwright.render.compiler.values.views import Views
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Texture


@dataclass(frozen=True)
class Layered:
    """The nodes that are drawn for several views at once, by name, and the textures that get layers, by root."""

    nodes: Mapping[str, Views]
    textures: Mapping[str, Views]


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of a texture with layers (by id), which takes the place of one instance of the texture."""

    texture: str
    number: int


Layers = Mapping[str, Layer]
"""The layers that take the places of texture instances, by their ids."""


def layered(graph: InstanceGraph, chosen: Layered) -> InstanceGraph:
    """The graph with the instances of the chosen nodes and textures united."""
    united = {
        node.id: _id_of_all_views(node.id, node.declaration.name, node.index, chosen.nodes[node.declaration.name])
        for node in graph.nodes
        if node.declaration.name in chosen.nodes
    }
    layers: dict[str, Layer] = {}
    for item in graph.resources:
        views = chosen.textures.get(item.resource.root)
        if views:
            texture = _id_of_all_views(item.id, item.resource.root, item.index, views)
            layers[item.id] = Layer(texture, dict(item.index)[views.dimension])
    return replace(
        graph,
        nodes=_nodes(graph, chosen, united, layers),
        resources=_resources(graph, chosen, united, layers),
        groups=_precedences(graph, chosen, united),
        rows=(),
    )


def _id_of_all_views(id: str, name: str, index: Index, views: Views) -> str:
    """The id of all views of a node or resource: ``opaque@view=1,eye=*`` for ``opaque@view=1,eye=0``."""
    number = dict(index)[views.dimension]
    one, all_of_them = f"{views.dimension}={number}", f"{views.dimension}=*"
    words = id[len(name) + 1 :].split(",")
    return f"{name}@{','.join(all_of_them if word == one else word for word in words)}"


def _without_dimension(index: Index, dimension: str) -> Index:
    return tuple([place for place in index if place[0] != dimension])


# resources ----------------------------------------------------------------------------------------------------------


def _resources(
    graph: InstanceGraph, chosen: Layered, united: Mapping[str, str], layers: Layers
) -> tuple[ResourceInstance, ...]:
    with_layers = {
        item.resource.root: replace(item.resource, desc=replace(item.resource.desc, layers=views.count))
        for item in graph.resources
        if (views := chosen.textures.get(item.resource.root)) and isinstance(item.resource.desc, Texture)
    }
    result = []
    for item in graph.resources:
        layer = layers.get(item.id)
        if layer is None:
            result.append(item)
        elif layer.number == 0:
            root = item.resource.root
            index = _without_dimension(item.index, chosen.textures[root].dimension)
            creator = united.get(item.creator, item.creator)
            result.append(ResourceInstance(layer.texture, with_layers[root], index, creator))
    return tuple(result)


# nodes --------------------------------------------------------------------------------------------------------------


def _nodes(
    graph: InstanceGraph, chosen: Layered, united: Mapping[str, str], layers: Layers
) -> tuple[NodeInstance, ...]:
    instances: dict[str, list[NodeInstance]] = {}
    for node in graph.nodes:
        instances.setdefault(united.get(node.id, node.id), []).append(node)
    result = []
    for id, members in instances.items():
        views = chosen.nodes.get(members[0].declaration.name)
        if views:
            result.append(_node_of_all_views(id, members, views, layers))
        else:
            result += [_node_of_one_view(member, layers) for member in members]
    return tuple(result)


def _node_of_one_view(node: NodeInstance, layers: Layers) -> NodeInstance:
    """The node using the layers of its own view."""
    if not any(use.present and use.resources[0] in layers for use in node.uses):
        return node
    return replace(node, uses=tuple([_use_of_one_view(use, layers) for use in node.uses]))


def _use_of_one_view(use: Use, layers: Layers) -> Use:
    if not use.present or use.resources[0] not in layers:
        return use
    own = [layers[name] for name in use.resources]
    request = use.request
    if use.usage is not None:  # a mere rename touches nothing
        request = replace(request, part=Part(request.part.mips, (own[0].number, 1)))
    return use._replace(request=request, resources=tuple([layer.texture for layer in own]))


def _node_of_all_views(id: str, members: Sequence[NodeInstance], views: Views, layers: Layers) -> NodeInstance:
    first = members[0]
    uses = [_use_of_all_views([member.uses[number] for member in members], layers) for number in range(len(first.uses))]
    return NodeInstance(id, first.declaration, _without_dimension(first.index, views.dimension), tuple(uses), views)


def _use_of_all_views(uses: Sequence[Use], layers: Layers) -> Use:
    """One use for the same use of all members: all layers of a texture, or the values of all views."""
    use = uses[0]
    resources = tuple(dict.fromkeys([name for each in uses for name in each.resources]))
    if not resources or resources[0] not in layers:
        return use._replace(resources=resources)
    if len(resources) == 1:
        # The texture has layers along another dimension: all members use the same layer.
        return _use_of_one_view(use, layers)
    textures = tuple(dict.fromkeys([layers[name].texture for name in resources]))
    return use._replace(request=replace(use.request, part=Part(use.request.part.mips, None)), resources=textures)


# dependencies -------------------------------------------------------------------------------------------------------


def _precedences(graph: InstanceGraph, chosen: Layered, united: Mapping[str, str]) -> tuple[Precedence, ...]:
    names = {}
    for item in graph.resources:
        views = chosen.textures.get(item.resource.root)
        if views:
            suffix = item.id[len(item.resource.root) :]
            for name in item.resource.names:
                names[name + suffix] = _id_of_all_views(name + suffix, name, item.index, views)

    def side(nodes: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys([united.get(node, node) for node in nodes]))

    groups: dict[Precedence, None] = {}
    for group in graph.precedences:
        resource = names.get(group.resource, group.resource)
        groups |= dict.fromkeys(precedences(side(group.befores), side(group.afters), group.reason, resource))
    return tuple(groups)

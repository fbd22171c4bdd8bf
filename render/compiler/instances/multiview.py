"""multiview: which nodes are drawn for several views at once, where the application repeats them.

A node says by ``NodeDeclaration.multiview`` over which dimension it can be. Its instances become one, which renders to
textures with a layer for each; where that cannot be, the instances stay, with a reason. The stage stands behind
``cull`` and sees only what is in the frame. What it decides is carried out by ``layered``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from renderwright.render.compiler.instances.layered import Layered, layered
from renderwright.render.compiler.rates import irregular_resources, is_rated, writes
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.compiler.values.uses import Use
from renderwright.render.compiler.values.views import Apart, Views, WhyApart
from renderwright.render.graph.requests import Verb
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Blob, Texture
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, Usage

LAYERED = ATTACHMENTS | (SHADER_USAGES - {Usage.UNIFORM})
"""The usages of textures that can be of one layer as well as of a texture without layers."""


Obstacle = tuple[WhyApart, str]


def multiview(graph: InstanceGraph, dimensions: Sequence[str], most: int) -> InstanceGraph:
    """The graph in which one instance draws at most ``most`` views at once; the same graph if there is none such.

    All that such a node renders to or samples, and that repeats over its dimension, gets layers. Every other node
    then uses the layer of its own instance. A texture gets layers over one dimension; who comes first in the order of
    ``graph.nodes`` decides. A node that executes nothing follows those that draw. ``dimensions`` are the graph's.
    """
    judge = _Judge(graph, dimensions, most)
    nodes: dict[str, Views] = {}
    textures: dict[str, Views] = {}
    apart: list[Apart] = []
    for name in sorted(judge.willing, key=lambda name: not judge.willing[name][0].declaration.executes):
        views = judge.views_of(name)
        if views.count < 2:
            continue
        own = judge.textures_of(name, views)
        obstacle = judge.obstacle(name, views) or judge.taken(own, textures, views) or judge.alone(name, own, textures)
        if obstacle is not None:
            apart.append(Apart(name, *obstacle))
            continue
        nodes[name] = views
        textures |= dict.fromkeys(own, views)
    if nodes:
        graph = layered(graph, Layered(nodes, textures))
    return replace(graph, apart=tuple(apart)) if apart else graph


class _User(NamedTuple):
    node: NodeInstance
    use: Use


class _Judge:
    """Knows who uses what, by name of the node and root of the resource."""

    def __init__(self, graph: InstanceGraph, dimensions: Sequence[str], most: int) -> None:
        self.willing: dict[str, list[NodeInstance]] = {}
        self._dimensions = dimensions
        self._most = most
        self._instances: Mapping[str, ResourceInstance] = {item.id: item for item in graph.resources}
        self._sinks = {self._instances[sink].resource.root for sink in graph.sinks}
        self._irregular = {self._instances[name].resource.root for name in irregular_resources(graph)}
        self._users: dict[str, list[_User]] = defaultdict(list)
        for node in graph.nodes:
            if node.declaration.multiview:
                self.willing.setdefault(node.declaration.name, []).append(node)
            for use in node.uses:
                if use.resources:
                    self._users[self._resource(use).root].append(_User(node, use))

    def _resource(self, use: Use) -> LogicalResource:
        return self._instances[use.resources[0]].resource

    def _repeats(self, use: Use, dimension: str) -> bool:
        return any(name == dimension for name, _ in self._instances[use.resources[0]].index)

    def views_of(self, name: str) -> Views:
        """The views that the node would be drawn for at once; one view of a dimension that it does not repeat over."""
        dimension = self.willing[name][0].declaration.multiview
        if dimension not in self._dimensions:
            return Views(dimension, 2)  # more than one, so that somebody hears of it
        return Views(dimension, 1 + max([dict(node.index).get(dimension, 0) for node in self.willing[name]]))

    def textures_of(self, name: str, views: Views) -> Sequence[str]:
        """The roots of the textures that the node uses and that repeat over the dimension."""
        uses = [use for use in self.willing[name][0].uses if use.resources and self._repeats(use, views.dimension)]
        resources = [self._resource(use) for use in uses]
        return list(dict.fromkeys(each.root for each in resources if isinstance(each.desc, Texture)))

    def obstacle(self, name: str, views: Views) -> Obstacle | None:
        """What keeps the node itself from being drawn for all views at once."""
        node = self.willing[name][0]
        if views.dimension not in self._dimensions:
            hint = did_you_mean(views.dimension, self._dimensions)
            return WhyApart.DIMENSION, f"`{views.dimension}` is no dimension of this graph" + (hint and f"; {hint}")
        if views.count > self._most:
            most = f"no more than {self._most} views" if self._most > 1 else "only one view"
            return WhyApart.MOST, f"{most} can be drawn at once here, and it has {views.count}"
        if is_rated(node.declaration):
            return WhyApart.RATE, f"it runs {node.declaration.rate}"
        if not node.attached:
            return WhyApart.TARGETS, "it renders to nothing"
        return next((found for use in node.uses if (found := self._use_obstacle(use, views))), None)

    def _use_obstacle(self, use: Use, views: Views) -> Obstacle | None:
        if not use.resources:
            return None
        desc, renders = self._resource(use).desc, use.usage in ATTACHMENTS
        changes = writes(use.request, desc) or bool(use.to)
        if not self._repeats(use, views.dimension):
            once = f"which exists once for all of `{views.dimension}`"
            if renders:
                return WhyApart.TARGETS, f"it renders to `{use.name}`, {once}"
            return (WhyApart.WRITES, f"it writes `{use.name}`, {once}") if changes else None
        if changes and not renders:
            return WhyApart.WRITES, f"it writes `{use.name}`, and not by rendering to it"
        if use.request.verb is Verb.GATHER:
            return WhyApart.READS, f"it gathers `{use.name}`"
        if use.history:
            return WhyApart.READS, f"it reads the history of `{use.name}`"
        if isinstance(desc, Blob) or renders:
            return None
        if not isinstance(desc, Texture):
            return WhyApart.READS, f"there is a buffer `{use.name}` for each of `{views.dimension}`"
        if use.usage is not Usage.SAMPLED:
            return WhyApart.READS, f"it reads `{use.name}` as {use.usage}"
        return (WhyApart.READS, f"`{use.name}` has several samples a texel") if desc.samples > 1 else None

    def taken(self, own: Sequence[str], textures: Mapping[str, Views], views: Views) -> Obstacle | None:
        """What keeps a node's ``own`` textures from having a layer for each view; ``textures`` have layers already."""
        for root in own:
            other = textures.get(root, views)
            over = f"has a layer for each of `{other.dimension}`"
            why = over if other != views else self._flat(root, views)
            if why:
                return WhyApart.TEXTURE, f"`{root}` {why}"
        return None

    def alone(self, name: str, own: Sequence[str], textures: Mapping[str, Views]) -> Obstacle | None:
        """Who draws into the textures of a node that executes nothing, but for each view by itself.

        The two are one pass if both are drawn so.
        """
        if self.willing[name][0].declaration.executes or any(root in textures for root in own):
            return None
        for root in own:
            for node, use in self._users[root]:
                if node.declaration.executes and use.usage in ATTACHMENTS:
                    who = f"`{node.declaration.name}` renders to `{root}`"
                    return WhyApart.ALONE, f"it executes nothing, and {who} for each view by itself"
        return None

    def _flat(self, root: str, views: Views) -> str:
        """Why a texture cannot have a layer for each view, or ''."""
        resource = self._resource(self._users[root][0].use)
        desc = resource.desc
        assert isinstance(desc, Texture)
        if resource.external:
            return "comes from outside the frame"
        if root in self._sinks:
            return "is what the frame is made for"
        if desc.layers > 1 or desc.cube:
            return "has layers of its own"
        if root in self._irregular:
            return "is used by nodes that do not run in every frame"
        for node, use in self._users[root]:
            name = node.declaration.name
            if use.usage is not None and use.usage not in LAYERED:
                return f"is used as {use.usage} by `{name}`"
            if len({dict(self._instances[one].index)[views.dimension] for one in use.resources}) > 1:
                return f"is gathered over `{views.dimension}` by `{name}`"
        return ""

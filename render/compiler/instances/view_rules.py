"""The rules of multiview: why a node is not drawn for several views at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from renderwright.render.compiler.rates import is_rated, resources_of_rated_nodes, writes
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.compiler.values.uses import Use
from renderwright.render.compiler.values.views import Views, WhyApart
from renderwright.render.graph.requests import Verb
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Blob, Texture
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, Usage

LAYERED = ATTACHMENTS | (SHADER_USAGES - {Usage.UNIFORM})
"""The usages that work on one layer of a texture as well as on a texture without layers."""


class Blocker(NamedTuple):
    """A reason to draw a node for each view by itself, also in words."""

    reason: WhyApart
    message: str


@dataclass(frozen=True)
class Candidate:
    """A node that declares multiview.

    ``node`` is its first instance, ``views`` are the views that it would be drawn for at once, and ``textures`` the
    roots of the textures that would get a layer for each of these: those that the node uses and that repeat over the
    dimension.
    """

    node: NodeInstance
    views: Views
    textures: Sequence[str]


class _User(NamedTuple):
    node: NodeInstance
    use: Use


class ViewRules:
    """The rules for the nodes of one graph, whose dimensions are given; ``most`` views can be drawn at once."""

    def __init__(self, graph: InstanceGraph, dimensions: Sequence[str], most: int) -> None:
        self._dimensions = dimensions
        self._most = most
        self._instances = {item.id: item for item in graph.resources}
        self._sinks = {self._instances[sink].resource.root for sink in graph.sinks}
        self._of_rated_nodes = {self._instances[name].resource.root for name in resources_of_rated_nodes(graph)}
        self._users: dict[str, list[_User]] = defaultdict(list)
        for node in graph.nodes:
            for use in node.uses:
                if use.present:
                    self._users[self._resource(use).root].append(_User(node, use))

    def candidate(self, instances: Sequence[NodeInstance]) -> Candidate:
        """The candidate of all instances of a node."""
        first = instances[0]
        dimension = first.declaration.multiview
        numbers = [dict(node.index).get(dimension, 0) for node in instances]
        # An unknown dimension counts as repeated, so that it is reported.
        views = Views(dimension, 1 + max(numbers) if dimension in self._dimensions else 2)
        resources = [self._resource(use) for use in first.uses if use.present and self._repeats(use, dimension)]
        textures = [resource.root for resource in resources if isinstance(resource.desc, Texture)]
        return Candidate(first, views, list(dict.fromkeys(textures)))

    def blocker(self, candidate: Candidate, layered: Mapping[str, Views]) -> Blocker | None:
        """What keeps a candidate from being drawn for all views at once, by the first rule that it breaks.

        ``layered`` are the textures (by root) that have a layer for each view already.
        """
        return next(self._blockers(candidate, layered), None)

    # The first blocker counts, so a rule may rely on those before it.

    def _blockers(self, candidate: Candidate, layered: Mapping[str, Views]) -> Iterator[Blocker]:
        node, views, textures = candidate.node, candidate.views, candidate.textures
        if views.dimension not in self._dimensions:
            hint = did_you_mean(views.dimension, self._dimensions)
            message = f"`{views.dimension}` is no dimension of this graph" + (hint and f"; {hint}")
            yield Blocker(WhyApart.DIMENSION, message)
        if views.count > self._most:
            most = f"no more than {self._most} views" if self._most > 1 else "only one view"
            yield Blocker(WhyApart.MOST, f"{most} can be drawn at once here, and it has {views.count}")
        if is_rated(node.declaration):
            yield Blocker(WhyApart.RATE, f"it runs {node.declaration.rate}")
        if not node.attached:
            yield Blocker(WhyApart.TARGETS, "it renders to nothing")
        for use in node.uses:
            if use.present:
                yield from self._blockers_of_use(use, views.dimension)
        for root in textures:
            yield from self._blockers_of_texture(root, views, layered.get(root, views))
        if not node.declaration.executes and not any(root in layered for root in textures):
            yield from self._blockers_of_silent_node(textures)

    def _blockers_of_use(self, use: Use, dimension: str) -> Iterator[Blocker]:
        desc, renders = self._resource(use).desc, use.usage in ATTACHMENTS
        changes = writes(use.request, desc) or bool(use.to)
        if not self._repeats(use, dimension):
            once = f"which exists once for all of `{dimension}`"
            if renders:
                yield Blocker(WhyApart.TARGETS, f"it renders to `{use.name}`, {once}")
            if changes:
                yield Blocker(WhyApart.WRITES, f"it writes `{use.name}`, {once}")
            return
        if changes and not renders:
            yield Blocker(WhyApart.WRITES, f"it writes `{use.name}`, and not by rendering to it")
        if use.request.verb is Verb.GATHER:
            yield Blocker(WhyApart.READS, f"it gathers `{use.name}`")
        if use.reads_history:
            yield Blocker(WhyApart.READS, f"it reads the history of `{use.name}`")
        if renders or isinstance(desc, Blob):
            return
        if not isinstance(desc, Texture):
            yield Blocker(WhyApart.READS, f"there is a buffer `{use.name}` for each of `{dimension}`")
        elif use.usage is not Usage.SAMPLED:
            yield Blocker(WhyApart.READS, f"it reads `{use.name}` as {use.usage}")
        elif desc.samples > 1:
            yield Blocker(WhyApart.READS, f"`{use.name}` has several samples a texel")

    def _blockers_of_texture(self, root: str, views: Views, layered_over: Views) -> Iterator[Blocker]:
        def blocker(why: str) -> Blocker:
            return Blocker(WhyApart.TEXTURE, f"`{root}` {why}")

        users = self._users[root]
        resource = self._resource(users[0].use)
        assert isinstance(resource.desc, Texture)
        if layered_over != views:
            yield blocker(f"has a layer for each of `{layered_over.dimension}`")
        if resource.external:
            yield blocker("comes from outside the frame")
        if root in self._sinks:
            yield blocker("is what the frame is made for")
        if resource.desc.layers > 1 or resource.desc.cube:
            yield blocker("has layers of its own")
        if root in self._of_rated_nodes:
            yield blocker("is used by nodes that do not run in every frame")
        for node, use in users:
            name = node.declaration.name
            if use.usage is not None and use.usage not in LAYERED:
                yield blocker(f"is used as {use.usage} by `{name}`")
            if len({dict(self._instances[one].index)[views.dimension] for one in use.resources}) > 1:
                yield blocker(f"is gathered over `{views.dimension}` by `{name}`")

    def _blockers_of_silent_node(self, textures: Sequence[str]) -> Iterator[Blocker]:
        """A node that executes nothing joins the pass of a node that draws into its textures for each view."""
        for root in textures:
            for node, use in self._users[root]:
                if node.declaration.executes and use.usage in ATTACHMENTS:
                    drawn = f"`{node.declaration.name}` renders to `{root}` for each view by itself"
                    yield Blocker(WhyApart.DRAWN_APART, f"it executes nothing, and {drawn}")

    def _resource(self, use: Use) -> LogicalResource:
        return self._instances[use.resources[0]].resource

    def _repeats(self, use: Use, dimension: str) -> bool:
        return any(name == dimension for name, _ in self._instances[use.resources[0]].index)

"""The rules of multiview: why a node is not drawn for several views at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from renderwright.render.compiler.rates import irregular_resources, is_rated, writes
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.compiler.values.uses import Use
from renderwright.render.compiler.values.views import Views, WhyApart
from renderwright.render.graph.requests import Verb
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Blob, ResourceDesc, Texture
from renderwright.render.types.usages import ATTACHMENTS, SHADER_USAGES, Usage

LAYERED = ATTACHMENTS | (SHADER_USAGES - {Usage.UNIFORM})
"""The usages that a single layer of a texture allows as well as a texture without layers does."""


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
        self._irregular = {self._instances[name].resource.root for name in irregular_resources(graph)}
        self._users: dict[str, list[_User]] = defaultdict(list)
        for node in graph.nodes:
            for use in node.uses:
                if use.resources:
                    self._users[self._resource(use).root].append(_User(node, use))

    def candidate(self, instances: Sequence[NodeInstance]) -> Candidate:
        """The candidate of all instances of a node."""
        first = instances[0]
        dimension = first.declaration.multiview
        numbers = [dict(node.index).get(dimension, 0) for node in instances]
        # An unknown dimension counts as repeated, so that it is reported.
        views = Views(dimension, 1 + max(numbers) if dimension in self._dimensions else 2)
        resources = [self._resource(use) for use in first.uses if use.resources and self._repeats(use, dimension)]
        textures = [resource.root for resource in resources if isinstance(resource.desc, Texture)]
        return Candidate(first, views, list(dict.fromkeys(textures)))

    def blocker(self, candidate: Candidate, layered: Mapping[str, Views]) -> Blocker | None:
        """What keeps a candidate from being drawn for all views at once: the first rule that is broken.

        ``layered`` are the textures (by root) that have a layer for each view already.
        """
        rules: tuple[Callable[[Candidate, Mapping[str, Views]], Blocker | None], ...] = (
            self._unknown_dimension,
            self._too_many_views,
            self._own_rate,
            self._no_attachments,
            self._unfit_use,
            self._unfit_texture,
            self._drawn_into_by_view,
        )
        return next((found for rule in rules if (found := rule(candidate, layered))), None)

    # rules for nodes ------------------------------------------------------------------------------------------------

    def _unknown_dimension(self, candidate: Candidate, _: Mapping[str, Views]) -> Blocker | None:
        dimension = candidate.views.dimension
        if dimension in self._dimensions:
            return None
        hint = did_you_mean(dimension, self._dimensions)
        return Blocker(WhyApart.DIMENSION, f"`{dimension}` is no dimension of this graph" + (hint and f"; {hint}"))

    def _too_many_views(self, candidate: Candidate, _: Mapping[str, Views]) -> Blocker | None:
        count = candidate.views.count
        if count <= self._most:
            return None
        most = f"no more than {self._most} views" if self._most > 1 else "only one view"
        return Blocker(WhyApart.MOST, f"{most} can be drawn at once here, and it has {count}")

    def _own_rate(self, candidate: Candidate, _: Mapping[str, Views]) -> Blocker | None:
        declaration = candidate.node.declaration
        return Blocker(WhyApart.RATE, f"it runs {declaration.rate}") if is_rated(declaration) else None

    def _no_attachments(self, candidate: Candidate, _: Mapping[str, Views]) -> Blocker | None:
        return None if candidate.node.attached else Blocker(WhyApart.TARGETS, "it renders to nothing")

    def _unfit_use(self, candidate: Candidate, _: Mapping[str, Views]) -> Blocker | None:
        dimension = candidate.views.dimension
        for use in candidate.node.uses:
            if use.resources:
                rule = _unfit_use_of_each_view if self._repeats(use, dimension) else _unfit_use_of_one_for_all
                found = rule(use, self._resource(use).desc, dimension)
                if found:
                    return found
        return None

    def _unfit_texture(self, candidate: Candidate, layered: Mapping[str, Views]) -> Blocker | None:
        for root in candidate.textures:
            over = layered.get(root, candidate.views)
            if over != candidate.views:
                return Blocker(WhyApart.TEXTURE, f"`{root}` has a layer for each of `{over.dimension}`")
            why = next(self._reasons_against_layers(root, candidate.views), None)
            if why:
                return Blocker(WhyApart.TEXTURE, f"`{root}` {why}")
        return None

    def _drawn_into_by_view(self, candidate: Candidate, layered: Mapping[str, Views]) -> Blocker | None:
        """A node that executes nothing and another node that draws into its textures for each view by itself.

        The two can be one pass if both are drawn for each view.
        """
        if candidate.node.declaration.executes or any(root in layered for root in candidate.textures):
            return None
        for root in candidate.textures:
            for node, use in self._users[root]:
                if node.declaration.executes and use.usage in ATTACHMENTS:
                    drawn = f"`{node.declaration.name}` renders to `{root}`"
                    return Blocker(WhyApart.ALONE, f"it executes nothing, and {drawn} for each view by itself")
        return None

    def _reasons_against_layers(self, root: str, views: Views) -> Iterator[str]:
        """Why a texture cannot have a layer for each view."""
        users = self._users[root]
        resource = self._resource(users[0].use)
        desc = resource.desc
        assert isinstance(desc, Texture)
        if resource.external:
            yield "comes from outside the frame"
        if root in self._sinks:
            yield "is what the frame is made for"
        if desc.layers > 1 or desc.cube:
            yield "has layers of its own"
        if root in self._irregular:
            yield "is used by nodes that do not run in every frame"
        for node, use in users:
            name = node.declaration.name
            if use.usage is not None and use.usage not in LAYERED:
                yield f"is used as {use.usage} by `{name}`"
            if len({dict(self._instances[one].index)[views.dimension] for one in use.resources}) > 1:
                yield f"is gathered over `{views.dimension}` by `{name}`"

    # resources ------------------------------------------------------------------------------------------------------

    def _resource(self, use: Use) -> LogicalResource:
        return self._instances[use.resources[0]].resource

    def _repeats(self, use: Use, dimension: str) -> bool:
        return any(name == dimension for name, _ in self._instances[use.resources[0]].index)


# rules for uses -----------------------------------------------------------------------------------------------------


def _changes(use: Use, desc: ResourceDesc) -> bool:
    return writes(use.request, desc) or bool(use.to)


def _unfit_use_of_one_for_all(use: Use, desc: ResourceDesc, dimension: str) -> Blocker | None:
    """The rules for a use of a resource that does not repeat over the dimension."""
    once = f"which exists once for all of `{dimension}`"
    if use.usage in ATTACHMENTS:
        return Blocker(WhyApart.TARGETS, f"it renders to `{use.name}`, {once}")
    if _changes(use, desc):
        return Blocker(WhyApart.WRITES, f"it writes `{use.name}`, {once}")
    return None


def _unfit_use_of_each_view(use: Use, desc: ResourceDesc, dimension: str) -> Blocker | None:
    """The rules for a use of a resource that repeats over the dimension."""
    renders = use.usage in ATTACHMENTS
    if _changes(use, desc) and not renders:
        return Blocker(WhyApart.WRITES, f"it writes `{use.name}`, and not by rendering to it")
    if use.request.verb is Verb.GATHER:
        return Blocker(WhyApart.READS, f"it gathers `{use.name}`")
    if use.history:
        return Blocker(WhyApart.READS, f"it reads the history of `{use.name}`")
    if renders or isinstance(desc, Blob):
        return None
    if not isinstance(desc, Texture):
        return Blocker(WhyApart.READS, f"there is a buffer `{use.name}` for each of `{dimension}`")
    if use.usage is not Usage.SAMPLED:
        return Blocker(WhyApart.READS, f"it reads `{use.name}` as {use.usage}")
    if desc.samples > 1:
        return Blocker(WhyApart.READS, f"`{use.name}` has several samples a texel")
    return None

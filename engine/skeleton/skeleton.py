"""A skeleton frame graph as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.errors import UsageError
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.snapshot import Chain, GraphSnapshot, ResolutionRule
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import ResourceDesc

VIEWPORT = ResolutionRule("viewport", of="output")
"""Size of a view's part of the output. The default is the whole output; the application may divide it among views."""

RENDERED = "main_view"
"""Name of the resolution at which a view of the scene is rendered. Skeletons define it."""

PICTURE = ResolutionRule("picture", of=RENDERED)
"""Size of a view's picture for effects after upscaling. The default is the size at which the scene is rendered."""


@dataclass(frozen=True)
class Skeleton:
    """The nodes and resources that an engine declares as the base of a frame.

    ``slots`` maps indirect names to resources. ``sinks`` are the results of the frame. The nodes execute nothing: they
    create resources, fix the order, and provide names for plugins.
    """

    name: str
    dimensions: tuple[str, ...] = ("view", "eye", "sample", "tile")
    resolutions: tuple[ResolutionRule, ...] = ()
    slots: tuple[tuple[str, str], ...] = ()
    chains: tuple[Chain, ...] = ()
    sinks: tuple[str, ...] = ()
    nodes: tuple[NodeDeclaration, ...] = ()

    @cached_property
    def repeated(self) -> tuple[str, ...]:
        """Dimensions that any of its nodes repeats over."""
        modes = [node.multiplex or frozenset() for node in self.nodes]
        return tuple(dimension for dimension in self.dimensions if any(dimension in mode for mode in modes))

    @property
    def picture(self) -> ResolutionRule:
        """The rule of ``picture``: a view's part of the output in a skeleton that does not define the rendered size."""
        renders = any(rule.name == RENDERED for rule in self.resolutions)
        return PICTURE if renders else ResolutionRule(PICTURE.name, of=VIEWPORT.name)

    @cached_property
    def created(self) -> frozenset[str]:
        """The names of the resources that its nodes create."""
        return frozenset(request.creates for node in self.nodes for request in node.requests if request.creates)

    def description(self, resource: str) -> ResourceDesc | None:
        """The description of a resource that one of its nodes creates."""
        requests = [request for node in self.nodes for request in node.requests if request.creates == resource]
        return requests[0].desc if requests else None


def to_snapshot(skeleton: Skeleton, counts: Mapping[str, int] | None = None) -> GraphSnapshot:
    """The skeleton alone as the input of a compile, with ``counts`` instances by dimension (default 1).

    Raises ``UsageError`` for a dimension that the skeleton does not have, or a count below 1.
    """
    for dimension, count in (counts or {}).items():
        if dimension not in skeleton.dimensions:
            raise UsageError(
                f'the skeleton "{skeleton.name}" has no dimension "{dimension}"',
                hint=did_you_mean(dimension, skeleton.dimensions),
            )
        if count < 1:
            raise UsageError(f'dimension "{dimension}" cannot have {count} instances', hint="give 1 or more")
    return GraphSnapshot(
        nodes=skeleton.nodes,
        slots=skeleton.slots,
        chains=skeleton.chains,
        sinks=skeleton.sinks,
        dimensions=skeleton.dimensions,
        counts=tuple((counts or {}).items()),
    )

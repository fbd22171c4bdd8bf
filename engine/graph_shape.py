"""The shape that the views give a graph: numbers of instances, and sizes."""

from __future__ import annotations

from dataclasses import replace

from renderwright.engine.skeleton import PICTURE, RENDERED, VIEWPORT, Skeleton
from renderwright.engine.views import ViewSet
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule


class GraphShape:
    """Sets the counts and the sizes of a graph to those of the views.

    With ``ViewSet.upscaled_from``, the scene is rendered at that share of the skeleton's size, and the resolution
    ``picture`` has the skeleton's size. Otherwise ``picture`` follows the size at which the scene is rendered.
    """

    def __init__(self, graph: FrameGraph, skeleton: Skeleton) -> None:
        self._graph = graph
        self._dimensions = skeleton.repeated
        rules = [rule for rule in skeleton.resolutions if rule.name == RENDERED]
        self._rendered = rules[0] if rules else None
        self._views: ViewSet | None = None
        self._upscaled_from: float | None = None

    def follow(self, views: ViewSet) -> None:
        """Take the shape of the views of the next frame."""
        if views is self._views:
            return
        for dimension in self._dimensions:
            self._graph.set_count(dimension, views.counts.get(dimension, 1))
        self._graph.set_resolution(VIEWPORT.name, views.viewport)
        if self._rendered is not None and views.upscaled_from != self._upscaled_from:
            self._upscaled_from = views.upscaled_from
            for rule in sizes_of(self._rendered, views.upscaled_from):
                self._graph.define_resolution(rule)
        self._views = views

    def held(self, views: ViewSet) -> tuple[ResolutionRule, ...]:
        """The rules that make the graph's sizes those of other views."""
        viewport = ResolutionRule(VIEWPORT.name, size=views.viewport)
        if self._rendered is None or views.upscaled_from == self._upscaled_from:
            return (viewport,)
        return (viewport, *sizes_of(self._rendered, views.upscaled_from))


def sizes_of(rendered: ResolutionRule, upscaled_from: float | None) -> tuple[ResolutionRule, ResolutionRule]:
    """The rules of the rendered size and of ``picture``, from the skeleton's rule of the former. A change between two
    pairs may wait: nothing outside the graph has these sizes."""
    if upscaled_from is None:
        return replace(rendered, may_wait=True), replace(PICTURE, may_wait=True)
    whole = replace(rendered, name=PICTURE.name, may_wait=True)
    return ResolutionRule(rendered.name, of=PICTURE.name, scale=upscaled_from, may_wait=True), whole

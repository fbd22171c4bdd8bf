"""The shape that views give a graph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderwright.engine.frame_base import add_skeleton
from renderwright.engine.graph_shape import GraphShape
from renderwright.engine.scene import Camera
from renderwright.engine.skeleton import Skeleton
from renderwright.engine.views import ViewSet
from renderwright.render.errors import UsageError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule

VIEWS = ViewSet.of((Camera(),), (200, 100))


def shaped(*views: ViewSet, scale: float = 1.0) -> FrameGraph:
    """A graph that has followed these views, with a skeleton that renders at a scale."""
    skeleton = Skeleton("test", resolutions=(ResolutionRule("main_view", of="viewport", scale=scale),))
    graph = FrameGraph()
    add_skeleton(graph, skeleton)
    graph.set_resolution("output", (200, 100))
    shape = GraphShape(graph, skeleton)
    for each in views:
        shape.follow(each)
    return graph


def sizes(graph: FrameGraph) -> tuple[tuple[int, int], tuple[int, int]]:
    return graph.resolution("main_view"), graph.resolution("picture")


def test_without_upscaling_the_picture_has_the_rendered_size() -> None:
    assert sizes(shaped(VIEWS)) == ((200, 100), (200, 100))
    assert sizes(shaped(VIEWS, scale=0.5)) == ((100, 50), (100, 50))


def test_upscaling_takes_a_share_of_the_skeletons_size() -> None:
    assert sizes(shaped(VIEWS.upscaled(0.75))) == ((150, 75), (200, 100))
    assert sizes(shaped(VIEWS.upscaled(0.5), scale=0.5)) == ((50, 25), (100, 50))


def test_sizes_of_other_views_are_held_by_their_rules() -> None:
    graph = shaped(VIEWS)
    shape = GraphShape(graph, Skeleton("test", resolutions=(ResolutionRule("main_view", of="viewport"),)))
    small = replace(VIEWS, output=(100, 50))
    assert shape.held(small) == (ResolutionRule("viewport", size=small.viewport),), "a size set by hand stays"
    shape.follow(VIEWS.upscaled(0.5))
    assert sizes(graph) == ((100, 50), (200, 100))
    held = {rule.name: rule for rule in graph.sizes(shape.held(VIEWS)).resolutions}
    assert (held["main_view"].of, held["picture"].of) == ("viewport", "main_view")
    assert sizes(graph) == ((100, 50), (200, 100))


def test_it_ends_with_those_views() -> None:
    assert sizes(shaped(VIEWS.upscaled(0.5), replace(VIEWS, time=1.0))) == ((200, 100), (200, 100))


def test_a_size_set_by_hand_stays() -> None:
    graph = shaped(VIEWS)
    graph.set_resolution("main_view", (40, 20))
    GraphShape(graph, Skeleton("test", resolutions=(ResolutionRule("main_view", of="viewport"),))).follow(VIEWS)
    assert sizes(graph) == ((40, 20), (40, 20))


def test_two_plugins_cannot_upscale_and_none_by_a_senseless_share() -> None:
    with pytest.raises(UsageError, match="already"):
        VIEWS.upscaled(0.5).upscaled(0.5)
    for share in (0.0, -1.0, 1.5):
        with pytest.raises(UsageError, match="upscaled"):
            VIEWS.upscaled(share)

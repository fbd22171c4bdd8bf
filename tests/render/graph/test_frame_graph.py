"""Editing the graph: nodes come, change and go; only changed nodes are declared again."""

from __future__ import annotations

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import Texture


class Counting:
    """A declare function that counts its runs."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, reg) -> None:
        self.runs += 1
        reg.create("a", Texture("rgba8_unorm", (4, 4))).color()


def test_declare_runs_once_until_the_node_is_replaced() -> None:
    graph = FrameGraph()
    first, second = Counting(), Counting()
    graph.add_node("n", first)
    graph.declare()
    graph.set_resolution("output", (8, 8))
    graph.declare()
    assert first.runs == 1
    graph.add_node("n", second)
    graph.declare()
    assert (first.runs, second.runs) == (1, 1)


def test_a_replaced_node_keeps_its_place() -> None:
    graph = FrameGraph()
    graph.add_node("a", Counting())
    graph.add_node("b", Counting())
    graph.add_node("a", Counting())
    graph.declare()
    index = {node.name: node.index for node in graph.snapshot().nodes}
    assert index["a"] < index["b"]


def test_a_node_that_comes_back_makes_the_same_graph() -> None:
    graph = FrameGraph()
    declare = Counting()
    graph.add_node("a", declare)
    graph.add_node("b", declare)
    graph.declare()
    before = graph.snapshot()
    graph.remove_node("a")
    graph.declare()
    assert graph.snapshot() != before
    graph.add_node("a", declare)
    graph.declare()
    assert graph.snapshot() == before


def test_a_node_that_comes_back_alike_has_the_same_declaration() -> None:
    """Snapshots with the same objects compare without a look into them."""
    graph, declare = FrameGraph(), Counting()
    graph.add_node("a", declare)
    graph.declare()
    before = graph.declared("a")
    graph.remove_node("a")
    graph.declare()
    graph.add_node("a", declare)
    graph.declare()
    assert declare.runs == 2
    assert graph.declared("a") is not before
    assert graph.declared("a").declaration is before.declaration


def test_a_raising_declare_is_reported_and_left_out() -> None:
    graph = FrameGraph()

    def broken(reg):
        reg.create("half", Texture("rgba8_unorm", (4, 4))).color()
        raise ValueError("no")

    graph.add_node("good", Counting())
    graph.add_node("bad", broken)
    (failure,) = graph.declare()
    assert failure.source.name == "bad"
    assert isinstance(failure.error, ValueError)
    assert [node.name for node in graph.snapshot().nodes] == ["good"]


def test_removing_an_unknown_node_says_what_there_is() -> None:
    graph = FrameGraph()
    graph.add_node("lighting", Counting())
    with pytest.raises(GraphError, match="lighting"):
        graph.remove_node("ligthing")


def test_edits_raise_the_revision_and_non_edits_do_not() -> None:
    graph = FrameGraph()
    graph.set_resolution("output", (8, 8))
    revision = graph.revision
    graph.set_resolution("output", (8, 8))
    graph.set_count("view", 1)
    graph.set_external_format("image", "rgba8_srgb")
    changed = graph.revision
    graph.set_external_format("image", "rgba8_srgb")
    assert changed == revision + 1
    assert graph.revision == changed
    graph.set_count("view", 2)
    assert graph.revision == changed + 1


@pytest.mark.parametrize(
    "edit",
    [
        lambda graph: graph.set_resolution("output", (0, 4)),
        lambda graph: graph.set_count("view", 0),
        lambda graph: graph.set_count("veiw", 2),
        lambda graph: graph.add_node("", Counting()),
    ],
)
def test_senseless_edits_are_refused(edit) -> None:
    with pytest.raises(GraphError):
        edit(FrameGraph())


class TestDynamicResolution:
    @pytest.fixture
    def graph(self) -> FrameGraph:
        graph = FrameGraph()
        graph.set_resolution("output", (1920, 1080))
        graph.define_resolution(ResolutionRule("main_view", of="output"))
        return graph

    def test_it_reaches_the_compiler_and_leaves_it(self, graph) -> None:
        full = graph.sizes()
        graph.set_dynamic_resolution("main_view", (960, 540))
        assert graph.sizes().dynamic == (("main_view", (960, 540)),)
        assert graph.sizes().planned() == full
        graph.set_dynamic_resolution("main_view", None)
        assert graph.sizes() == full

    def test_only_news_raise_the_revision(self, graph) -> None:
        revision = graph.revision
        graph.set_dynamic_resolution("main_view", None)
        assert graph.revision == revision
        graph.set_dynamic_resolution("main_view", (960, 540))
        graph.set_dynamic_resolution("main_view", (960, 540))
        assert graph.revision == revision + 1

    def test_it_is_told_from_other_edits(self, graph) -> None:
        revision = graph.static_revision
        graph.set_dynamic_resolution("main_view", (960, 540))
        graph.set_dynamic_resolution("main_view", None)
        assert graph.static_revision == revision
        graph.set_resolution("output", (800, 600))
        assert graph.static_revision == revision + 1

    def test_the_full_size_can_be_asked_for(self, graph) -> None:
        graph.set_dynamic_resolution("main_view", (960, 540))
        assert graph.resolution("main_view") == (1920, 1080)
        with pytest.raises(GraphError, match="has no size"):
            graph.resolution("shadow_map")

    def test_the_full_size_is_no_dynamic_one(self, graph) -> None:
        graph.set_dynamic_resolution("main_view", (1920, 1080))
        assert graph.sizes().dynamic == ()

    def test_it_stays_within_a_full_size_that_shrinks_and_comes_back(self, graph) -> None:
        graph.set_dynamic_resolution("main_view", (960, 540))
        graph.set_resolution("output", (800, 600))
        assert graph.sizes().dynamic == (("main_view", (800, 540)),)
        graph.set_resolution("output", (640, 480))
        assert graph.sizes().dynamic == ()
        graph.set_resolution("output", (1920, 1080))
        assert graph.sizes().dynamic == (("main_view", (960, 540)),)

    def test_what_is_larger_than_planned_or_unknown_is_refused(self, graph) -> None:
        with pytest.raises(GraphError, match="main_view") as caught:
            graph.set_dynamic_resolution("mainview", (4, 4))
        assert "main_view" in caught.value.hint
        for extent in ((1921, 4), (4, 1081), (0, 4), (4, -1)):
            with pytest.raises(GraphError, match="for now") as caught:
                graph.set_dynamic_resolution("main_view", extent)
            assert "1920 x 1080" in caught.value.hint

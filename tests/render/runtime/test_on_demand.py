"""Graphs that are run once, beside the frames of another graph and for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.on_demand import run_once
from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan

ICON = Texture("rgba8_unorm", (16, 16))
DRAW = """
layout(push_constant) uniform Push { vec4 color; } push;
layout(location = 0) out vec4 result;
void main() { result = push.color * (gl_FragCoord.x < 8.0 ? 1.0 : 0.5); }
"""
SHOW = """
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }
"""


def icon_graph(color=(1.0, 0.0, 0.0, 1.0), *, name: str = "icon") -> FrameGraph:
    """An icon, drawn and then looked at by a node that makes another texture of it."""

    def draw(reg):
        reg.create("sketch", ICON).color(clear=(0.0, 0.0, 0.0, 0.0))
        pipeline = reg.graphics("draw.frag")
        return lambda cmd: cmd.draw(pipeline, color=color)

    def finish(reg):
        reg.read("sketch").sampled(filter="nearest").bind("source")
        reg.create(name, ICON).color()
        pipeline = reg.graphics("show.frag")
        return lambda cmd: cmd.draw(pipeline)

    graph = FrameGraph()
    graph.add_node("draw", draw)
    graph.add_node("finish", finish)
    return graph


@pytest.fixture
def framing(bench):
    """A bench whose frames show the external texture ``icon`` once there is one."""
    bench.shader("draw.frag", DRAW)
    bench.shader("show.frag", SHOW)

    def show(reg):
        reg.external("icon", ICON).sampled(filter="nearest").bind("source")
        reg.create("a", Texture("rgba32_sfloat", (8, 8))).color()
        pipeline = reg.graphics("show.frag")
        return lambda cmd: cmd.draw(pipeline)

    def plain(reg):
        reg.create("b", Texture("rgba32_sfloat", (64, 64))).color()
        pipeline = reg.graphics("draw.frag")
        return lambda cmd: cmd.draw(pipeline, color=(cmd.frame,) * 4)

    bench.graph.add_node("plain", plain)
    bench.show = lambda: bench.graph.add_node("show", show)
    return bench


def test_an_icon_is_drawn_beside_plans_that_are_not_executed(framing) -> None:
    framing.runtime.options = replace(framing.runtime.options, executed=False)
    icon = run_once(framing.runtime, icon_graph(), read=["icon"]).values["icon"]
    assert icon[0, 0].tolist() == [255, 0, 0, 255]


def test_an_icon_is_read_back(framing) -> None:
    framing.frames(3)
    icon = run_once(framing.runtime, icon_graph((1.0, 0.0, 0.0, 1.0)), read=["icon"]).values["icon"]
    assert icon.shape == (16, 16, 4)
    assert icon.dtype == np.uint8
    assert np.array_equal(icon[5, 3], [255, 0, 0, 255])
    framing.frames(2)
    assert np.all(framing.texels("b")[0, 0] == 4)


def test_an_icon_is_kept_and_used_by_the_frames(framing) -> None:
    """Made while frames are in flight, and exchanged for another one while they go on."""
    icons = []
    framing.graph.set_external("icon", lambda context: icons[-1])
    framing.frames(3)
    for green in (1.0, 0.2, 0.4):
        icons.append(run_once(framing.runtime, icon_graph((0.0, green, 0.0, 1.0)), keep=["icon"]).textures["icon"])
        framing.show()
        framing.frames(1)
        if len(icons) > 1:
            framing.backend.destroy(icons[-2])
        framing.frames(2)
        assert framing.texels("a")[3, 3, 1] == pytest.approx(green)
    framing.backend.destroy(icons[-1])


def test_several_results_of_several_kinds(framing) -> None:
    framing.shader(
        "fill.comp",
        """
        layout(std430, set = 0, binding = 0) writeonly buffer numbers { uint values[]; };
        void main() { values[0] = 7u; values[1] = 9u; }
        """,
    )

    def fill(reg):
        reg.create("numbers", Buffer(8)).storage_write()
        name = reg.create("title", str)
        pipeline = reg.compute("fill.comp")

        def execute(cmd) -> None:
            name.value = "seven and nine"
            cmd.dispatch(pipeline, (1, 1))

        return execute

    graph = icon_graph()
    graph.add_node("fill", fill)
    results = run_once(framing.runtime, graph, read=["numbers", "title", "sketch"], keep=["icon"])
    assert list(results.values["numbers"].view(np.uint32)) == [7, 9]
    assert results.values["title"] == "seven and nine"
    assert np.abs(results.values["sketch"][5, 9].astype(int) - [128, 0, 0, 128]).max() <= 1
    assert list(results.textures) == ["icon"]
    framing.backend.destroy(results.textures["icon"])


def test_nothing_is_left_behind(framing) -> None:
    framing.frames(1)
    framing.backend.wait_idle()
    run_once(framing.runtime, icon_graph(), read=["icon"])  # its pipelines stay
    before = len(framing.backend._objects)
    for _ in range(5):
        run_once(framing.runtime, icon_graph(), read=["icon"])
    assert len(framing.backend._objects) == before


def test_what_nobody_makes_is_named(framing) -> None:
    with pytest.raises(GraphError, match='the graph does not make "icno"') as caught:
        run_once(framing.runtime, icon_graph(), read=["icno"])
    assert "icno" in str(caught.value.hint)
    framing.frames(1)


def test_a_node_that_fails_fails_the_call(framing) -> None:
    def bad(reg):
        reg.create("icon", ICON).color()

        def execute(cmd) -> None:
            raise ZeroDivisionError("a mistake")

        return execute

    graph = FrameGraph()
    graph.add_node("bad", bad)
    before = len(framing.backend._objects)
    with pytest.raises(GraphError, match=r"bad.*a mistake"):
        run_once(framing.runtime, graph, keep=["icon"])
    assert len(framing.backend._objects) == before
    framing.frames(2)
    assert framing.failures == []


def test_not_from_within_a_frame(framing) -> None:
    def bad(reg):
        reg.create("m", ICON).color()

        def execute(cmd) -> None:
            run_once(framing.runtime, icon_graph(), read=["icon"])

        return execute

    framing.graph.add_node("bad", bad)
    framing.frames(1)
    (failure,) = framing.failures
    assert "nothing else can be submitted until it is finished" in str(failure.error)


def test_a_texture_only_is_kept(framing) -> None:
    graph = FrameGraph()
    graph.add_node("make", lambda reg: (reg.create("title", str), lambda cmd: None)[1])
    with pytest.raises(GraphError, match='"title" is no texture of the graph'):
        run_once(framing.runtime, graph, keep=["title"])

"""A frame of four nodes with a history and a kept texture, and its report."""

from __future__ import annotations

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Texture

PAGE = 65536
"""A texture of 128x128 texels of 4 bytes."""


def frame_plan(*, history: bool = True, kept: bool = True, heap_limit: int = 2**63) -> Plan:
    """draw -> light -> (resolve reads its own history) -> show: a, then b of 2 pages, then c, then the picture."""
    graph = FrameGraph()
    graph.add_sink("picture")

    def draw(reg: Registry) -> None:
        reg.create("a", _texture(1)).color()

    def light(reg: Registry) -> None:
        reg.read("a").sampled()
        if kept:
            reg.read("sky").sampled()
        reg.create("b", _texture(2)).color()

    def resolve(reg: Registry) -> None:
        reg.read("b").sampled()
        if history:
            reg.history("c").sampled()
        reg.create("c", _texture(1)).color()

    def show(reg: Registry) -> None:
        reg.read("c").sampled()
        reg.create("picture", _texture(1)).color()

    def sky(reg: Registry) -> None:
        reg.every(4)
        reg.create("sky", _texture(1)).color()

    graph.add_node("draw", draw)
    graph.add_node("light", light, plugin="lights")
    graph.add_node("resolve", resolve)
    graph.add_node("show", show)
    if kept:
        graph.add_node("sky", sky, plugin="weather")
    assert graph.declare() == ()
    model = RowMajorModel(heap_limit=heap_limit)
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(order="declared"), model)


def _texture(pages: int) -> Texture:
    return Texture("rgba8_unorm", (128, 128 * pages))

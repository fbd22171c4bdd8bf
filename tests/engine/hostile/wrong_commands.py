"""Plugins whose execute functions give commands what no driver may be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hostile_plugins import Hostile, adding

from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.types.resources import Buffer, Texture

_COLOR = Texture("rgba8_unorm", (8, 8))
_LAYOUT = VertexLayout(((0, "rgb32_sfloat", 0),), 12)


class _Node:
    """A pass that draws to a texture with a vertex and an index buffer, and what its commands may be given."""

    def __init__(self, reg: Any) -> None:
        reg.side_effects()
        reg.create("thing", _COLOR).color()
        self.vertices = reg.read("vertices").vertex()
        self.indices = reg.read("indices").index()
        self.plain = reg.graphics("red.frag")
        self.mesh = reg.graphics("red.frag", "mesh.vert", vertex_layout=_LAYOUT)


class _Fill:
    """A node that fills a texture in a compute shader."""

    def __init__(self, reg: Any) -> None:
        reg.side_effects()
        filled = reg.create("filled", Texture("rgba16_sfloat", (8, 8)))
        self.filled = filled.storage_write(stage="compute").bind("thing")
        self.program = reg.compute("fill.comp")


def _buffers(reg: Any) -> Callable[[Any], None]:
    reg.create("vertices", Buffer(64)).copy_dst()
    reg.create("indices", Buffer(64)).copy_dst()
    return lambda cmd: None


def _drawing(execute: Callable[[Any, _Node], object], words: str) -> Hostile:
    def declare(reg: Any) -> Callable[[Any], object]:
        node = _Node(reg)
        return lambda cmd: execute(cmd, node)

    return Hostile(adding(_buffers, declare), words)


def _filling(execute: Callable[[Any, _Fill], object], words: str) -> Hostile:
    def declare(reg: Any) -> Callable[[Any], object]:
        node = _Fill(reg)
        return lambda cmd: execute(cmd, node)

    return Hostile(adding(declare), words)


def _not_passed(reg: Any) -> Callable[[Any], object]:
    reg.side_effects()
    reg.create("thing", _COLOR).color()
    pipeline = reg.graphics("shade.frag")
    return lambda cmd: cmd.draw(pipeline)


def _dispatch_in_a_pass(reg: Any) -> Callable[[Any], object]:
    node = _Fill(reg)
    reg.create("color", _COLOR).color()
    return lambda cmd: cmd.dispatch(node.program, (8, 8))


def _no_layout(reg: Any) -> Callable[[Any], object]:
    reg.side_effects()
    reg.create("color", _COLOR).color()
    mesh = reg.graphics("red.frag", "mesh.vert")
    return lambda cmd: cmd.draw(mesh)


def _foreign() -> Hostile:
    """A node that draws with the pipeline of another one."""
    others: list[_Node] = []

    def declare(reg: Any) -> Callable[[Any], object]:
        others.append(_Node(reg))
        return lambda cmd: None

    def borrow(reg: Any) -> Callable[[Any], object]:
        reg.side_effects()
        reg.create("more", _COLOR).color()
        reg.graphics("red.frag")
        return lambda cmd: cmd.draw(others[0].plain)

    return Hostile(adding(_buffers, declare, borrow), "a pipeline that is none of its node's")


def _indexed(cmd: Any, node: _Node) -> None:
    cmd.bind(node.mesh)
    cmd.vertices(node.vertices.buffer)
    cmd.indices(node.indices.buffer)


def _after_indexed(command: Callable[[Any], object], words: str) -> Hostile:
    def execute(cmd: Any, node: _Node) -> None:
        _indexed(cmd, node)
        command(cmd)

    return _drawing(execute, words)


def _no_indices(cmd: Any, node: _Node) -> None:
    cmd.bind(node.mesh)
    cmd.vertices(node.vertices.buffer)
    cmd.draw_indexed(3)


WRONG_COMMANDS = {
    "an indexed draw without a pipeline": _drawing(lambda cmd, node: cmd.draw_indexed(3), "draws without a pipeline"),
    "a draw without vertices": _drawing(lambda cmd, node: cmd.draw(node.mesh), "draws without a vertex buffer"),
    "a draw without indices": _drawing(_no_indices, "draws without an index buffer"),
    "a handle as a vertex buffer": _drawing(lambda cmd, node: cmd.vertices(node.vertices), "which is no buffer"),
    "a vertex buffer as indices": _drawing(
        lambda cmd, node: cmd.indices(node.vertices.buffer), "which is not requested so"
    ),
    "a draw of a text": _drawing(lambda cmd, node: cmd.draw(node.plain, "3"), "is '3'"),
    "a draw of less than nothing": _drawing(lambda cmd, node: cmd.draw(node.plain, -3), "is -3"),
    "an indexed draw of a text": _after_indexed(lambda cmd: cmd.draw_indexed("3"), "is '3'"),
    "an indexed draw of a float": _after_indexed(lambda cmd: cmd.draw_indexed(3.0), "is 3.0"),
    "a large vertex offset": _after_indexed(lambda cmd: cmd.draw_indexed(3, 1, 0, 2**31), "is 2147483648"),
    "an indirect draw of nothing": _after_indexed(lambda cmd: cmd.draw_indexed_indirect(None, 1), "no buffer"),
    "a viewport of a text": _drawing(lambda cmd, node: cmd.viewport("0", 0, 8, 8), "'0', which is no number"),
    "a dispatch of a graphics pipeline": _drawing(
        lambda cmd, node: cmd.dispatch(node.plain, (8, 8)), "dispatches a graphics pipeline"
    ),
    "a dispatch in a pass": Hostile(adding(_dispatch_in_a_pass), "dispatches in a node with render targets"),
    "no vertex layout": Hostile(adding(_no_layout), "mesh.vert:3 reads the vertex attribute at location 0, which no"),
    "an input that is not passed": Hostile(adding(_not_passed), "shade.frag:2 reads location 3, which fullscreen"),
    "no pipeline": _drawing(lambda cmd, node: cmd.draw(None), "a pipeline that is none of its node's"),
    "another node's pipeline": _foreign(),
    "a draw of a compute pipeline": _filling(lambda cmd, node: cmd.draw(node.program), "draws with a compute pipeline"),
    "a dispatch of floats": _filling(lambda cmd, node: cmd.dispatch(node.program, (3.5, 4.0)), "is 3.5"),
    "a dispatch of less than nothing": _filling(lambda cmd, node: cmd.dispatch(node.program, (-1, 4)), "is -1"),
    "a dispatch of a handle": _filling(
        lambda cmd, node: cmd.dispatch(node.program, node.filled), "the extent of a dispatch is"
    ),
}
"""The mistakes by name."""

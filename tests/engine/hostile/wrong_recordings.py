"""Plugins that tell ``cmd.recorder`` what no driver may be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hostile_plugins import Hostile, adding

from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Buffer, Texture

_COLOR = Texture("rgba8_unorm", (8, 8))
_LAYOUT = VertexLayout(((0, "rgb32_sfloat", 0),), 12)


@dataclass
class Transfers:
    """A node that copies, fills and clears; ``made`` creates what it copies from."""

    handles: dict[str, Any] = field(default_factory=dict)

    def made(self, reg: Any) -> Callable[[Any], None]:
        """State the requests of the other node."""
        reg.create("from", Buffer(64)).copy_dst()
        reg.create("picture", _COLOR).copy_dst()
        return lambda cmd: None

    def declare(self, reg: Any) -> None:
        """State the requests."""
        reg.side_effects()
        self.handles = {
            "source": reg.read("from").copy_src(),
            "picture": reg.read("picture").copy_src(),
            "small": reg.create("small", Buffer(8)).copy_dst(),
            "buffer": reg.create("buffer", Buffer(64)).copy_dst(),
            "large": reg.create("large", Buffer(256)).copy_dst(),
            "texture": reg.create("texture", _COLOR).copy_dst(),
            "other": reg.create("other", Texture("rgba8_unorm", (4, 4))).copy_dst(),
            "whole": reg.create("whole", Texture("r32_uint", (8, 8))).copy_dst(),
            "depth": reg.create("deep", Texture("d32_sfloat", (8, 8))).copy_dst(),
        }

    def __getattr__(self, name: str) -> Any:
        return self.handles[name]


@dataclass
class Draws:
    """A node that draws to a texture."""

    def made(self, reg: Any) -> Callable[[Any], None]:
        """State the requests of the other node."""
        made = [reg.create(name, Buffer(64)).copy_dst() for name in ("vertices", "indices", "commands")]

        def execute(cmd: Any) -> None:
            for each in made:
                cmd.recorder.fill_buffer(each.buffer)

        return execute

    def declare(self, reg: Any) -> None:
        """State the requests."""
        reg.side_effects()
        reg.create("drawn", _COLOR).color()
        self.vertices = reg.read("vertices").vertex()
        self.indices = reg.read("indices").index()
        self.commands = reg.read("commands").indirect()
        self.plain = reg.graphics("red.frag")
        self.mesh = reg.graphics("red.frag", "mesh.vert", vertex_layout=_LAYOUT)

    def bind(self, cmd: Any) -> None:
        """Bind all that an indexed draw needs."""
        cmd.bind(self.mesh)
        cmd.vertices(self.vertices.buffer)
        cmd.indices(self.indices.buffer)


@dataclass
class Dispatches:
    """A node that runs a compute shader."""

    def made(self, reg: Any) -> Callable[[Any], None]:
        """State the requests of the other node: none."""
        return lambda cmd: None

    def declare(self, reg: Any) -> None:
        """State the requests."""
        reg.side_effects()
        reg.create("filled", Texture("rgba16_sfloat", (8, 8))).storage_write(stage="compute").bind("thing")
        self.program = reg.compute("fill.comp")


@dataclass(frozen=True)
class Wrong:
    """A kind of node, what it records by mistake, and a part of the message."""

    kind: type[Any]
    record: Callable[[Any, Any], object]
    words: str

    def declares(self) -> tuple[Callable[[Any], object], Callable[[Any], object]]:
        """The declare functions of the other node and of the one with the mistake."""
        node = self.kind()

        def declare(reg: Any) -> Callable[[Any], object]:
            node.declare(reg)
            return lambda cmd: self.record(cmd, node)

        return node.made, declare


def _transfer(record: Callable[[Any, Any], object], words: str) -> Wrong:
    return Wrong(Transfers, lambda cmd, node: record(cmd.recorder, node), words)


def _indexed(record: Callable[[Any, Any], object], words: str) -> Wrong:
    def all_of_it(cmd: Any, node: Any) -> None:
        node.bind(cmd)
        record(cmd.recorder, node)

    return Wrong(Draws, all_of_it, words)


def _drawing(record: Callable[[Any, Any], object], words: str) -> Wrong:
    def all_of_it(cmd: Any, node: Any) -> None:
        cmd.bind(node.plain)
        record(cmd.recorder, node)

    return Wrong(Draws, all_of_it, words)


def _dispatching(record: Callable[[Any, Any], object], words: str) -> Wrong:
    def all_of_it(cmd: Any, node: Any) -> None:
        cmd.bind(node.program)
        record(cmd.recorder, cmd.pipeline(node.program))

    return Wrong(Dispatches, all_of_it, words)


def _texels(rec: Any, node: Any, mip: Any, layer: Any, target: Any) -> None:
    rec.copy_texels(node.picture.texture, node.picture.layout, mip, layer, target.buffer)


def _clear(rec: Any, handle: Any, value: Any = (0, 0, 0, 0), *part: Any) -> None:
    rec.clear_texture(handle.texture, handle.layout, value, *part)


def _copy(rec: Any, node: Any, target: Any, *parts: Any) -> None:
    rec.copy_texture(node.picture.texture, target.texture, *parts)


WRONG = {
    # fills
    "a fill with a float": _transfer(lambda rec, node: rec.fill_buffer(node.buffer.buffer, 1.0), "fill is 1.0"),
    "a fill with a negative word": _transfer(lambda rec, node: rec.fill_buffer(node.buffer.buffer, -1), "is -1"),
    "a fill with a large word": _transfer(lambda rec, node: rec.fill_buffer(node.buffer.buffer, 2**32), "4294967296"),
    "a fill with a truth": _transfer(lambda rec, node: rec.fill_buffer(node.buffer.buffer, True), "fill is True"),
    "a fill beyond the end": _transfer(
        lambda rec, node: rec.fill_buffer(node.small.buffer, 0, 0, 4096), "a fill writes bytes 0 to 4096 of"
    ),
    "a fill beyond the end of numpy's": _transfer(
        lambda rec, node: rec.fill_buffer(node.buffer.buffer, 0, np.uint8(4), np.uint8(252)), "bytes 4 to 256 of"
    ),
    "a fill from the end": _transfer(lambda rec, node: rec.fill_buffer(node.small.buffer, 0, 8), "bytes 8 to 8 of"),
    "a fill of no words": _transfer(
        lambda rec, node: rec.fill_buffer(node.small.buffer, 0, 2, 2), "the start or the size of a fill is 2"
    ),
    "a fill from a negative start": _transfer(lambda rec, node: rec.fill_buffer(node.buffer.buffer, 0, -4, 8), "is -4"),
    "a fill from a text": _transfer(lambda rec, node: rec.fill_buffer(node.buffer.buffer, 0, "0"), "is '0'"),
    "a fill of a handle": _transfer(lambda rec, node: rec.fill_buffer(node.buffer), "which is no buffer"),
    "a fill of a texture": _transfer(lambda rec, node: rec.fill_buffer(node.texture.texture), "which is no buffer"),
    "a fill of nothing": _transfer(lambda rec, node: rec.fill_buffer(None), "a fill is None, which is no buffer"),
    "a fill in a pass": _drawing(lambda rec, node: rec.fill_buffer(node.vertices.buffer), "targets fills a buffer"),
    # clears
    "a fill of what is read": _transfer(
        lambda rec, node: rec.fill_buffer(node.source.buffer), "the target of a fill, clear or copy is"
    ),
    "a clear of what is read": _transfer(
        lambda rec, node: rec.clear_texture(node.picture.texture, Layout.GENERAL, (0, 0, 0, 0)), "not requested so"
    ),
    "a copy of what is written": _transfer(
        lambda rec, node: rec.copy_buffer(node.large.buffer, node.buffer.buffer), "the source of a copy is"
    ),
    "vertices from indices": _indexed(lambda rec, node: rec.bind_vertices(node.indices.buffer), "the vertex buffer is"),
    "indices from vertices": _indexed(lambda rec, node: rec.bind_indices(node.vertices.buffer), "the index buffer is"),
    "commands from vertices": _indexed(
        lambda rec, node: rec.draw_indexed_indirect(node.vertices.buffer, 1), "buffer of commands or counts is"
    ),
    "a clear of nothing": _transfer(
        lambda rec, node: rec.clear_texture(None, Layout.GENERAL, (0, 0, 0, 0)), "a clear is None, which is no texture"
    ),
    "a clear of a handle": _transfer(
        lambda rec, node: rec.clear_texture(node.texture, Layout.GENERAL, (0, 0, 0, 0)), "which is no texture"
    ),
    "a clear in no layout": _transfer(
        lambda rec, node: rec.clear_texture(node.texture.texture, None, (0, 0, 0, 0)), "the layout of a clear is None"
    ),
    "a clear in another layout": _transfer(
        lambda rec, node: rec.clear_texture(node.texture.texture, Layout.SHADER_READ_ONLY, (0, 0, 0, 0)),
        "is SHADER_READ_ONLY, which is not TRANSFER_DST or GENERAL",
    ),
    "a clear to a number": _transfer(lambda rec, node: _clear(rec, node.texture, 3), "3, which is no (red, green"),
    "a clear to three numbers": _transfer(lambda rec, node: _clear(rec, node.texture, (0, 0, 0)), "which is no (red,"),
    "a clear to texts": _transfer(lambda rec, node: _clear(rec, node.texture, "0000"), "'0000', which is no (red,"),
    "a clear to a negative word": _transfer(lambda rec, node: _clear(rec, node.whole, (-1, 0, 0, 0)), "has -1"),
    "a clear to NaN": _transfer(lambda rec, node: _clear(rec, node.whole, (np.nan, 0, 0, 0)), "has nan"),
    "a clear of a depth of 2": _transfer(lambda rec, node: _clear(rec, node.depth, (2.0, 0, 0, 0)), "has 2.0"),
    "a clear of a mip too many": _transfer(
        lambda rec, node: _clear(rec, node.texture, (0, 0, 0, 0), Part((1, 1))), "it has 1 mip, so no mip 1"
    ),
    "a clear of a negative layer": _transfer(
        lambda rec, node: _clear(rec, node.texture, (0, 0, 0, 0), Part(None, (-1, 1))), "a part's range is -1"
    ),
    "a clear of no mips": _transfer(
        lambda rec, node: _clear(rec, node.texture, (0, 0, 0, 0), Part((0, 0))), "has the range (0, 0)"
    ),
    "a clear of a part of numbers": _transfer(
        lambda rec, node: _clear(rec, node.texture, (0, 0, 0, 0), (0, 1)), "the part of a clear is (0, 1)"
    ),
    # copies
    "a copy of a handle": _transfer(
        lambda rec, node: rec.copy_buffer(node.source, node.buffer.buffer), "which is no buffer"
    ),
    "a copy to nothing": _transfer(lambda rec, node: rec.copy_buffer(node.source.buffer, None), "None, which is no"),
    "a copy beyond the target": _transfer(
        lambda rec, node: rec.copy_buffer(node.source.buffer, node.small.buffer, 64), "writes bytes 0 to 64 of"
    ),
    "a copy beyond the source": _transfer(
        lambda rec, node: rec.copy_buffer(node.source.buffer, node.buffer.buffer, 128), "reads bytes 0 to 128 of"
    ),
    "a copy of a float": _transfer(
        lambda rec, node: rec.copy_buffer(node.source.buffer, node.buffer.buffer, 4.0), "the size of a copy is 4.0"
    ),
    "a copy of less than nothing": _transfer(
        lambda rec, node: rec.copy_buffer(node.source.buffer, node.buffer.buffer, -4), "the size of a copy is -4"
    ),
    "a copy to itself": _transfer(
        lambda rec, node: rec.copy_buffer(node.buffer.buffer, node.buffer.buffer), "is copied to itself"
    ),
    "a copy of other texels": _transfer(lambda rec, node: _copy(rec, node, node.other), "and they differ"),
    "a copy of a texture to a buffer": _transfer(
        lambda rec, node: rec.copy_texture(node.picture.texture, node.buffer.buffer), "which is no texture"
    ),
    "a copy of a layer too many": _transfer(
        lambda rec, node: _copy(rec, node, node.texture, [Part(None, (0, 9))]), "it has 1 layer, so no layers 0 to 8"
    ),
    "a copy of a single part": _transfer(
        lambda rec, node: _copy(rec, node, node.texture, Part()), "the parts of a copy are Part"
    ),
    "a copy in no layouts": _transfer(
        lambda rec, node: _copy(rec, node, node.texture, [Part()], None), "the layouts of a copy are None"
    ),
    "texels of a mip too many": _transfer(lambda rec, node: _texels(rec, node, 1, 0, node.buffer), "so no mip 1"),
    "texels of a text": _transfer(lambda rec, node: _texels(rec, node, "0", 0, node.buffer), "a copy is '0'"),
    "texels of a negative layer": _transfer(lambda rec, node: _texels(rec, node, 0, -1, node.buffer), "is -1"),
    "texels to a small buffer": _transfer(
        lambda rec, node: _texels(rec, node, 0, 0, node.small), "a copy writes bytes 0 to 256 of"
    ),
    # pipelines and bindings
    "no pipeline to bind": _drawing(lambda rec, node: rec.bind_pipeline(None), "a pipeline that is none of its"),
    "a handle to bind": _drawing(lambda rec, node: rec.bind_pipeline(node.plain), "a pipeline that is none of its"),
    "bindings of a dict": _dispatching(lambda rec, program: rec.bind_set(program, 0, {}), "dict"),
    "bindings of a set too many": _dispatching(lambda rec, program: rec.bind_set(program, 1, {}), "dict"),
    "bindings of a negative set": _dispatching(lambda rec, program: rec.bind_set(program, -1, {}), "is -1"),
    "push constants of a text": _dispatching(lambda rec, program: rec.push(program, "0000"), "constants are a str"),
    "push constants of no words": _dispatching(lambda rec, program: rec.push(program, bytes(6)), "bytes of push"),
    "vertices of a handle": _drawing(lambda rec, node: rec.bind_vertices(node.vertices), "which is no buffer"),
    "vertices from the end": _drawing(lambda rec, node: rec.bind_vertices(node.vertices.buffer, 64), "has 64 bytes"),
    "vertices from a float": _drawing(lambda rec, node: rec.bind_vertices(node.vertices.buffer, 4.0), "is 4.0"),
    "indices of nothing": _drawing(lambda rec, node: rec.bind_indices(None), "which is no buffer"),
    "indices of half a word": _drawing(lambda rec, node: rec.bind_indices(node.indices.buffer, 2), "is 2"),
    "a viewport of texts": _drawing(lambda rec, node: rec.viewport("0", 0, 8, 8), "'0', which is no number"),
    "a viewport of NaN": _drawing(lambda rec, node: rec.viewport(0, 0, np.nan, 8), "the viewport is nan"),
    "a viewport of no width": _drawing(lambda rec, node: rec.viewport(0, 0, 0, 8), "the viewport is 0"),
    "a large viewport": _drawing(lambda rec, node: rec.viewport(0, 0, 8, 2**20), "the viewport is 1048576"),
    "a scissor rectangle of floats": _drawing(lambda rec, node: rec.scissor(0, 0, 8.0, 8), "rectangle is 8.0"),
    "a scissor rectangle below 0": _drawing(lambda rec, node: rec.scissor(-1, 0, 8, 8), "rectangle is -1"),
    "a scissor rectangle with a large edge": _drawing(
        lambda rec, node: rec.scissor(2**30, 0, 2**30, 8), "an edge of the scissor rectangle is 2147483648"
    ),
    "a large scissor rectangle": _drawing(lambda rec, node: rec.scissor(0, 0, 2**31, 8), "rectangle is 2147483648"),
    # draws
    "a draw of a float": _drawing(lambda rec, node: rec.draw(3.0), "a number of a draw is 3.0"),
    "a draw of nothing": _drawing(lambda rec, node: rec.draw(None), "a number of a draw is None"),
    "a draw of less than no instances": _drawing(lambda rec, node: rec.draw(3, -1), "is -1"),
    "a draw of large numbers": _drawing(lambda rec, node: rec.draw(3, 1, 2**32), "is 4294967296"),
    "a draw without a pipeline": Wrong(Draws, lambda cmd, node: cmd.recorder.draw(3), "draws without a pipeline"),
    "a draw outside of a pass": _dispatching(lambda rec, program: rec.draw(3), "draws with a compute pipeline"),
    "a draw beyond the vertices": _indexed(lambda rec, node: rec.draw(3, 1, 60), "draws 63 vertices"),
    "an indexed draw of a text": _indexed(lambda rec, node: rec.draw_indexed("3"), "is '3'"),
    "an indexed draw far below": _indexed(lambda rec, node: rec.draw_indexed(3, 1, 0, -(2**31) - 1), "-2147483649"),
    "an indexed draw beyond the indices": _indexed(
        lambda rec, node: rec.draw_indexed(16, 1, 1), "an indexed draw reads bytes 4 to 68 of"
    ),
    "an indirect draw by a handle": _indexed(
        lambda rec, node: rec.draw_indexed_indirect(node.commands, 1), "no buffer"
    ),
    "an indirect draw of a float": _indexed(
        lambda rec, node: rec.draw_indexed_indirect(node.commands.buffer, 1.0), "indirect draws is 1.0"
    ),
    "an indirect draw beyond the end": _indexed(
        lambda rec, node: rec.draw_indexed_indirect(node.commands.buffer, 4), "reads bytes 0 to 80 of"
    ),
    "an indirect draw beyond the end of numpy's": _indexed(
        lambda rec, node: rec.draw_indexed_indirect(node.commands.buffer, np.uint32(2**31)), "bytes 0 to 42949672960"
    ),
    "an indirect draw of half a word": _indexed(
        lambda rec, node: rec.draw_indexed_indirect(node.commands.buffer, 1, 2), "is 2"
    ),
    "an indirect draw of a count beyond": _indexed(
        lambda rec, node: rec.draw_indexed_indirect(node.commands.buffer, 1, 0, node.commands.buffer, 64),
        "reads bytes 64 to 68 of",
    ),
    # dispatches
    "groups of a float": _dispatching(lambda rec, program: rec.dispatch(1.0), "a number of workgroups is 1.0"),
    "groups of less than nothing": _dispatching(lambda rec, program: rec.dispatch(1, -1), "is -1"),
    "groups of large numbers": _dispatching(lambda rec, program: rec.dispatch(1, 1, 2**32), "is 4294967296"),
    "groups of a graphics pipeline": _drawing(lambda rec, node: rec.dispatch(1), "dispatches a graphics pipeline"),
    "groups without a pipeline": Wrong(
        Dispatches, lambda cmd, node: cmd.recorder.dispatch(1), "dispatches without a pipeline"
    ),
    # the runtime's own
    "a pass of its own": _drawing(lambda rec, node: rec.end_pass(), "cmd.recorder.end_pass is for the runtime"),
    "the commands taken": _transfer(lambda rec, node: rec.take(), "cmd.recorder.take is for the runtime"),
    "a barrier of its own": _transfer(lambda rec, node: rec.barriers([]), "cmd.recorder.barriers is for the runtime"),
}
"""The mistakes by name."""

WRONG_RECORDINGS = {
    f"by recorder: {name}": Hostile(adding(*wrong.declares()), wrong.words) for name, wrong in WRONG.items()
}
"""The plugins that make them."""

"""The node that draws the panel over the finished picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.panel.draw_lists import NOTHING, SHOWN, VERTEX_BYTES, DrawLists
from renderwright.engine.panel.shown_texture import GLSL, PICTURE
from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.render.backend.protocol import Backend
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

NODE = "panel"
_LAYOUT = VertexLayout(((0, "rg32_sfloat", 0), (1, "rg32_sfloat", 8), (2, "rgba8_unorm", 16)), VERTEX_BYTES)
_LAST = -1000
"""Priority of what is drawn over everything."""


class PanelNode:
    """Draws ``lists``; ``font`` gives the texels of their font. Lists and texels may be others in each frame.

    It is declared for texels of ``font_size``, (height, width).
    """

    def __init__(self, backend: Callable[[], Backend], font: Callable[[], NDArray[np.uint8]]) -> None:
        self.lists: DrawLists = NOTHING
        self._backend = backend
        self._font = font
        self._owner: Backend | None = None
        self._vertices: GrowingBuffer
        self._indices: GrowingBuffer

    @property
    def font_size(self) -> tuple[int, ...]:
        """The size of the present texels."""
        return self._font().shape[:2]

    def join(self, graph: FrameGraph) -> None:
        """Add the node to a graph, or declare it anew for other texels."""
        graph.add_node(NODE, self.declare, shader_paths=(GLSL,))

    def declare(self, reg: Registry) -> Execute:
        """State the requests."""
        reg.modify("image").color()
        height, width = self.font_size
        reg.external("panel_font", Texture("rgba8_unorm", (width, height)), self._texels).sampled()
        reg.after("hud")
        reg.priority(_LAST)
        reg.read(PICTURE).optional(otherwise=0.0).sampled()
        font = reg.graphics("panel.frag", "panel.vert", blend="alpha", vertex_layout=_LAYOUT)
        shown = reg.graphics("panel.frag", "panel.vert", defines={"SHOWN": 1}, vertex_layout=_LAYOUT)

        def execute(cmd: Commands) -> None:
            lists = self.lists
            if not lists.commands or cmd.extent is None:
                return
            vertices, indices = self._buffers()
            cmd.vertices(vertices.write(cmd.slot, lists.vertices))
            cmd.indices(indices.write(cmd.slot, lists.indices))
            width, height = cmd.extent
            for command in lists.commands:
                left, top, wide, high = command.scissor(width, height)
                if wide and high:
                    cmd.bind(shown if command.texture == SHOWN else font, extent=cmd.extent)
                    cmd.recorder.scissor(left, top, wide, high)
                    cmd.draw_indexed(
                        command.indices, first_index=command.first_index, vertex_offset=command.vertex_offset
                    )
            cmd.viewport(0, 0, width, height)

        return execute

    def _texels(self, context: Any) -> NDArray[np.uint8]:
        return self._font()

    def _buffers(self) -> tuple[GrowingBuffer, GrowingBuffer]:
        """Buffers of the device; those of one that was lost are forgotten."""
        backend = self._backend()
        if self._owner is not backend:
            self._owner = backend
            self._vertices = GrowingBuffer(backend, "panel vertices", Usage.VERTEX)
            self._indices = GrowingBuffer(backend, "panel indices", Usage.INDEX)
        return self._vertices, self._indices

    def close(self) -> None:
        """Destroy the buffers, unless their device is lost."""
        if self._owner is not None and self._owner is self._backend():
            self._vertices.close()
            self._indices.close()
        self._owner = None

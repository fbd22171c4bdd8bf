"""The pipelines that a node requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.pipeline_state import check_state
from renderwright.render.graph.requests import PipelineRequest
from renderwright.render.graph.source import caller_location
from renderwright.render.graph.whole_numbers import check_whole
from renderwright.render.types.usages import ShaderStage


@dataclass(frozen=True)
class VertexLayout:
    """Layout of a vertex buffer: (location, format, byte offset) of each attribute, and bytes a vertex."""

    attributes: tuple[tuple[int, str, int], ...]
    stride: int


class PipelineRequests:
    """The part of the registry that collects a node's pipelines."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pipelines: list[PipelineHandle] = []

    def graphics(
        self,
        fragment: str = "",
        vertex: str = "fullscreen.vert",
        *,
        vertex_layout: VertexLayout | None = None,
        defines: dict[str, Any] | None = None,
        **state: Any,
    ) -> PipelineHandle:
        """A graphics pipeline from GLSL files; ``state`` keys are those of ``PipelineDesc``.

        The default vertex shader covers the screen with one triangle and outputs ``uv`` at location 0; it needs no
        vertex buffer. Without ``fragment`` only depth is written.
        """
        shaders = [(ShaderStage.VERTEX, vertex)]
        if fragment:
            shaders.append((ShaderStage.FRAGMENT, fragment))
        if vertex_layout is not None:
            offsets = [offset for _, _, offset in vertex_layout.attributes]
            check_whole(f'the vertex layout\'s stride or an offset in "{self.name}"', (vertex_layout.stride, *offsets))
            state = {**state, "vertex": vertex_layout.attributes, "vertex_stride": vertex_layout.stride}
        return self._pipeline("graphics", tuple(shaders), defines, state)

    def compute(self, file: str, *, defines: dict[str, Any] | None = None) -> PipelineHandle:
        """A compute pipeline from a GLSL file."""
        return self._pipeline("compute", ((ShaderStage.COMPUTE, file),), defines, {})

    def fullscreen(self, fragment: str, *, defines: dict[str, Any] | None = None, **state: Any) -> PipelineHandle:
        """A pipeline that writes every texel of the node's render targets once, from a GLSL fragment shader.

        ``cmd.draw`` runs it, without arguments but push constants. Devices on which that is faster run the shader as
        a compute shader, which has no ``discard``, no derivatives and no blending (docs/fullscreen.md).
        """
        if state:
            raise GraphError(
                f'"{self.name}" sets {", ".join(state)} of a full-screen pipeline, which has no state',
                hint="use reg.graphics for blending and depth tests",
                where=caller_location(),
            )
        shaders = ((ShaderStage.VERTEX, "fullscreen.vert"), (ShaderStage.FRAGMENT, fragment))
        return self._pipeline("graphics", shaders, defines, {}, fullscreen=True)

    def _pipeline(
        self,
        kind: str,
        shaders: tuple[tuple[ShaderStage, str], ...],
        defines: dict[str, Any] | None,
        state: dict[str, Any],
        *,
        fullscreen: bool = False,
    ) -> PipelineHandle:
        check_state(self.name, state)
        request = PipelineRequest(
            kind,
            shaders,
            caller_location(),
            tuple(sorted(state.items())),
            tuple(sorted((key, str(value)) for key, value in (defines or {}).items())),
            fullscreen,
        )
        handle = PipelineHandle(len(self.pipelines), request)
        self.pipelines.append(handle)
        return handle

"""The pipelines that a node requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError
from renderwright.render.graph.arguments import (
    ATTRIBUTES,
    FILE,
    MAPPING,
    NAME,
    WHOLE_NUMBER,
    Kind,
    check_argument,
    check_arguments,
)
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.node_requests import Declaring
from renderwright.render.graph.pipeline_state import check_state
from renderwright.render.graph.requests import PipelineRequest
from renderwright.render.graph.source import caller_location
from renderwright.render.types.shader_parts import ShaderPart
from renderwright.render.types.usages import ShaderStage


@dataclass(frozen=True)
class VertexLayout:
    """Layout of a vertex buffer: (location, format, byte offset) of each attribute, and bytes a vertex."""

    attributes: tuple[tuple[int, str, int], ...]
    stride: int


_LAYOUT = Kind("VertexLayout", "give a VertexLayout", lambda value: isinstance(value, VertexLayout))


class PipelineRequests(Declaring):
    """The part of the registry that collects a node's pipelines."""

    def graphics(
        self,
        fragment: str = "",
        vertex: str = "fullscreen.vert",
        *,
        vertex_layout: VertexLayout | None = None,
        defines: dict[str, Any] | None = None,
        parts: Sequence[ShaderPart] = (),
        **state: Any,
    ) -> PipelineHandle:
        """A graphics pipeline from GLSL files of the plugin's folder ``glsl``, with pipeline ``state`` by keywords.

        The default vertex shader covers the screen with one triangle and outputs ``uv`` at location 0; it needs no
        vertex buffer. Without ``fragment`` only depth is written. ``parts`` take the place of ``#include NAME`` in the
        shaders.
        """
        shaders = [(ShaderStage.VERTEX, vertex)]
        if fragment != "":
            shaders.append((ShaderStage.FRAGMENT, fragment))
        if vertex_layout is not None:
            state = {**state, **self._vertex_state(vertex_layout)}
        return self._pipeline("graphics", tuple(shaders), defines, state, parts=tuple(parts))

    def _vertex_state(self, layout: VertexLayout) -> dict[str, Any]:
        what = f'the vertex layout of "{self._name}"'
        check_argument(what, layout, _LAYOUT)
        check_argument(what, layout.attributes, ATTRIBUTES)
        numbers = [number for location, _, offset in layout.attributes for number in (location, offset)]
        check_arguments(
            f'the stride, a location or an offset of the vertex layout of "{self._name}"',
            (layout.stride, *numbers),
            WHOLE_NUMBER,
        )
        return {"vertex": layout.attributes, "vertex_stride": layout.stride}

    def compute(self, file: str, *, defines: dict[str, Any] | None = None) -> PipelineHandle:
        """A compute pipeline from a GLSL file; ``cmd.dispatch`` runs it."""
        return self._pipeline("compute", ((ShaderStage.COMPUTE, file),), defines, {})

    def fullscreen(self, fragment: str, *, defines: dict[str, Any] | None = None, **state: Any) -> PipelineHandle:
        """A pipeline that writes every texel of the node's render targets once, from a GLSL fragment shader.

        ``cmd.draw`` runs it, without arguments but push constants. Devices on which that is faster run the shader as
        a compute shader, which has no ``discard``, no derivatives and no blending (docs/fullscreen.md).
        """
        if state:
            raise GraphError(
                f'"{self._name}" sets {", ".join(state)} of a full-screen pipeline, which has no state',
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
        parts: tuple[ShaderPart, ...] = (),
    ) -> PipelineHandle:
        check_arguments(f'a shader of "{self._name}"', (file for _, file in shaders), FILE)
        check_argument(f'defines of "{self._name}"', defines or {}, MAPPING)
        check_arguments(f'a define of "{self._name}"', defines or {}, NAME)
        check_state(self._name, state)
        request = PipelineRequest(
            kind,
            shaders,
            caller_location(),
            tuple(sorted(state.items())),
            tuple(sorted((key, str(value)) for key, value in (defines or {}).items())),
            fullscreen,
            parts,
        )
        handle = PipelineHandle(len(self._requests.pipelines), request)
        self._requests.pipelines.append(handle)
        return handle

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
from renderwright.render.graph.pipeline_state import check_state, state_of_fullscreen
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

_ENDINGS = {ShaderStage.VERTEX: ".vert", ShaderStage.FRAGMENT: ".frag", ShaderStage.COMPUTE: ".comp"}
"""The endings of files that say the stage. A file may have another one, such as .glsl."""
_TAKEN_BY = {
    ShaderStage.VERTEX: 'reg.graphics takes it: vertex="..."',
    ShaderStage.FRAGMENT: "reg.graphics or reg.fullscreen takes it as its first argument",
    ShaderStage.COMPUTE: "reg.compute takes it",
}


def _stage_of(file: object) -> ShaderStage | None:
    """The stage that a file's ending tells, None if it tells none."""
    ending = file[file.rfind(".") :] if isinstance(file, str) and "." in file else ""
    return next((stage for stage, usual in _ENDINGS.items() if usual == ending), None)


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
        self._check_graphics_files(fragment, vertex)
        shaders = [(ShaderStage.VERTEX, vertex)]
        if fragment != "":
            shaders.append((ShaderStage.FRAGMENT, fragment))
        if vertex_layout is not None:
            state = {**state, **self._vertex_state(vertex_layout)}
        return self._pipeline("graphics", tuple(shaders), defines, state, parts=tuple(parts))

    def _check_graphics_files(self, fragment: object, vertex: object) -> None:
        """Raise ``GraphError`` for a vertex and a fragment shader that have changed places, by their endings."""
        if _stage_of(fragment) is ShaderStage.VERTEX:
            both = _stage_of(vertex) is ShaderStage.FRAGMENT
            raise GraphError(
                f'"{self._name}" gives the vertex shader {fragment} as the fragment shader of reg.graphics',
                hint=f'write reg.graphics("{vertex}", "{fragment}")' if both else f'write vertex="{fragment}"',
                where=caller_location(),
            )
        self._check_ending("reg.graphics", fragment, ShaderStage.FRAGMENT)
        self._check_ending("reg.graphics as its vertex shader", vertex, ShaderStage.VERTEX)

    def _check_ending(self, what: str, file: object, stage: ShaderStage) -> None:
        """Raise ``GraphError`` for a file whose ending says that it is of another stage."""
        given = _stage_of(file)
        if given is not None and given is not stage:
            raise GraphError(
                f'"{self._name}" gives the {given} shader {file} to {what}',
                hint=f"{_TAKEN_BY[given]}; a {stage} shader ends in {_ENDINGS[stage]}",
                where=caller_location(),
            )

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
        self._check_ending("reg.compute", file, ShaderStage.COMPUTE)
        return self._pipeline("compute", ((ShaderStage.COMPUTE, file),), defines, {})

    def fullscreen(self, fragment: str, *, defines: dict[str, Any] | None = None, **state: Any) -> PipelineHandle:
        """A pipeline that writes every texel of the node's render targets once, from a GLSL fragment shader.

        ``cmd.draw`` runs it, without arguments but push constants. Devices on which that is faster run the shader as
        a compute shader, which has no ``discard``, no derivatives and no blending (docs/fullscreen.md).
        """
        if state:
            raise state_of_fullscreen(self._name, state, caller_location())
        self._check_ending("reg.fullscreen", fragment, ShaderStage.FRAGMENT)
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

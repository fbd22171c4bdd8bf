"""Pipelines: a program with its fixed-function state and vertex input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from renderwright.render.backend.fixed_state import FixedState, fixed_state
from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.formats import vertex_format
from renderwright.render.backend.opengl.programs import Program, Programs
from renderwright.render.backend.opengl.units import Units, push_kind, units_of
from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.backend.shader_limits import require_shaders
from renderwright.render.errors import BackendError
from renderwright.render.formats import Aspect, format_named
from renderwright.render.shaders.translation import Translations
from renderwright.render.types.pipeline_state import CHANNELS
from renderwright.render.types.usages import ShaderStage

_TOPOLOGIES = {"triangles": gl.TRIANGLES, "lines": gl.LINES, "points": gl.POINTS}
_CULLS = {"back": gl.BACK, "front": gl.FRONT}
_COMPARES = {
    "none": gl.ALWAYS,
    "greater": gl.GREATER,
    "greater_equal": gl.GEQUAL,
    "equal": gl.EQUAL,
    "less": gl.LESS,
    "always": gl.ALWAYS,
}
_BLENDS = {
    # (source colour, destination colour, source alpha, destination alpha)
    "alpha": (gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA),
    "add": (gl.ONE, gl.ONE, gl.ONE, gl.ONE),
    "premultiplied": (gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA),
    "transparent": (gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE_MINUS_SRC_ALPHA),
}

Call = tuple[Any, tuple[Any, ...]]


class GLPipeline:
    """A pipeline. Its shaders are translated when it is created, and compiled on the context's thread: the driver makes
    them from ``begin`` on, and ``link`` waits for it.

    ``mode`` is the primitives that it draws, ``stride`` that of its vertices. ``calls`` use its program and vertex
    input, ``state_calls`` set all fixed-function state, whatever was set before; a compute pipeline has none.
    """

    def __init__(self, device: Device, desc: PipelineDesc, translations: Translations, programs: Programs) -> None:
        self.desc = desc
        self.compute = any(module.stage is ShaderStage.COMPUTE for module in desc.modules)
        if self.compute and len(desc.modules) > 1:
            raise BackendError(f'pipeline "{desc.name}" mixes a compute shader with others')
        self._device = device
        self._state = None if self.compute else _checked_state(desc)
        require_shaders(device.shader_limits, desc.modules, desc.name, push_kind(desc.modules))
        self.units: Units = units_of(desc.modules, desc.name, device.most_units)
        self._texts = [translations.get(module) for module in desc.modules]
        self._programs = programs
        self._program: Program | None = None
        self._released = False
        self.vertex_array = 0
        self.mode = gl.TRIANGLES
        self.stride = 0
        self.calls: tuple[Call, ...] = ()
        self.state_calls: tuple[Call, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether ``link`` does not wait for the driver."""
        return self._released or (self._program is not None and self._program.is_ready)

    def begin(self) -> None:
        """Have the driver compile and link the program, unless it has."""
        if self._program is None and not self._released:
            desc = self.desc
            self._program = self._programs.get(desc.name, desc.modules, self._texts, self.units.places)

    def link(self) -> None:
        """Wait for the program. Raises ``ShaderError`` if the driver rejects it."""
        if self.calls:
            return
        self.begin()
        assert self._program is not None
        device = self._device
        use: Call = device.api.glUseProgram, (self._program.handle(),)
        if self._state is None:
            self.calls = (use,)
            return
        self.vertex_array = _vertex_array(device, self._state)
        self.mode, self.stride = _TOPOLOGIES[self._state.topology], self._state.stride
        bind: Call = device.api.glBindVertexArray, (self.vertex_array,)
        self.calls = (use, bind)
        self.state_calls = tuple(_state_calls(device, self._state))

    def release(self) -> None:
        """Delete the program and the vertex input."""
        self._released = True
        if self._program is not None:
            self._programs.give_back(self._program)
        if self.vertex_array:
            self._device.api.delete("VertexArrays", self.vertex_array)


def _checked_state(desc: PipelineDesc) -> FixedState:
    if desc.depth_format and format_named(desc.depth_format).aspect is Aspect.COLOR:
        raise BackendError(f'pipeline "{desc.name}": "{desc.depth_format}" is not a depth format')
    if desc.views > 1:
        raise BackendError(f'pipeline "{desc.name}" draws {desc.views} views at once, and OpenGL draws 1')
    return fixed_state(desc)


def _vertex_array(device: Device, state: FixedState) -> int:
    api = device.api
    array = api.create("VertexArrays")
    for attribute in state.attributes:
        found = vertex_format(attribute.format)
        api.glEnableVertexArrayAttrib(array, attribute.location)
        api.glVertexArrayAttribBinding(array, attribute.location, 0)
        if found.integer:
            api.glVertexArrayAttribIFormat(array, attribute.location, found.size, found.type, attribute.offset)
        else:
            arguments = array, attribute.location, found.size, found.type, int(found.normalized), attribute.offset
            api.glVertexArrayAttribFormat(*arguments)
    return array


def _state_calls(device: Device, state: FixedState) -> Iterator[Call]:
    api = device.api

    def switch(what: int, on: bool) -> Call:
        return (api.glEnable if on else api.glDisable), (what,)

    yield switch(gl.CULL_FACE, state.cull in _CULLS)
    if state.cull in _CULLS:
        yield api.glCullFace, (_CULLS[state.cull],)
    yield switch(gl.DEPTH_TEST, state.depth_test)
    yield api.glDepthFunc, (_COMPARES[state.depth_compare],)
    yield api.glDepthMask, (int(state.depth_write),)
    yield switch(gl.DEPTH_CLAMP, state.depth_clamp)
    yield switch(gl.POLYGON_OFFSET_FILL, state.depth_bias is not None)
    if state.depth_bias is not None:
        constant, slope = state.depth_bias
        yield api.glPolygonOffset, (slope, constant)
    blend = _BLENDS.get(state.blend)
    yield switch(gl.BLEND, blend is not None)
    if blend is not None:
        yield api.glBlendFuncSeparate, blend
    yield api.glColorMask, tuple(int(channel in state.color_write) for channel in CHANNELS)

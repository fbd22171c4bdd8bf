"""Binding sets: the textures and buffers of one descriptor set, with the calls that bind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.buffers import GLBuffer
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.formats import pixel_format
from renderwright.render.backend.opengl.pipelines import Call, GLPipeline
from renderwright.render.backend.opengl.samplers import Samplers
from renderwright.render.backend.opengl.textures import GLTexture
from renderwright.render.backend.opengl.units import Units
from renderwright.render.backend.own_objects import require_number
from renderwright.render.backend.protocol import Binding, BufferBinding, TextureBinding
from renderwright.render.errors import ShaderError
from renderwright.render.formats import without_encoding
from renderwright.render.shaders.dimensions import Dimension
from renderwright.render.shaders.module import BindingKind, ShaderBinding
from renderwright.render.suggest import did_you_mean

_BLOCKS = {BindingKind.UNIFORM_BUFFER: gl.UNIFORM_BUFFER, BindingKind.STORAGE_BUFFER: gl.SHADER_STORAGE_BUFFER}
_BLOCK_ALIGNMENT = 16
_ACCESSES = {(True, True): gl.READ_WRITE, (False, True): gl.WRITE_ONLY, (True, False): gl.READ_ONLY}
"""By whether shaders read and write."""


class GLBindingSet:
    """The contents of one set. ``calls`` binds them to the units of a pipeline, found once for each pipeline.

    ``name`` is that of the pipeline that the set was made for.
    """

    def __init__(
        self, device: Device, samplers: Samplers, units: Units, number: int, bindings: Mapping[str, Binding], name: str
    ) -> None:
        self.name = name
        self._device = device
        self._samplers = samplers
        self._number = number
        self._bindings = dict(bindings)
        self._calls: WeakKeyDictionary[Units, tuple[Call, ...]] = WeakKeyDictionary()  # sets outlive pipelines
        self.calls(units)

    def calls(self, units: Units) -> tuple[Call, ...]:
        """The calls for a pipeline with these units. Raises ``ShaderError`` if a binding is missing or of the wrong
        kind."""
        calls = self._calls.get(units)
        if calls is None:
            calls = self._calls[units] = tuple(self._bind(units))
        return calls

    def require_fitting(self, pipeline: GLPipeline, number: int) -> None:
        """Raise ``BackendError`` or ``ShaderError`` unless it can be set ``number`` of the pipeline."""
        require_number(self.name, self._number, number, pipeline.desc.name)
        self.calls(pipeline.units)

    def release(self) -> None:
        """Forget the contents."""
        self._calls.clear()
        self._bindings.clear()

    def _bind(self, units: Units) -> Iterator[Call]:
        for binding in units.sets.get(self._number, ()):
            if binding.name not in self._bindings:
                raise ShaderError(
                    f'the shaders of "{self.name}" use "{binding.name}", which nothing is bound to',
                    hint=did_you_mean(binding.name, self._bindings),
                )
            value = self._bindings[binding.name]
            if binding.kind in _BLOCKS:
                if not isinstance(value, BufferBinding):
                    raise ShaderError(f'"{binding.name}" of "{self.name}" is a buffer; a texture is bound to it')
                yield self._block(binding, units.of(binding), value)
            elif isinstance(value, BufferBinding):
                raise ShaderError(f'"{binding.name}" of "{self.name}" is a texture; a buffer is bound to it')
            else:
                yield from self._textures(binding, units.of(binding), value if isinstance(value, tuple) else (value,))

    def _block(self, binding: ShaderBinding, unit: int, bound: BufferBinding) -> Call:
        buffer = bound.buffer
        assert isinstance(buffer, GLBuffer)
        size = bound.size or buffer.info.size - bound.offset
        if binding.kind is BindingKind.UNIFORM_BUFFER:
            # A block's size is rounded up, and the storage of buffers has room for that.
            size = -(-size // _BLOCK_ALIGNMENT) * _BLOCK_ALIGNMENT
        arguments: tuple[Any, ...] = _BLOCKS[binding.kind], unit, buffer.handle, buffer.start + bound.offset, size
        return self._device.api.glBindBufferRange, arguments

    def _textures(self, binding: ShaderBinding, unit: int, bound: Sequence[TextureBinding]) -> Iterator[Call]:
        if not 1 <= len(bound) <= binding.count:
            raise ShaderError(
                f'"{binding.name}" of "{self.name}" holds {binding.count} textures; {len(bound)} are bound'
            )
        # Missing elements of an array repeat its last texture.
        for number in range(binding.count):
            each = bound[min(number, len(bound) - 1)]
            if binding.kind is BindingKind.SAMPLED:
                yield from self._sampled(binding, unit + number, each)
            else:
                yield self._stored(binding, unit + number, each)

    def _sampled(self, binding: ShaderBinding, unit: int, bound: TextureBinding) -> Iterator[Call]:
        texture = bound.texture
        assert isinstance(texture, GLTexture)
        api = self._device.api
        sampler = 0
        if texture.info.samples == 1:
            sampler = self._samplers.get(bound.sampling, texture.info.format, shadow=binding.shadow)
        yield api.glBindTextureUnit, (unit, texture.view(bound.part, binding.dimension))
        yield api.glBindSampler, (unit, sampler)

    def _stored(self, binding: ShaderBinding, unit: int, bound: TextureBinding) -> Call:
        texture = bound.texture
        assert isinstance(texture, GLTexture)
        view = texture.stored_view(bound.part, binding.dimension)
        access = _ACCESSES[binding.reads, binding.writes]
        layered = int(binding.dimension is not Dimension.D2)
        internal = pixel_format(without_encoding(texture.info.format)).internal
        return self._device.api.glBindImageTexture, (unit, view, 0, layered, 0, access, internal)


def create_bindings(
    device: Device, samplers: Samplers, pipeline: GLPipeline, number: int, bindings: Mapping[str, Binding]
) -> GLBindingSet:
    """Set ``number`` of a pipeline, with all bindings that its shaders use from ``bindings``."""
    if number not in pipeline.units.sets:
        raise ShaderError(f'the shaders of "{pipeline.desc.name}" use no descriptor set {number}')
    return GLBindingSet(device, samplers, pipeline.units, number, bindings, pipeline.desc.name)

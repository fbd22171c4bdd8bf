"""The node that copies a resource where it is dumped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.dumps.dump import Dump
from renderwright.engine.dumps.place import Place
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.texels import texel_layout
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import EVERY_FRAME
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer, TextureInfo, mip_extent
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class Copied:
    """What the device has copied in a ``frame``: a buffer for each layer of a texture, or one for a buffer.

    ``info`` is the texture's, None for a buffer.
    """

    frame: int
    buffers: tuple[PhysicalBuffer, ...]
    info: TextureInfo | None


class CopyNode:
    """Copies the resource of a dump to buffers of its own, in the frame that is asked for, or in each.

    ``backend`` is the device's. Frames in flight have buffers of their own.
    """

    def __init__(self, dump: Dump, backend: Callable[[], Backend]) -> None:
        self.dump = dump
        self.copied: Copied | None = None
        self._backend = backend
        self._buffers: dict[tuple[int, int, int], PhysicalBuffer] = {}
        self._owner: Backend | None = None

    def declare(self, reg: Registry, place: Place) -> Execute:
        """State the requests of the copy at a place."""
        name = f"/{place.name}"
        handle = (reg.modify(name) if place.before else reg.read(name)).optional().copy_src()
        if place.mip is not None:
            handle.mip(place.mip)
        if place.layer is not None:
            handle.layer(place.layer)
        reg.after(*filter(None, [place.after]))
        reg.before(*place.before)
        if place.rate.every > 1:
            reg.every(place.rate.every, phase=place.rate.phase)
        elif place.rate.when:
            reg.when(place.rate.when)
        reg.side_effects()
        rated = place.rate != EVERY_FRAME

        def execute(cmd: Commands) -> None:
            if handle.present and self._due(cmd, rated=rated):
                self._copy(cmd, handle, place.layer)

        return execute

    def _due(self, cmd: Commands, *, rated: bool) -> bool:
        """Whether this instance is copied in this frame; what is ``rated`` may have run last before the frame."""
        index, wanted = dict(self.dump.index), self.dump.frame
        if any(number != index.get(dimension, 0) for dimension, number in cmd.index.items()):
            return False
        return wanted is None or cmd.frame == wanted or (rated and cmd.frame < wanted)

    def _copy(self, cmd: Commands, handle: RequestBuilder, layer: int | None) -> None:
        physical = handle.all[0]
        if isinstance(physical.info, TextureInfo):
            self.copied = Copied(cmd.frame, tuple(self._texture(cmd, handle, layer)), physical.info)
        else:
            buffer = self._buffer(cmd.slot, 0, physical.info.size)
            cmd.recorder.copy_buffer(handle.buffer, buffer, physical.info.size)
            self.copied = Copied(cmd.frame, (buffer,), None)

    def _texture(self, cmd: Commands, handle: RequestBuilder, layer: int | None) -> Iterator[PhysicalBuffer]:
        """Copy a layer, or all of them."""
        info = handle.texture.info
        layout, mip = texel_layout(info.format), self.dump.mip
        size = math.prod(mip_extent(info.extent, Part((mip, 1)))) * layout.channels * layout.dtype.itemsize
        for number in range(info.layers) if layer is None else (layer,):
            buffer = self._buffer(cmd.slot, number, size)
            cmd.recorder.copy_texels(handle.texture, handle.layout, mip, number, buffer)
            yield buffer

    def _buffer(self, slot: int, layer: int, size: int) -> PhysicalBuffer:
        """A buffer of that size; buffers of a device that was lost are forgotten."""
        backend = self._backend()
        if self._owner is not backend:
            self._owner, self._buffers, self.copied = backend, {}, None
        key = slot, layer, size
        if key not in self._buffers:
            info = BufferInfo(size, frozenset({Usage.COPY_DST}))
            self._buffers[key] = backend.create_buffer(info, f"dump of {self.dump.resource}")
        return self._buffers[key]

    def take(self) -> NDArray[np.generic] | None:
        """What was copied last, as its format has it, once the device has finished; None if nothing was.

        Textures have the shape (height, width, channels), with a leading axis for several layers; buffers are bytes.
        """
        copied, backend = self.copied, self._backend()
        if copied is None or self._owner is not backend:
            return None
        backend.wait_idle()
        data = [backend.read_buffer(buffer) for buffer in copied.buffers]
        if copied.info is None:
            return np.frombuffer(data[0], np.uint8)
        layout = texel_layout(copied.info.format)
        width, height = mip_extent(copied.info.extent, Part((self.dump.mip, 1)))
        layers = [np.frombuffer(each, layout.dtype).reshape(height, width, layout.channels) for each in data]
        return np.stack(layers) if len(layers) > 1 else layers[0]

    def close(self) -> None:
        """Destroy the buffers, unless their device is lost."""
        backend = self._backend()
        if self._owner is backend:
            for buffer in self._buffers.values():
                backend.destroy(buffer)
        self._buffers, self.copied = {}, None

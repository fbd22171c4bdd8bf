"""The meshes of a scene on the GPU: a buffer of vertices, one of indices, and one of attributes that only some have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.vertex_attributes import packed_attributes, with_attributes_first
from renderwright.engine.scene.mesh import VERTEX_FLOATS, Mesh
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.streamed import Streamed
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class MeshRange:
    """Range of a mesh in the shared buffers."""

    first_index: int
    index_count: int
    vertex_offset: int


@dataclass(frozen=True)
class _Incoming:
    """Buffers whose upload is in progress, and the ranges of meshes in them."""

    vertices: Streamed[PhysicalBuffer]
    indices: Streamed[PhysicalBuffer]
    attributes: Streamed[PhysicalBuffer]
    ranges: Mapping[Mesh, MeshRange]

    @property
    def resident(self) -> bool:
        return all(buffer.resident for buffer in self.buffers)

    @property
    def buffers(self) -> tuple[Streamed[PhysicalBuffer], ...]:
        return self.vertices, self.indices, self.attributes


class GpuGeometry:
    """Holds the meshes in use. Call ``update`` once per frame.

    With ``stream``, meshes that appear later are uploaded in the background; ``ranges`` contains them once they are
    resident. Without it, and in the first frame, the frame waits for the upload.
    """

    def __init__(self, backend: Backend, *, stream: bool = False) -> None:
        self._backend = backend
        self._stream = stream
        self._incoming: _Incoming | None = None
        self._resident: Sequence[Mesh] | None = None
        self.ranges: Mapping[Mesh, MeshRange] = {}
        self.vertices = self._buffer("scene vertices", Usage.VERTEX, np.zeros(VERTEX_FLOATS, np.float32))
        self.indices = self._buffer("scene indices", Usage.INDEX, np.zeros(3, np.uint32))
        self.attributes = self._buffer("scene attributes", Usage.STORAGE_READ, packed_attributes(()))

    def update(self, meshes: Sequence[Mesh]) -> bool:
        """Upload ``meshes``, or start to. Returns whether ``ranges`` has changed.

        Pass the same object as long as the meshes do not change.
        """
        incoming, changed = self._incoming, False
        if incoming is None and meshes is self._resident:
            return False
        if incoming is not None and incoming.resident:
            self._incoming = None
            if all(mesh in incoming.ranges for mesh in meshes if mesh in self.ranges):
                self._take(tuple(buffer.asset for buffer in incoming.buffers), incoming.ranges)
                changed = True
            else:
                # The upload lacks a mesh that is in use again by now.
                self._drop(incoming)
        if self._incoming is None and any(mesh not in self.ranges for mesh in meshes):
            if self._stream and self.ranges:
                self._incoming = self._begin(meshes)
            else:
                self._upload(meshes)
                changed = True
        self._resident = meshes if self._incoming is None else None
        return changed

    def close(self) -> None:
        """Release all buffers."""
        if self._incoming is not None:
            self._drop(self._incoming)
        for buffer in (self.vertices, self.indices, self.attributes):
            self._backend.destroy(buffer)

    def _upload(self, meshes: Sequence[Mesh]) -> None:
        ordered = with_attributes_first(meshes)
        made: list[PhysicalBuffer] = []
        try:
            for name, usage, data in _contents(ordered):
                made.append(self._buffer(name, usage, data))
        except BaseException:
            for buffer in made:
                self._backend.destroy(buffer)
            raise
        self._take(made, _ranges(ordered))

    def _begin(self, meshes: Sequence[Mesh]) -> _Incoming:
        ordered = with_attributes_first(meshes)
        made: list[Streamed[PhysicalBuffer]] = []
        try:
            for name, usage, data in _contents(ordered):
                made.append(self._on_its_way(name, usage, data))
        except BaseException:
            for buffer in made:
                self._backend.destroy(buffer.asset)
            raise
        vertices, indices, attributes = made
        return _Incoming(vertices, indices, attributes, _ranges(ordered))

    def _take(self, buffers: Sequence[PhysicalBuffer], ranges: Mapping[Mesh, MeshRange]) -> None:
        for buffer in (self.vertices, self.indices, self.attributes):
            self._backend.destroy(buffer)
        self.vertices, self.indices, self.attributes = buffers
        self.ranges = ranges

    def _drop(self, incoming: _Incoming) -> None:
        for buffer in incoming.buffers:
            self._backend.destroy(buffer.asset)

    def _buffer(self, name: str, usage: Usage, data: NDArray[Any]) -> PhysicalBuffer:
        info = BufferInfo(data.nbytes, frozenset({usage}))
        return self._backend.create_buffer(info, name, np.ascontiguousarray(data).tobytes())

    def _on_its_way(self, name: str, usage: Usage, data: NDArray[Any]) -> Streamed[PhysicalBuffer]:
        info = BufferInfo(data.nbytes, frozenset({usage}))
        return self._backend.stream_buffer(info, name, np.ascontiguousarray(data).tobytes())


def _contents(meshes: Sequence[Mesh]) -> Iterator[tuple[str, Usage, NDArray[Any]]]:
    """The name, the usage and the contents of each buffer."""
    yield "scene vertices", Usage.VERTEX, np.concatenate([mesh.vertices for mesh in meshes])
    yield "scene indices", Usage.INDEX, np.concatenate([mesh.indices for mesh in meshes])
    yield "scene attributes", Usage.STORAGE_READ, packed_attributes(meshes)


def _ranges(meshes: Sequence[Mesh]) -> Mapping[Mesh, MeshRange]:
    ranges: dict[Mesh, MeshRange] = {}
    vertex = index = 0
    for mesh in meshes:
        ranges[mesh] = MeshRange(index, len(mesh.indices), vertex)
        vertex += len(mesh.vertices)
        index += len(mesh.indices)
    return ranges

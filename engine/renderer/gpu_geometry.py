"""The meshes of a scene on the GPU: one buffer of vertices and one of indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    ranges: Mapping[Mesh, MeshRange]

    @property
    def resident(self) -> bool:
        return self.vertices.resident and self.indices.resident


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
                self._take(incoming.vertices.asset, incoming.indices.asset, incoming.ranges)
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
        for buffer in (self.vertices, self.indices):
            self._backend.destroy(buffer)

    def _upload(self, meshes: Sequence[Mesh]) -> None:
        vertices = self._buffer("scene vertices", Usage.VERTEX, _vertices(meshes))
        try:
            indices = self._buffer("scene indices", Usage.INDEX, _indices(meshes))
        except BaseException:
            self._backend.destroy(vertices)
            raise
        self._take(vertices, indices, _ranges(meshes))

    def _begin(self, meshes: Sequence[Mesh]) -> _Incoming:
        vertices = self._on_its_way("scene vertices", Usage.VERTEX, _vertices(meshes))
        try:
            indices = self._on_its_way("scene indices", Usage.INDEX, _indices(meshes))
        except BaseException:
            self._backend.destroy(vertices.asset)
            raise
        return _Incoming(vertices, indices, _ranges(meshes))

    def _take(self, vertices: PhysicalBuffer, indices: PhysicalBuffer, ranges: Mapping[Mesh, MeshRange]) -> None:
        self._backend.destroy(self.vertices)
        self._backend.destroy(self.indices)
        self.vertices, self.indices, self.ranges = vertices, indices, ranges

    def _drop(self, incoming: _Incoming) -> None:
        self._backend.destroy(incoming.vertices.asset)
        self._backend.destroy(incoming.indices.asset)

    def _buffer(self, name: str, usage: Usage, data: NDArray[Any]) -> PhysicalBuffer:
        info = BufferInfo(data.nbytes, frozenset({usage}))
        return self._backend.create_buffer(info, name, np.ascontiguousarray(data).tobytes())

    def _on_its_way(self, name: str, usage: Usage, data: NDArray[Any]) -> Streamed[PhysicalBuffer]:
        info = BufferInfo(data.nbytes, frozenset({usage}))
        return self._backend.stream_buffer(info, name, np.ascontiguousarray(data).tobytes())


def _vertices(meshes: Sequence[Mesh]) -> NDArray[np.float32]:
    return np.concatenate([mesh.vertices for mesh in meshes])


def _indices(meshes: Sequence[Mesh]) -> NDArray[np.uint32]:
    return np.concatenate([mesh.indices for mesh in meshes])


def _ranges(meshes: Sequence[Mesh]) -> Mapping[Mesh, MeshRange]:
    ranges: dict[Mesh, MeshRange] = {}
    vertex = index = 0
    for mesh in meshes:
        ranges[mesh] = MeshRange(index, len(mesh.indices), vertex)
        vertex += len(mesh.vertices)
        index += len(mesh.indices)
    return ranges

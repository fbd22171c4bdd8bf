"""The meshes of a scene on the GPU: a buffer of vertices, one of indices, and one of attributes that only some have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.vertex_attributes import packed_attributes, with_attributes_first
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.mesh import VERTEX_FLOATS, Mesh
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.streamed import Streamed
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage

_VERTEX_USAGES = frozenset({Usage.VERTEX, Usage.STORAGE, Usage.STORAGE_READ})  # the GPU moves those of characters
_INDEX_USAGES = frozenset({Usage.INDEX})
_ATTRIBUTE_USAGES = frozenset({Usage.STORAGE_READ})


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
    resident, which is at once if all meshes are small together. Without it, and in the first frame, the frame waits for
    the upload.
    """

    def __init__(self, backend: Backend, *, stream: bool = False) -> None:
        self._backend = backend
        self._stream = stream
        self._incoming: _Incoming | None = None
        self._resident: Sequence[Mesh] | None = None
        self.ranges: Mapping[Mesh, MeshRange] = {}
        self.vertices = self._buffer("scene vertices", _VERTEX_USAGES, np.zeros(VERTEX_FLOATS, np.float32))
        self.indices = self._buffer("scene indices", _INDEX_USAGES, np.zeros(3, np.uint32))
        self.attributes = self._buffer("scene attributes", _ATTRIBUTE_USAGES, packed_attributes(()))

    def update(self, meshes: Sequence[Mesh]) -> bool:
        """Upload ``meshes``, which are ``in_upload_order``, or start to. Returns whether ``ranges`` has changed.

        Pass the same object as long as the meshes do not change.
        """
        if self._incoming is None and meshes is self._resident:
            return False
        changed = self._take_arrived(meshes)
        if self._incoming is None and any(mesh not in self.ranges for mesh in meshes):
            if self._stream and self.ranges:
                self._incoming = self._begin(meshes)
                changed |= self._take_arrived(meshes)
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

    def _take_arrived(self, meshes: Sequence[Mesh]) -> bool:
        """Use what was on its way, if it is there. Returns whether ``ranges`` has changed."""
        incoming = self._incoming
        if incoming is None or not incoming.resident:
            return False
        self._incoming = None
        if any(mesh in self.ranges and mesh not in incoming.ranges for mesh in meshes):
            self._drop(incoming)  # it lacks a mesh that is in use again by now
            return False
        self._take(tuple(buffer.asset for buffer in incoming.buffers), incoming.ranges)
        return True

    def _upload(self, meshes: Sequence[Mesh]) -> None:
        made: list[PhysicalBuffer] = []
        try:
            for name, usages, data in _contents(meshes):
                made.append(self._buffer(name, usages, data))
        except BaseException:
            for buffer in made:
                self._backend.destroy(buffer)
            raise
        self._take(made, _ranges(meshes))

    def _begin(self, meshes: Sequence[Mesh]) -> _Incoming:
        made: list[Streamed[PhysicalBuffer]] = []
        try:
            for name, usages, data in _contents(meshes):
                made.append(self._on_its_way(name, usages, data))
        except BaseException:
            for buffer in made:
                self._backend.destroy(buffer.asset)
            raise
        for buffer in made:
            buffer.hasten()
        vertices, indices, attributes = made
        return _Incoming(vertices, indices, attributes, _ranges(meshes))

    def _take(self, buffers: Sequence[PhysicalBuffer], ranges: Mapping[Mesh, MeshRange]) -> None:
        for buffer in (self.vertices, self.indices, self.attributes):
            self._backend.destroy(buffer)
        self.vertices, self.indices, self.attributes = buffers
        self.ranges = ranges

    def _drop(self, incoming: _Incoming) -> None:
        for buffer in incoming.buffers:
            self._backend.destroy(buffer.asset)

    def _buffer(self, name: str, usages: frozenset[Usage], data: NDArray[Any]) -> PhysicalBuffer:
        info = BufferInfo(data.nbytes, usages)
        return self._backend.create_buffer(info, name, np.ascontiguousarray(data).tobytes())

    def _on_its_way(self, name: str, usages: frozenset[Usage], data: NDArray[Any]) -> Streamed[PhysicalBuffer]:
        info = BufferInfo(data.nbytes, usages)
        return self._backend.stream_buffer(info, name, np.ascontiguousarray(data).tobytes())


def in_upload_order(meshes: Iterable[Mesh]) -> tuple[Mesh, ...]:
    """The meshes, each once: those with attributes first, and those of characters behind the meshes they begin with."""
    every = dict.fromkeys(meshes)
    moved = [mesh for mesh in every if isinstance(mesh, DeformedMesh)]
    still = dict.fromkeys([mesh for mesh in every if not isinstance(mesh, DeformedMesh)])
    sources = [source for source in dict.fromkeys(mesh.source for mesh in moved) if source not in still]
    return tuple(with_attributes_first([*still, *sources, *moved]))


def _contents(meshes: Sequence[Mesh]) -> Iterator[tuple[str, frozenset[Usage], NDArray[Any]]]:
    """The name, the usages and the contents of each buffer, for meshes in upload order."""
    indexed = [mesh.indices for mesh in meshes if not isinstance(mesh, DeformedMesh)]
    yield "scene vertices", _VERTEX_USAGES, np.concatenate([mesh.vertices for mesh in meshes])
    yield "scene indices", _INDEX_USAGES, np.concatenate(indexed)
    yield "scene attributes", _ATTRIBUTE_USAGES, packed_attributes(meshes)


def _ranges(meshes: Sequence[Mesh]) -> Mapping[Mesh, MeshRange]:
    ranges: dict[Mesh, MeshRange] = {}
    vertex = index = 0
    for mesh in meshes:
        if isinstance(mesh, DeformedMesh):
            ranges[mesh] = replace(ranges[mesh.source], vertex_offset=vertex)
        else:
            ranges[mesh] = MeshRange(index, len(mesh.indices), vertex)
            index += len(mesh.indices)
        vertex += len(mesh.vertices)
    return ranges

"""Copies of all textures of one frame, taken right behind each write, in that frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.protocol import Backend, BoundBarrier, Recorder
from renderwright.render.backend.texels import texel_layout
from renderwright.render.runtime.checks.cells import Cell, cells_of
from renderwright.render.runtime.lowering.copied_writes import CopyOp, Write
from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.parts import clipped
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.usages import Usage

MOST_BYTES = 1 << 30
"""Of all copies together."""

MOST_LAYERS = 6
"""Of one texture, from the first one on."""


@dataclass(frozen=True)
class CopiedTexels:
    """The texels of one mip of one layer after a node (by id), (height, width, channels), as the format has them."""

    node: str
    resource: str
    mip: int
    layer: int
    info: TextureInfo
    texels: NDArray[Any]


class TextureCopies:
    """Records the copies, and reads them when the device has finished.

    ``left_out`` counts those for which there was no room: all together have ``most_bytes`` at most.
    """

    def __init__(self, backend: Backend, most_bytes: int = MOST_BYTES) -> None:
        self.left_out = 0
        self._backend = backend
        self._most = most_bytes
        self._bytes = 0
        self._taken: list[tuple[Write, Cell, TextureInfo, PhysicalBuffer]] = []

    def record(self, op: CopyOp, textures: Sequence[PhysicalTexture], recorder: Recorder) -> None:
        """Record the operation; ``textures`` are those of its writes."""
        for write, texture in zip(op.writes, textures, strict=True):
            self._copy(write, texture, recorder)

    def _copy(self, write: Write, texture: PhysicalTexture, recorder: Recorder) -> None:
        """Copy the cells of a texture, between full barriers."""
        cells = [cell for cell in cells_of(write.part, texture.info) if cell.layer < MOST_LAYERS]
        fitting = [cell for cell in cells if self._reserve(cell)]
        if not fitting:
            return
        source = write.layout if write.layout is Layout.GENERAL else Layout.TRANSFER_SRC
        recorder.full_barrier()
        _change(write, texture, (write.layout, source), recorder)
        for cell in fitting:
            info = BufferInfo(cell.bytes, frozenset({Usage.STORAGE}))
            buffer = self._backend.create_buffer(info, f"capture of {write.resource}")
            self._taken.append((write, cell, texture.info, buffer))
            recorder.copy_texels(texture, source, cell.mip, cell.layer, buffer)
        _change(write, texture, (source, write.layout), recorder)
        recorder.full_barrier()

    def _reserve(self, cell: Cell) -> bool:
        if self._bytes + cell.bytes > self._most:
            self.left_out += 1
            return False
        self._bytes += cell.bytes
        return True

    def read(self) -> list[CopiedTexels]:
        """All copies, in the order in which they were taken. Waits for the device."""
        self._backend.wait_idle()
        return [self._read(*taken) for taken in self._taken]

    def _read(self, write: Write, cell: Cell, info: TextureInfo, buffer: PhysicalBuffer) -> CopiedTexels:
        layout, (width, height) = texel_layout(info.format), cell.extent
        data = np.frombuffer(self._backend.read_buffer(buffer), layout.dtype, width * height * layout.channels)
        texels = data.reshape(height, width, layout.channels)
        return CopiedTexels(write.node, write.resource, cell.mip, cell.layer, info, texels)

    def close(self) -> None:
        """Destroy the buffers, also to begin again."""
        for *_, buffer in self._taken:
            self._backend.destroy(buffer)
        self._taken, self._bytes, self.left_out = [], 0, 0


def _change(write: Write, texture: PhysicalTexture, layouts: tuple[Layout, Layout], recorder: Recorder) -> None:
    """Record a change of layout of what was written, between everything before and everything after."""
    if layouts[0] is layouts[1]:
        return
    everything = (Stage.ALL_COMMANDS, Access.MEMORY_READ | Access.MEMORY_WRITE)
    mips, layers = clipped(write.part.mips, texture.info.mips), write.part.layers
    barrier = Barrier(
        write.resource, 0, *everything, *everything, *layouts, BarrierReason.LAYOUT, mips=mips, layers=layers
    )
    recorder.barriers([BoundBarrier(barrier, texture)])

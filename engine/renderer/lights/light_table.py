"""The rows of a scene's local lights on the GPU."""

from __future__ import annotations

import numpy as np

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.lights.light_rows import ROW, Rows
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

_ROW = np.dtype((np.float32, ROW))


class LightTable:
    """A buffer of rows for each frame slot. Only rows that have changed since are written."""

    def __init__(self, backend: Backend) -> None:
        self._buffers = GrowingBuffer(backend, "scene lights", Usage.STORAGE_READ)
        self._written: list[Rows | None] = [None] * FRAMES_IN_FLIGHT

    def write(self, slot: int, rows: Rows) -> PhysicalBuffer:
        """The slot's buffer with these rows. The array does not change any more."""
        mapped, new = self._buffers.mapped(slot, _ROW, len(rows))
        written = None if new else self._written[slot]
        if written is None or len(written) != len(rows):
            mapped[:] = rows
        elif written is not rows:
            changed = np.flatnonzero((written != rows).any(axis=1))
            mapped[changed] = rows[changed]
        self._written[slot] = rows
        return self._buffers.buffer(slot)

    def close(self) -> None:
        """Release the buffers."""
        self._buffers.close()

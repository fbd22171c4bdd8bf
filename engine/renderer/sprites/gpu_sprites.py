"""The GPU's copy of all sprites."""

from __future__ import annotations

import numpy as np

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.sprites.textures import SpriteTextures
from renderwright.engine.scene.draw_list import Stamp
from renderwright.engine.sprites.drawn import ROW, DrawnSprites
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage


class GpuSprites:
    """Rows and textures. Rows that have not changed since the frame slot's last frame are not written."""

    def __init__(self, backend: Backend) -> None:
        self._buffers = GrowingBuffer(backend, "sprites", Usage.STORAGE_READ)
        self._contents: list[Stamp | None] = [None] * FRAMES_IN_FLIGHT
        self.textures = SpriteTextures(backend)
        self._drawn = DrawnSprites.none()
        self._slot = 0

    def show(self, drawn: DrawnSprites) -> None:
        """Show these sprites from the next frame on."""
        self._drawn = drawn

    def update(self, slot: int) -> None:
        """Begin a frame, before the graph runs."""
        self._slot = slot
        runs = self._drawn.runs
        self.textures.update(runs, lambda: (run.source for run in runs))

    @property
    def rows(self) -> PhysicalBuffer:
        """The rows of the frame."""
        drawn, slot = self._drawn, self._slot
        if self._contents[slot] == drawn.stamp and drawn.runs:
            return self._buffers.buffer(slot)
        mapped, new = self._buffers.mapped(slot, np.dtype(np.float32), drawn.rows.size)
        rows = mapped.reshape(-1, ROW)
        changed = None if new else drawn.changed_since(self._contents[slot])
        if changed is None or 2 * len(changed) > len(rows):
            rows[:] = drawn.rows
        else:
            rows[changed] = drawn.rows[changed]
        self._contents[slot] = drawn.stamp
        return self._buffers.buffer(slot)

    def close(self) -> None:
        """Release all resources."""
        self._buffers.close()
        self.textures.close()

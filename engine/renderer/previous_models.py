"""Previous model matrices for motion vectors, computed and uploaded on demand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.scene.draw_list import DrawList, Stamp, models_before
from renderwright.engine.scene.rows import NO_ROWS, Rows
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

_MODEL = np.dtype((np.float32, (4, 4)))


class PreviousModels:
    """Compares each frame's draw list with the previous one. Call ``update`` once per frame."""

    def __init__(self, backend: Backend, draws: DrawList) -> None:
        self._buffers = GrowingBuffer(backend, "scene previous models", Usage.STORAGE_READ)
        self._before = self._now = draws
        self._slot = 0
        #: The contents of each slot's buffer, None if they are of no single draw list.
        self._contents: list[Stamp | None] = [None] * FRAMES_IN_FLIGHT
        self._written: PhysicalBuffer | None = None
        self._deformed = NO_ROWS
        self._moved: Rows | None = None

    def update(self, draws: DrawList, slot: int, deformed: Rows = NO_ROWS) -> None:
        """Begin a frame that draws ``draws``. The meshes of the instances ``deformed`` have moved in themselves."""
        self._deformed = deformed
        self._before, self._now, self._slot = self._now, draws, slot
        self._written = self._moved = None

    @property
    def buffer(self) -> PhysicalBuffer:
        """The previous matrices on the GPU, one mat4 per instance."""
        if self._written is None:
            self._write()
            self._written = self._buffers.buffer(self._slot)
        return self._written

    @property
    def moved(self) -> Rows:
        """The instances that have moved since the previous frame, in ascending order."""
        if self._moved is None:
            before, now = self._before, self._now
            changed = now.changed_since(before.stamp)
            if changed is None:
                self._moved = np.flatnonzero(_differ(models_before(before, now), now.models))
            elif not len(changed):
                self._moved = NO_ROWS
            else:
                self._moved = np.sort(changed[_differ(before.models[changed], now.models[changed])])
            if len(self._deformed):
                self._moved = np.union1d(self._moved, self._deformed)
        return self._moved

    def close(self) -> None:
        """Release the buffers."""
        self._buffers.close()

    @property
    def _arranged_anew(self) -> bool:
        return self._before.numbers is not self._now.numbers

    def _write(self) -> None:
        before, slot = self._before, self._slot
        mapped, new = self._buffers.mapped(slot, _MODEL, len(self._now.models))
        if self._arranged_anew:
            mapped[:] = models_before(before, self._now)
            self._contents[slot] = None
            return
        changed = None if new else before.changed_since(self._contents[slot])
        if changed is None:
            mapped[:] = before.models
        elif len(changed):
            mapped[changed] = before.models[changed]
        self._contents[slot] = before.stamp


def _differ(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray((a != b).any(axis=(1, 2)))

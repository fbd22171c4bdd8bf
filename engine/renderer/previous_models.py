"""Previous model matrices for motion vectors, computed and uploaded on demand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.scene.draw_list import DrawList, models_before
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage


class PreviousModels:
    """Compares each frame's draw list with the previous one. Call ``update`` once per frame."""

    def __init__(self, backend: Backend, draws: DrawList) -> None:
        self._buffers = GrowingBuffer(backend, "scene previous models", Usage.STORAGE_READ)
        self._before = self._now = draws
        self._slot = 0
        self._models: NDArray[np.float32] | None = None
        self._moved: NDArray[np.bool_] | None = None
        self._written: PhysicalBuffer | None = None

    def update(self, draws: DrawList, slot: int) -> None:
        """Begin a frame that draws ``draws``."""
        self._before, self._now, self._slot = self._now, draws, slot
        self._models = self._moved = self._written = None

    @property
    def models(self) -> NDArray[np.float32]:
        """Previous matrices of this frame's instances, float32 (n, 4, 4)."""
        if self._models is None:
            self._models = models_before(self._before, self._now)
        return self._models

    @property
    def buffer(self) -> PhysicalBuffer:
        """The previous matrices on the GPU, one mat4 per instance."""
        if self._written is None:
            self._written = self._buffers.write(self._slot, self.models)
        return self._written

    @property
    def moved(self) -> NDArray[np.bool_]:
        """Whether each instance has moved since the previous frame, (n,)."""
        if self._moved is None:
            self._moved = (self.models != self._now.models).any(axis=(1, 2))
        return self._moved

    def close(self) -> None:
        """Release the buffers."""
        self._buffers.close()

"""The instances of a draw list on the GPU."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.scene.draw_list import DrawList, Stamp
from renderwright.engine.scene.material import Material
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

INSTANCE = np.dtype([("model", np.float32, (4, 4)), ("material", np.uint32, 4)])


class Instances:
    """A buffer of instances for each frame slot. Only instances that have changed since are written."""

    def __init__(self, backend: Backend) -> None:
        self._buffers = GrowingBuffer(backend, "scene instances", Usage.STORAGE_READ)
        self._contents: list[Stamp | None] = [None] * FRAMES_IN_FLIGHT

    def write(self, slot: int, draws: DrawList, materials: Mapping[Material, int]) -> PhysicalBuffer:
        """The slot's buffer with the instances of ``draws``. ``materials`` are the numbers of its materials."""
        if self._contents[slot] == draws.stamp:
            return self._buffers.buffer(slot)
        mapped, new = self._buffers.mapped(slot, INSTANCE, len(draws.models))
        before = None if new else self._contents[slot]
        changed = draws.changed_since(before)
        models = mapped["model"]
        if changed is not None:
            models[changed] = draws.models[changed]
        else:
            models[:] = draws.models
            if before is None or before.log is not draws.stamp.log:
                mapped["material"] = _of_batches(draws, materials)
        self._contents[slot] = draws.stamp
        return self._buffers.buffer(slot)

    def close(self) -> None:
        """Release the buffers."""
        self._buffers.close()


def _of_batches(draws: DrawList, materials: Mapping[Material, int]) -> NDArray[np.uint32]:
    """The field ``material`` of all instances: the numbers of the material, layers, and the entity."""
    values = [(materials[batch.material], batch.layers, 0, 0) for batch in draws.batches]
    rows = np.repeat(np.array(values, np.uint32).reshape(-1, 4), [batch.count for batch in draws.batches], axis=0)
    rows[:, 2] = draws.numbers
    return rows

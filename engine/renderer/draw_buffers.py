"""The scene's draw commands on the GPU, written where they have changed."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.renderer.draw_commands import MOST_INSTANCES, DrawTable, draw_table
from renderwright.engine.renderer.drawn_surfaces import GpuDraw
from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.previous_models import PreviousModels
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage


class DrawBuffers:
    """The draw commands of a scene. Call ``set`` when its batches have changed, and ``update`` once a frame.

    With ``by_images`` draws with other images are in other ranges. On a device that is ``direct``, indirect draws
    cannot begin at any instance, so the commands are drawn one by one from the ``table``.
    """

    def __init__(self, backend: Backend, *, by_images: bool) -> None:
        self.direct = not backend.capabilities.indirect_instances
        self._by_images = by_images
        self.table: DrawTable
        self._every = GrowingBuffer(backend, "scene draws", Usage.INDIRECT, Usage.STORAGE_READ)
        self._spheres = GrowingBuffer(backend, "scene bounds", Usage.STORAGE_READ)
        self._some = GrowingBuffer(backend, "scene moved draws", Usage.INDIRECT, Usage.STORAGE_READ)
        self._moved: DrawTable | None = None
        self._previous: PreviousModels | None = None
        self._slot = 0
        self.set(())

    def set(self, draws: Sequence[GpuDraw]) -> None:
        """Replace the draws."""
        most = None if self.direct else MOST_INSTANCES
        self.table = draw_table(draws, by_images=self._by_images, most=most)

    def update(self, previous: PreviousModels, slot: int) -> None:
        """Begin a frame; ``previous`` knows which instances have moved."""
        self._previous, self._slot, self._moved = previous, slot, None

    @property
    def buffer(self) -> PhysicalBuffer:
        """The commands of the frame."""
        return self._every.write_once(self._slot, self.table.commands)

    @property
    def bounds(self) -> PhysicalBuffer:
        """What culling knows of the commands."""
        return self._spheres.write_once(self._slot, self.table.bounds)

    @property
    def moved_table(self) -> DrawTable:
        """The commands of the frame, of which only those with an instance that has moved have any."""
        if self._moved is None:
            assert self._previous is not None
            self._moved = self.table.of_moved(self._previous.moved)
        return self._moved

    @property
    def moved(self) -> PhysicalBuffer:
        """The same on the GPU."""
        return self._some.write_once(self._slot, self.moved_table.commands)

    def close(self) -> None:
        """Release the buffers."""
        self._every.close()
        self._spheres.close()
        self._some.close()

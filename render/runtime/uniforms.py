"""Uniform blocks: CPU values packed into mapped memory once a frame, one region per block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend, BufferBinding
from renderwright.render.shaders.module import ShaderBinding
from renderwright.render.shaders.packing import BlockPacker
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage

BLOCK_ALIGNMENT = 256


@dataclass(frozen=True)
class UniformWriter:
    """Packs the value of one block into its region."""

    packer: BlockPacker
    target: memoryview
    supplier: Callable[[], Any]

    def write(self) -> None:
        """Pack the current value."""
        self.packer.pack_into(self.target, self.supplier())


class UniformMemory:
    """Allocates regions from pages of mapped buffers, separate for each frame slot.

    A node instance's block has one region per slot, shared by all lowered frames of the slot: only one of them runs at
    a time.
    """

    PAGE = 64 * 1024

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._pages: list[list[PhysicalBuffer]] = [[] for _ in range(FRAMES_IN_FLIGHT)]
        self._used = [self.PAGE] * FRAMES_IN_FLIGHT
        self._known: dict[tuple[str, int, ShaderBinding], tuple[BufferBinding, UniformWriter]] = {}

    def block(
        self, node: str, binding: ShaderBinding, what: str, slot: int, supplier: Callable[[], Any]
    ) -> tuple[BufferBinding, UniformWriter]:
        """A region for a reflected block of a node instance in a slot, and the writer that fills it from ``supplier``.

        ``what`` names the block in errors.
        """
        key = (node, slot, binding)
        if key not in self._known:
            self._known[key] = self._new_block(binding, what, slot, supplier)
        return self._known[key]

    def _new_block(
        self, binding: ShaderBinding, what: str, slot: int, supplier: Callable[[], Any]
    ) -> tuple[BufferBinding, UniformWriter]:
        size = -(-binding.size // BLOCK_ALIGNMENT) * BLOCK_ALIGNMENT
        if self._used[slot] + size > self.PAGE:
            info = BufferInfo(max(self.PAGE, size), frozenset({Usage.UNIFORM}))
            name = f"uniforms {slot}.{len(self._pages[slot])}"
            self._pages[slot].append(self._backend.create_buffer(info, name, host=True))
            self._used[slot] = 0
        buffer = self._pages[slot][-1]
        offset = self._used[slot]
        self._used[slot] += size
        assert buffer.data is not None
        writer = UniformWriter(
            BlockPacker(binding.members, binding.size, what), buffer.data[offset : offset + binding.size], supplier
        )
        return BufferBinding(buffer, offset, binding.size), writer

    def destroy(self) -> None:
        """Destroy the buffers once the GPU has finished with them."""
        for pages in self._pages:
            for page in pages:
                self._backend.destroy(page)
            pages.clear()

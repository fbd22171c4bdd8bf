"""Uniform blocks: CPU values packed into mapped memory, one region per block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend, BufferBinding
from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.shaders.module import BlockMember, ShaderBinding
from renderwright.render.shaders.packing import BlockPacker
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage

BLOCK_ALIGNMENT = 256


@dataclass(frozen=True)
class NoValues:
    """Why a source may have no values, in words, and what to do."""

    reason: str
    hint: str


@dataclass(frozen=True)
class BlockSource:
    """Where the values of a block come from.

    ``supplier`` gives the attributes or keys. It depends on these ``blobs`` and on nothing else; None where it may
    depend on anything. ``past`` is as in ``value_of``. Blocks of the same layout, ``blobs`` and ``past`` have the same
    values, if there are any blobs. ``requested`` is the line that fills the block. ``if_none`` is asked why the
    supplier gives None.
    """

    supplier: Callable[[], Any]
    blobs: tuple[BlobCell, ...] | None = None
    requested: SourceLocation | None = None
    if_none: Callable[[], NoValues] | None = None
    past: bool = False


@dataclass(eq=False)
class PackedValues:
    """The bytes of the blobs' values with these ``revisions``, for all blocks that have the same."""

    revisions: tuple[int, ...] | None = None
    data: bytearray = field(default_factory=bytearray)


@dataclass(eq=False)
class UniformWriter:
    """Writes the values of one block into its region, when they may be others than those ``written``.

    The first writer of a value packs it, and the others that share ``packed`` copy its bytes.
    """

    packer: BlockPacker
    target: memoryview
    source: BlockSource
    packed: PackedValues = field(default_factory=PackedValues)
    written: tuple[int, ...] | None = None

    def write(self) -> None:
        """Bring the region up to date."""
        now = self._revisions()
        if now is None:
            self.packer.pack_into(self.target, self._values())
        elif now != self.written:
            if now != self.packed.revisions:
                self.packed.data = self.packer.pack(self._values())
                self.packed.revisions = now
            self.target[:] = self.packed.data
        self.written = now

    def forget(self) -> None:
        """Pack and write the values next time, whatever has been written."""
        self.written = self.packed.revisions = None

    def changed_in_place(self) -> bool:
        """Whether the values are others than those written, although nothing has set them."""
        if self.written is None or self.written != self._revisions():
            return False
        return self.packer.pack(self._values()) != self.target

    def _values(self) -> Any:
        values = self.source.supplier()
        if values is None and self.source.if_none is not None:
            told = self.source.if_none()
            raise ShaderError(f"{self.packer.what}: {told.reason}", hint=told.hint, where=self.packer.where)
        return values

    def _revisions(self) -> tuple[int, ...] | None:
        blobs = self.source.blobs
        return tuple([cell.revision for cell in blobs]) if blobs is not None else None


_Block = tuple[int, ShaderBinding]
"""A block of a node instance, in a frame slot."""
_Shared = tuple[tuple[BlockMember, ...], int, tuple[BlobCell, ...], bool]
"""What blocks with the same values have in common: members, size, blobs, and whether these are of the past."""


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
        self._regions: dict[str, dict[_Block, tuple[BufferBinding, memoryview]]] = {}
        self._writers: dict[str, dict[_Block, UniformWriter]] = {}
        self._packed: dict[_Shared, PackedValues] = {}

    def block(
        self, node: str, binding: ShaderBinding, what: object, slot: int, source: BlockSource
    ) -> tuple[BufferBinding, UniformWriter]:
        """A region for a reflected block of a node instance in a slot, and the writer that fills it from ``source``.

        ``what`` names the block in errors, as a text.
        """
        block = (slot, binding)
        regions, writers = self._regions.setdefault(node, {}), self._writers.setdefault(node, {})
        if block not in regions:
            regions[block] = self._new_region(binding, slot)
        region, target = regions[block]
        if block not in writers:
            packer = BlockPacker(binding.members, binding.size, what, source.requested)
            writers[block] = UniformWriter(packer, target, source, self._values(binding, source))
        return region, writers[block]

    def forget(self, nodes: Iterable[str]) -> None:
        """Let other sources fill the blocks of these node instances, in the same regions."""
        for node in nodes:
            self._writers.pop(node, None)

    def _new_region(self, binding: ShaderBinding, slot: int) -> tuple[BufferBinding, memoryview]:
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
        return BufferBinding(buffer, offset, binding.size), buffer.data[offset : offset + binding.size]

    def _values(self, binding: ShaderBinding, source: BlockSource) -> PackedValues:
        """What is shared by all blocks with the same values."""
        if not source.blobs:
            return PackedValues()
        return self._packed.setdefault((binding.members, binding.size, source.blobs, source.past), PackedValues())

    def destroy(self) -> None:
        """Destroy the buffers once the GPU has finished with them."""
        for pages in self._pages:
            for page in pages:
                self._backend.destroy(page)
            pages.clear()

"""Assets that come to the device in the background: through a ring of staging memory, on the copy queue where there is
one, and handed over to the graphics queue when they are there."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from renderwright.render.backend.staging import Span, StagingRing
from renderwright.render.backend.streamed import Streamed
from renderwright.render.backend.vulkan.api import CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.barriers import dependency, image_barrier, memory_barrier
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.command_pools import CommandPools
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.placement import own_buffer
from renderwright.render.backend.vulkan.queues import Queue, Queues
from renderwright.render.backend.vulkan.textures import VulkanTexture, view_aspect
from renderwright.render.backend.vulkan.timeline import Timeline
from renderwright.render.backend.vulkan.uploads import record_mips
from renderwright.render.errors import BackendError
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.queues import COPY, GRAPHICS
from renderwright.render.types.physical import BufferInfo

RING_BYTES = 16 * 2**20
"""Staging memory; of this much the copy queue can be behind."""

FRAME_BYTES = 4 * 2**20
"""What is written to the ring in one frame at most, so that writing it does not make the frame late."""

_COPIES = (Stage.COPY, Access.TRANSFER_WRITE)
_BLITS = (Stage.BLIT, Access.TRANSFER_READ | Access.TRANSFER_WRITE)
_READS = (Stage.ALL_COMMANDS, Access.MEMORY_READ)
# A semaphore has been waited for by all commands, and any stage carries its effect on.
_WAITED = (Stage.ALL_COMMANDS, Access.NONE)


class Upload(Protocol):
    """An asset that is on its way: ``written`` of its ``data`` have been put on the copy queue."""

    streamed: Streamed[Any]
    data: memoryview
    written: int

    def piece(self, start: int) -> tuple[int, int]:
        """The least bytes that can be copied at once, from ``start`` on, and the most."""

    def record_copy(self, target: CData, staging: CData, span: Span, start: int) -> None:
        """Record on the copy queue that bytes of the data, from ``start`` on, come from the ring; the last ones release
        the asset."""

    def record_arrival(self, target: CData) -> None:
        """Record on the graphics queue what makes the asset fit for use."""


@dataclass
class BufferUpload:
    """A buffer that all queues share."""

    device: Device
    streamed: Streamed[VulkanBuffer]
    data: memoryview
    written: int = 0

    def piece(self, start: int) -> tuple[int, int]:
        """Any number of bytes."""
        return 1, len(self.data) - start

    def record_copy(self, target: CData, staging: CData, span: Span, start: int) -> None:
        """One region."""
        region = Arena().new("VkBufferCopy", srcOffset=span.start, dstOffset=start, size=span.size)
        self.device.dispatch.vkCmdCopyBuffer(target, staging, self.streamed.asset.handle, 1, region)

    def record_arrival(self, target: CData) -> None:
        """Waiting for the copy is all that it takes."""


@dataclass
class TextureUpload:
    """A texture of the graphics queue, unless all share it. Its rows come in turn, layer by layer."""

    device: Device
    streamed: Streamed[VulkanTexture]
    data: memoryview
    rows: int
    families: tuple[int, int] | None
    written: int = 0

    @property
    def _row_bytes(self) -> int:
        info = self.streamed.asset.info
        return len(self.data) // (info.extent[1] * info.layers)

    def piece(self, start: int) -> tuple[int, int]:
        """Whole rows of one layer, as many as the copy queue wants together, or what is left of the layer."""
        left = self._layer_bytes - start % self._layer_bytes
        return min(self.rows * self._row_bytes, left), left

    @property
    def _layer_bytes(self) -> int:
        return len(self.data) // self.streamed.asset.info.layers

    def record_copy(self, target: CData, staging: CData, span: Span, start: int) -> None:
        """The rows; in front of the first ones the texture begins, and behind the last ones it is released."""
        texture, vk, arena = self.streamed.asset, self.device.dispatch, Arena()
        copied = (*_COPIES, Layout.TRANSFER_DST)
        if not start:
            fresh = (Stage.NONE, Access.NONE, Layout.UNDEFINED)
            begin = image_barrier(arena, texture.image, texture.info, fresh, copied)
            vk.vkCmdPipelineBarrier2(target, dependency(arena, [begin]))
        layer, place = divmod(start, self._layer_bytes)
        region = arena.new(
            "VkBufferImageCopy",
            bufferOffset=span.start,
            imageSubresource={"aspectMask": view_aspect(texture.info), "baseArrayLayer": layer, "layerCount": 1},
            imageOffset={"y": place // self._row_bytes},
            imageExtent={"width": texture.info.extent[0], "height": span.size // self._row_bytes, "depth": 1},
        )
        vk.vkCmdCopyBufferToImage(target, staging, texture.image, int(Layout.TRANSFER_DST), 1, region)
        if self.families is not None and start + span.size == len(self.data):
            nobody = (Stage.NONE, Access.NONE, self._arrives_in)
            release = image_barrier(arena, texture.image, texture.info, copied, nobody, families=self.families)
            vk.vkCmdPipelineBarrier2(target, dependency(arena, [release]))

    @property
    def _arrives_in(self) -> Layout:
        return Layout.TRANSFER_DST if self.streamed.asset.info.mips > 1 else Layout.SHADER_READ_ONLY

    def record_arrival(self, target: CData) -> None:
        """Acquire it, and make its mips."""
        texture, arena = self.streamed.asset, Arena()
        several = texture.info.mips > 1
        acquire = image_barrier(
            arena,
            texture.image,
            texture.info,
            (*_WAITED, Layout.TRANSFER_DST),
            (*(_BLITS if several else _READS), self._arrives_in),
            **({} if self.families is None else {"families": self.families}),
        )
        self.device.dispatch.vkCmdPipelineBarrier2(target, dependency(arena, [acquire]))
        if several:
            record_mips(self.device, target, texture, (Stage.BLIT, Access.NONE))


class Streams:
    """Brings assets to the device; ``begin_frame`` once a frame, and nothing else, goes on with it.

    Nobody waits: a frame writes to the ring what there is room for. Who is in a hurry waits by ``Streamed.wait``, and
    then for no more than the ring, when the copy queue is all of it behind.
    """

    def __init__(self, device: Device, queues: Queues) -> None:
        self._device = device
        self._graphics = queues[GRAPHICS]
        self._copies: Queue = queues.get(COPY, self._graphics)
        self._pending: deque[Upload] = deque()
        self._arriving: deque[tuple[int, Upload]] = deque()
        self._ring = StagingRing(RING_BYTES)
        self._staging = own_buffer(device, BufferInfo(RING_BYTES, frozenset()), "staging ring", host=True)
        try:
            self.timeline = Timeline(device, "upload")
        except BaseException:
            self._staging.release()
            raise
        self._arena = Arena()
        self._between = dependency(self._arena, memory=[memory_barrier(self._arena, _COPIES, _COPIES)])
        self._copy_pools = CommandPools(device, self._copies, self.timeline, "uploads")
        self._arrival_pools = CommandPools(device, self._graphics, self._graphics.timeline, "arrivals")

    def texture(self, texture: VulkanTexture, data: memoryview) -> Streamed[VulkanTexture]:
        """Begin to fill mip 0 of a texture; the others are made from it. ``data`` stays as it is until then."""
        if view_aspect(texture.info) != lib.VK_IMAGE_ASPECT_COLOR_BIT:
            raise BackendError(f"{texture.name!r} holds depth, which is not streamed", hint="stream a colour format")
        streamed = Streamed(texture, lambda: self._finish(upload))
        families = (self._copies.family, self._graphics.family)
        handed = families if families[0] != families[1] and not texture.info.shared else None
        height = texture.info.extent[1]
        rows = min(self._device.copy_rows(self._copies.name) or height, height)
        upload = TextureUpload(self._device, streamed, data, rows, handed)
        least, _ = upload.piece(0)
        if least > RING_BYTES:
            raise BackendError(
                f"{texture.name!r} is too large to be streamed: {least} bytes have to be copied at once",
                hint="create it with its pixels instead",
            )
        self._pending.append(upload)
        return streamed

    def buffer(self, buffer: VulkanBuffer, data: bytes) -> Streamed[VulkanBuffer]:
        """Begin to write the start of a buffer."""
        streamed = Streamed(buffer, lambda: self._finish(upload))
        upload = BufferUpload(self._device, streamed, memoryview(data))
        self._pending.append(upload)
        return streamed

    def begin_frame(self) -> None:
        """Have what is there arrive, and go on with what is not; waits for nothing."""
        self._arrive()
        self._pump(FRAME_BYTES)

    def forget(self, asset: object) -> None:
        """The asset is about to be destroyed."""
        self._pending = deque(each for each in self._pending if each.streamed.asset is not asset)
        self._arriving = deque(each for each in self._arriving if each[1].streamed.asset is not asset)

    def release(self) -> None:
        """Destroy everything; the device must be done with it."""
        self._copy_pools.release()
        self._arrival_pools.release()
        self.timeline.release()
        self._staging.release()

    def _finish(self, upload: Upload) -> None:
        """Wait until an upload has arrived."""
        while not upload.streamed.resident:
            if not any(each is upload for each in (*self._pending, *(arriving for _, arriving in self._arriving))):
                raise BackendError(f"{upload.streamed.asset.name!r} was destroyed before it had arrived")
            self._pump(RING_BYTES)
            # All of the ring is on its way, or all that there is.
            self.timeline.wait(self.timeline.submitted)
            self._arrive()

    def _pump(self, budget: int) -> None:
        """Write as much to the ring as there is room for, and submit its copies."""
        if not self._pending:
            return
        self._ring.reached(self.timeline.completed())
        position = self._ring.position
        pieces: list[tuple[Upload, int, Span]] = []
        for upload in self._pending:
            start = upload.written
            full = False
            while start < len(upload.data) and not full:
                least, most = upload.piece(start)
                span = self._ring.take(least, min(most, max(budget, least))) if budget > 0 else None
                full = span is None
                if span is not None:
                    pieces.append((upload, start, span))
                    start += span.size
                    budget -= span.size
            if full:
                break
        if not pieces:
            return
        try:
            self._submit_copies(pieces)
        except BaseException:
            self._ring.rewind(position)
            raise
        value = self.timeline.submitted
        self._ring.mark(value)
        for upload, start, span in pieces:
            upload.written = start + span.size
        while self._pending and self._pending[0].written == len(self._pending[0].data):
            self._arriving.append((value, self._pending.popleft()))

    def _submit_copies(self, pieces: Sequence[tuple[Upload, int, Span]]) -> None:
        assert self._staging.data is not None
        staging = self._staging.data

        def record(target: CData) -> None:
            for upload, start, span in pieces:
                staging[span.start : span.start + span.size] = upload.data[start : start + span.size]
                if start:
                    # Pieces have nothing in common, but a judge of commands knows of no less than a mip or a buffer.
                    self._device.dispatch.vkCmdPipelineBarrier2(target, self._between)
                upload.record_copy(target, self._staging.handle, span, start)

        self._copy_pools.run(record, lambda buffer: self._copies.submit_apart(buffer, self.timeline))

    def _arrive(self) -> None:
        """Hand over to the graphics queue what the copy queue has finished."""
        if not self._arriving:
            return
        completed = self.timeline.completed()
        there: list[Upload] = []
        newest = 0
        for value, upload in self._arriving:
            if value > completed:
                break
            newest = value
            there.append(upload)
        if not there:
            return

        def record(target: CData) -> None:
            for upload in there:
                upload.record_arrival(target)

        # The value is reached, so this does not stop the queue; it makes the contents visible there.
        self._arrival_pools.run(record, lambda buffer: self._graphics.submit(buffer, [(self.timeline, newest)]))
        for upload in there:
            self._arriving.popleft()
            upload.streamed.arrive()

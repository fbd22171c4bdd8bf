"""Uploads of assets in the background, through a ring of staging memory on the copy queue (or else the graphics queue).

An uploaded asset is then acquired by the graphics queue.
"""

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
from renderwright.render.errors import BackendError, OutOfMemoryError
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.queues import COPY, GRAPHICS
from renderwright.render.types.physical import BufferInfo

RING_BYTES = 16 * 2**20
"""Size of the staging memory: the most bytes in flight on the copy queue."""

FRAME_BYTES = 4 * 2**20
"""The most bytes written to the ring in one frame, so that the writes do not delay it."""

_COPIES = (Stage.COPY, Access.TRANSFER_WRITE)
_BLITS = (Stage.BLIT, Access.TRANSFER_READ | Access.TRANSFER_WRITE)
_READS = (Stage.ALL_COMMANDS, Access.MEMORY_READ)
# The semaphore wait covers all commands, so a source scope of any stage chains to it.
_WAITED = (Stage.ALL_COMMANDS, Access.NONE)


class Upload(Protocol):
    """An unfinished upload: copies of the first ``written`` bytes of ``data`` are submitted."""

    streamed: Streamed[Any]
    data: memoryview
    written: int

    def piece(self, start: int) -> tuple[int, int]:
        """The least and the most bytes of one copy that begins at ``start``."""

    def record_copy(self, target: CData, staging: CData, span: Span, start: int) -> None:
        """Record the copy of a span of the ring to the data's bytes from ``start`` on.

        It is for the copy queue. The copy of the last bytes also releases the asset.
        """

    def record_arrival(self, target: CData) -> None:
        """Record the commands of the graphics queue that make the asset usable."""


@dataclass
class BufferUpload:
    """A buffer that all queues share."""

    device: Device
    streamed: Streamed[VulkanBuffer]
    data: memoryview
    written: int = 0

    def piece(self, start: int) -> tuple[int, int]:
        """Copies may have any size."""
        return 1, len(self.data) - start

    def record_copy(self, target: CData, staging: CData, span: Span, start: int) -> None:
        """Record one region."""
        region = Arena().new("VkBufferCopy", srcOffset=span.start, dstOffset=start, size=span.size)
        self.device.dispatch.vkCmdCopyBuffer(target, staging, self.streamed.asset.handle, 1, region)

    def record_arrival(self, target: CData) -> None:
        """Record nothing: the wait for the copy suffices."""


@dataclass
class TextureUpload:
    """A texture of the graphics queue or of all queues. Its rows are copied in order, layer by layer."""

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
        """Copies have whole rows of one layer: a multiple of the queue's granularity, or the rest of the layer."""
        left = self._layer_bytes - start % self._layer_bytes
        return min(self.rows * self._row_bytes, left), left

    @property
    def _layer_bytes(self) -> int:
        return len(self.data) // self.streamed.asset.info.layers

    def record_copy(self, target: CData, staging: CData, span: Span, start: int) -> None:
        """Record the rows, a layout change before the first rows, and the release after the last ones."""
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
            released = (Stage.NONE, Access.NONE, self._arrives_in)
            release = image_barrier(arena, texture.image, texture.info, copied, released, families=self.families)
            vk.vkCmdPipelineBarrier2(target, dependency(arena, [release]))

    @property
    def _arrives_in(self) -> Layout:
        return Layout.TRANSFER_DST if self.streamed.asset.info.mips > 1 else Layout.SHADER_READ_ONLY

    def record_arrival(self, target: CData) -> None:
        """Record the acquire, and the generation of mips."""
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
    """Uploads assets. Only ``begin_frame``, once a frame, ``Streamed.hasten`` and ``Streamed.wait`` make progress.

    The thread that makes frames never waits: each one writes as much to the ring as there is room for, at most
    ``FRAME_BYTES``. The graphics queue waits for what is hastened. ``Streamed.wait`` waits for at most one full ring at
    a time.
    """

    def __init__(self, device: Device, queues: Queues) -> None:
        self._device = device
        self._graphics = queues[GRAPHICS]
        self._copies: Queue = queues.get(COPY, self._graphics)
        self._pending: deque[Upload] = deque()
        self._arriving: deque[tuple[int, Upload]] = deque()
        self._left = FRAME_BYTES  # bytes that this frame may still write
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
        """Begin the upload of mip 0; the other mips are generated. ``data`` must not change before it is resident."""
        if view_aspect(texture.info) != lib.VK_IMAGE_ASPECT_COLOR_BIT:
            raise BackendError(f"{texture.name!r} holds depth, which is not streamed", hint="stream a colour format")
        streamed = Streamed(texture, lambda: self._finish(upload), lambda: self._hasten(upload))
        families = (self._copies.family, self._graphics.family)
        handed = families if families[0] != families[1] and not texture.info.concurrent else None
        height = texture.info.extent[1]
        rows = min(self._device.copy_rows(self._copies.name) or height, height)
        upload = TextureUpload(self._device, streamed, data, rows, handed)
        least, _ = upload.piece(0)
        if least > RING_BYTES:
            raise BackendError(
                f"{texture.name!r} is too large to be streamed: a single copy has {least} bytes",
                hint="create it with its pixels instead",
            )
        self._pending.append(upload)
        return streamed

    def buffer(self, buffer: VulkanBuffer, data: bytes) -> Streamed[VulkanBuffer]:
        """Begin the upload of a buffer's first bytes."""
        streamed = Streamed(buffer, lambda: self._finish(upload), lambda: self._hasten(upload))
        upload = BufferUpload(self._device, streamed, memoryview(data))
        self._pending.append(upload)
        return streamed

    def begin_frame(self) -> None:
        """Make finished uploads resident and continue the others, without waiting."""
        self._arrive(self.timeline.completed())
        self._left = FRAME_BYTES
        self._pump(self._left)

    def forget(self, asset: object) -> None:
        """Cancel the upload of an asset that is about to be destroyed."""
        self._pending = deque(each for each in self._pending if each.streamed.asset is not asset)
        self._arriving = deque(each for each in self._arriving if each[1].streamed.asset is not asset)

    def release(self) -> None:
        """Destroy everything; the device must not be using it."""
        self._copy_pools.release()
        self._arrival_pools.release()
        self.timeline.release()
        self._staging.release()

    def _hasten(self, upload: Upload) -> None:
        """Make an upload resident now, unless others are under way or it is too large for what is left of the frame."""
        if self._arriving or not self._pending or self._pending[0] is not upload:
            return
        rest = len(upload.data) - upload.written
        if rest > self._left:
            return
        try:
            self._pump(rest)
            if not self._pending or self._pending[0] is not upload:
                self._arrive(self.timeline.submitted)
        except OutOfMemoryError:
            pass  # the next frame tries again

    def _finish(self, upload: Upload) -> None:
        """Wait until an upload is resident."""
        while not upload.streamed.resident:
            if not any(each is upload for each in (*self._pending, *(arriving for _, arriving in self._arriving))):
                raise BackendError(f"{upload.streamed.asset.name!r} was destroyed before it was resident")
            self._pump(RING_BYTES)
            # The ring is full, or all remaining bytes are submitted.
            self.timeline.wait(self.timeline.submitted)
            self._arrive(self.timeline.completed())

    def _pump(self, budget: int) -> None:
        """Write up to ``budget`` bytes to the ring, as far as it has room, and submit their copies."""
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
        self._left -= sum(span.size for _, _, span in pieces)
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
                    # Pieces are disjoint, but the oracle tracks only whole mips and buffers.
                    self._device.dispatch.vkCmdPipelineBarrier2(target, self._between)
                upload.record_copy(target, self._staging.handle, span, start)

        self._copy_pools.run(record, lambda buffers: self._copies.submit_apart(buffers, self.timeline))

    def _arrive(self, reached: int) -> None:
        """Acquire the uploads up to a value of the timeline on the graphics queue, which waits for it."""
        finished: list[Upload] = []
        newest = 0
        for value, upload in self._arriving:
            if value > reached:
                break
            newest = value
            finished.append(upload)
        if not finished:
            return

        def record(target: CData) -> None:
            for upload in finished:
                upload.record_arrival(target)

        # The wait makes the contents visible. It holds the queue up only for an upload that is hastened.
        self._arrival_pools.run(record, lambda buffers: self._graphics.submit(buffers, [(self.timeline, newest)]))
        for upload in finished:
            self._arriving.popleft()
            upload.streamed.arrive()

"""Uploads of assets in slices, a few megabytes in each frame, on the one context."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

from renderwright.render.backend.opengl.buffers import GLBuffer, write_buffer
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.textures import GLTexture, is_depth
from renderwright.render.backend.opengl.uploads import finish_upload, upload_rows
from renderwright.render.backend.streamed import Streamed
from renderwright.render.errors import BackendError

FRAME_BYTES = 4 * 2**20
"""The most bytes that are copied in one frame, so that the copies do not delay it; at least one row is."""


class Upload(Protocol):
    """An unfinished upload of ``left`` more bytes."""

    streamed: Streamed[Any]
    left: int

    def go_on(self, most: int) -> None:
        """Copy up to ``most`` bytes, at least the smallest piece there is."""


@dataclass
class TextureUpload:
    """A texture, whose rows are copied in order, layer by layer."""

    device: Device
    streamed: Streamed[GLTexture]
    data: memoryview
    left: int

    def go_on(self, most: int) -> None:
        """Copy whole rows; the last ones make the other mips."""
        texture = self.streamed.asset
        row_bytes = len(self.data) // (texture.info.extent[1] * texture.info.layers)
        first = (len(self.data) - self.left) // row_bytes
        count = min(max(1, most // row_bytes), self.left // row_bytes)
        upload_rows(self.device, texture, self.data, first, count)
        self.left -= count * row_bytes
        if not self.left:
            finish_upload(self.device, texture)


@dataclass
class BufferUpload:
    """A buffer."""

    device: Device
    streamed: Streamed[GLBuffer]
    data: memoryview
    left: int

    def go_on(self, most: int) -> None:
        """Copy any number of bytes."""
        start = len(self.data) - self.left
        count = min(most, self.left)
        write_buffer(self.device, self.streamed.asset, self.data[start : start + count], start)
        self.left -= count


class Streams:
    """Uploads assets. Only ``begin_frame``, once a frame, ``Streamed.hasten`` and ``Streamed.wait`` make progress.

    Commands behind a copy see it. An asset that is not hastened is resident at the begin of the frame that follows its
    last slice.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._pending: deque[Upload] = deque()
        self._left = FRAME_BYTES  # bytes that this frame may still copy

    def texture(self, texture: GLTexture, data: memoryview) -> Streamed[GLTexture]:
        """Begin the upload of mip 0; the other mips are generated. ``data`` must not change before it is resident."""
        if is_depth(texture.info):
            raise BackendError(f"{texture.name!r} holds depth, which is not streamed", hint="stream a colour format")
        streamed = Streamed(texture, lambda: self._finish(upload), lambda: self._hasten(upload))
        upload = TextureUpload(self._device, streamed, data, len(data))
        self._pending.append(upload)
        return streamed

    def buffer(self, buffer: GLBuffer, data: bytes) -> Streamed[GLBuffer]:
        """Begin the upload of a buffer's first bytes."""
        streamed = Streamed(buffer, lambda: self._finish(upload), lambda: self._hasten(upload))
        upload = BufferUpload(self._device, streamed, memoryview(data), len(data))
        self._pending.append(upload)
        return streamed

    def begin_frame(self) -> None:
        """Make finished uploads resident and continue the others."""
        self._arrive()
        self._left = FRAME_BYTES
        for upload in self._pending:
            while upload.left and self._left > 0:
                before = upload.left
                upload.go_on(self._left)
                self._left -= before - upload.left

    def forget(self, asset: object) -> None:
        """Cancel the upload of an asset that is about to be destroyed."""
        self._pending = deque(each for each in self._pending if each.streamed.asset is not asset)

    def _arrive(self) -> None:
        while self._pending and not self._pending[0].left:
            self._pending.popleft().streamed.arrive()

    def _hasten(self, upload: Upload) -> None:
        """Make an upload resident now, unless others are under way or it is too large for what is left of the frame."""
        if self._pending and self._pending[0] is upload and upload.left <= self._left:
            self._left -= upload.left
            self._finish(upload)

    def _finish(self, upload: Upload) -> None:
        if all(each is not upload for each in self._pending):
            raise BackendError(f"{upload.streamed.asset.name!r} was destroyed before it was resident")
        while upload.left:
            upload.go_on(upload.left)
        self._pending.remove(upload)
        upload.streamed.arrive()

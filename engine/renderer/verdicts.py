"""What occlusion culling has made of the instances, from one frame to the next."""

from __future__ import annotations

from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage

_WORD = 4
_INFO = frozenset({Usage.STORAGE, Usage.STORAGE_READ, Usage.COPY_DST})


class Verdicts:
    """A buffer for each player, with a word for each instance: 0 not judged yet, 1 hidden, 2 seen.

    A buffer is made when it is asked for, and replaced when there are more instances.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._buffers: dict[int, PhysicalBuffer] = {}

    def of(self, player: int, instances: int) -> PhysicalBuffer:
        """A player's verdicts on so many instances. On a new buffer there are none yet."""
        buffer = self._buffers.get(player)
        if buffer is None or buffer.info.size < _WORD * instances:
            size = _WORD * max(1024, 1 << (instances - 1).bit_length())
            larger = self._backend.create_buffer(BufferInfo(size, _INFO), f"verdicts {player}", bytes(size))
            if buffer is not None:
                self._backend.destroy(buffer)
            buffer = self._buffers[player] = larger
        return buffer

    def close(self) -> None:
        """Release the buffers."""
        for buffer in self._buffers.values():
            self._backend.destroy(buffer)

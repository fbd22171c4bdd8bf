"""Lowered frames of plans that run no more. A part of them is destroyed behind each frame.

A large plan has a thousand binding sets and command buffers, and to destroy them all takes a part of a frame.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from renderwright.render.backend.protocol import Backend
from renderwright.render.runtime.lowered import LoweredFrame

PARTS = 8
"""One of so many frames is destroyed behind a frame, so that plans that are replaced all the time leave few."""


class LeavingFrames:
    """Destroys lowered frames in the order in which their plans have ended."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._frames: deque[LoweredFrame] = deque()

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frames: Iterable[LoweredFrame]) -> None:
        """Destroy these frames later."""
        self._frames.extend(frames)

    def go_on(self) -> None:
        """Destroy a part of the frames, at least one."""
        for _ in range(-(-len(self._frames) // PARTS)):
            self._frames.popleft().destroy(self._backend)

    def finish(self) -> None:
        """Destroy all frames."""
        while self._frames:
            self.go_on()

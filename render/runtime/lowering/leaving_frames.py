"""Lowered frames of plans that run no more. A part of them is destroyed behind each frame.

A large plan has a thousand binding sets and command buffers, and to destroy them all takes a part of a frame.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.runtime.lowering.lowered import LoweredFrame

PARTS = 8
"""One of so many frames is destroyed behind a frame, so that plans that are replaced all the time leave few."""


@dataclass(frozen=True)
class _Leaving:
    """A lowered frame whose plan ended behind so many frames."""

    frame: LoweredFrame
    since: int


class LeavingFrames:
    """Destroys lowered frames in the order in which their plans have ended.

    None is destroyed behind the frames that follow at once, one in each slot: these are the first ones of the next
    plan, which take longest.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._ended = 0  # frames so far
        self._frames: deque[_Leaving] = deque()

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frames: Iterable[LoweredFrame]) -> None:
        """Destroy these frames later."""
        self._frames.extend(_Leaving(frame, self._ended) for frame in frames)

    def go_on(self) -> None:
        """Behind a frame: destroy a part of the frames that left before the last few, at least one if there are any."""
        self._ended += 1
        ripe = sum(one.since + FRAMES_IN_FLIGHT < self._ended for one in self._frames)
        for _ in range(-(-ripe // PARTS)):
            self._destroy_first()

    def finish(self) -> None:
        """Destroy all frames."""
        while self._frames:
            self._destroy_first()

    def _destroy_first(self) -> None:
        self._frames.popleft().frame.destroy(self._backend)

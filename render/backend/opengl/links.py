"""Programs of pipelines that another thread has created: begun between frames, a few in each."""

from __future__ import annotations

import time
from collections import deque

from renderwright.render.backend.opengl.pipelines import GLPipeline

FRAME_SECONDS = 0.002
"""The time after which a frame begins no further program, since drivers without threads of their own compile in it."""


class Links:
    """Pipelines whose programs are not begun, in order of creation."""

    def __init__(self) -> None:
        self._waiting: deque[GLPipeline] = deque()

    def add(self, pipeline: GLPipeline) -> None:
        """Have a pipeline begun in one of the next frames; for any thread."""
        self._waiting.append(pipeline)

    def begin_frame(self) -> None:
        """Begin at least one program, and others while there is time."""
        end = time.perf_counter() + FRAME_SECONDS
        while self._waiting:
            self._waiting.popleft().begin()
            if time.perf_counter() > end:
                return

"""A backend that leaves nothing to chance: everything waits for everything before it and holds back everything after.

It goes around another one, so what is recorded is what the runtime asks for, with full barriers in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from renderwright.render.backend.protocol import Backend, BoundBarrier, Recorder
from renderwright.render.sync.queues import GRAPHICS

_ALONE = ("barriers", "dispatch", "clear_texture", "copy_texture", "fill_buffer", "copy_buffer")
"""What is never recorded inside of a pass."""


class FullBarriers:
    """A backend whose recorders issue a full barrier around every pass, and every command outside of passes."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._recorders: dict[tuple[int, str], _Recorder] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def recorder(self, slot: int, queue: str = GRAPHICS) -> _Recorder:
        key = slot, queue
        if key not in self._recorders:
            self._recorders[key] = _Recorder(self._backend.recorder(*key))
        return self._recorders[key]


class _Recorder:
    """Keeps nothing in mind, since parts of a frame may be taken over from another one without being recorded."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        for name in _ALONE:
            setattr(self, name, self._fenced(getattr(recorder, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._recorder, name)

    def _fenced(self, command: Callable[..., None]) -> Callable[..., None]:
        def issue(*arguments: Any, **more: Any) -> None:
            self._recorder.full_barrier()
            command(*arguments, **more)
            self._recorder.full_barrier()

        return issue

    def set_event(self, number: int, barriers: Sequence[BoundBarrier]) -> None:
        raise AssertionError("barriers are not to be split here")

    def begin_pass(self, *arguments: Any) -> None:
        self._recorder.full_barrier()
        self._recorder.begin_pass(*arguments)

    def end_pass(self) -> None:
        self._recorder.end_pass()
        self._recorder.full_barrier()

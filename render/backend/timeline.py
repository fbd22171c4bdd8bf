"""How far the queues of a device have come, and what waits for them to be destroyed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from renderwright.render.backend.progress import Progress
from renderwright.render.errors import BackendError, DeviceHungError

_STEP = 1_000_000_000
"""Nanoseconds after which a wait looks for progress, and for Ctrl-C, at the latest."""

LEAST, PARTS = 32, 16
"""Of the small things that wait to be released, a frame releases so many at least, and one of so many."""

CALM = 2
"""Frames that begin before something with memory is released: that in which it retires is often long already, since
another plan takes over, and a driver takes milliseconds to free a heap."""


class Releasable(Protocol):
    """Something that can be destroyed at once."""

    def release(self) -> None:
        """Destroy it; nothing on the device may be using it."""


class DeviceTimeline(ABC):
    """A number that grows with a queue's finished submissions; ``submitted`` is the newest submission's.

    ``device_name`` is for messages.
    """

    def __init__(self, progress: Progress, device_name: str) -> None:
        self.submitted = 0
        self._seen = 0
        self._progress = progress
        self._device_name = device_name

    @contextmanager
    def signalling(self) -> Iterator[int]:
        """The value that a submission is to signal; inside, it is submitted.

        It counts as submitted at once, because an interrupt (Ctrl-C) may come between the driver's call and the next
        line. It does not count when the driver refuses it.
        """
        self.submitted += 1
        try:
            yield self.submitted
        except BackendError:
            self.submitted -= 1
            raise

    @abstractmethod
    def completed(self) -> int:
        """The value that the device has reached."""

    @abstractmethod
    def _reaches(self, value: int, nanoseconds: int) -> bool:
        """Whether the device reaches ``value`` within that time."""

    def wait(self, value: int) -> None:
        """Wait until the device has reached ``value``; ``DeviceHungError`` when it makes no progress for too long."""
        if value <= self._seen:
            return
        progress = self._progress
        state: tuple[int, ...] | None = None  # looking costs more than most waits
        idle = 0
        while idle < progress.patience:
            step = min(_STEP, progress.patience // 4 + 1)
            if self._reaches(value, step):
                self._seen = value
                return
            before, state = state, progress.state()
            idle = idle + step if before in (None, state) else 0
        raise DeviceHungError(
            f"{self._device_name} has made no progress for {progress.patience / 1e9:g} s",
            hint="a shader may never end, or the device is far too slow for this scene",
        )


class Retirement:
    """Things that are no longer wanted, each kept until the device has passed what may still use it, on every queue.

    What retires while a frame is being recorded may be used by that frame, so it waits for that frame's submissions.
    A large plan leaves a thousand small things at once, binding sets and command buffers, and releasing them takes a
    part of a frame: each frame releases a part of them, and everything else that the device has passed for ``CALM``
    frames.
    """

    def __init__(self, timelines: Iterable[DeviceTimeline]) -> None:
        self._timelines = list(timelines)
        self._recording = False
        self._frame = 0
        self._unsubmitted: list[tuple[Releasable, bool]] = []
        self._small, self._others = _Waiting(), _Waiting()

    def watch(self, timeline: DeviceTimeline) -> None:
        """Wait for another timeline, too, with what is no longer wanted from now on."""
        self._timelines.append(timeline)

    def ignore(self, timeline: DeviceTimeline) -> None:
        """A watched timeline is gone."""
        self._timelines.remove(timeline)

    def __len__(self) -> int:
        return len(self._unsubmitted) + len(self._small.things) + len(self._others.things)

    def begin_frame(self) -> None:
        """A frame is being recorded from now on; release what the device has passed, and a part of the small things."""
        self._recording = True
        self._frame += 1
        self._collect(max(LEAST, len(self._small.things) // PARTS), self._frame - CALM)

    def end_frame(self) -> None:
        """The frame has been submitted."""
        self._recording = False
        submitted = self._submitted()
        for thing, small in self._unsubmitted:
            self._waiting(small).add(thing, submitted, self._frame)
        self._unsubmitted.clear()

    def add(self, thing: Releasable, *, small: bool = False) -> None:
        """Release ``thing`` once the device cannot be using it any more; a ``small`` one, which holds no memory worth
        speaking of, perhaps some frames later."""
        if self._recording:
            self._unsubmitted.append((thing, small))
        else:
            self._waiting(small).add(thing, self._submitted(), self._frame)

    def wait(self) -> None:
        """Wait (bounded) for everything submitted, and release what only that has used."""
        for timeline in self._timelines:
            timeline.wait(timeline.submitted)
        self._collect(len(self._small.things), self._frame)

    def release_all(self) -> None:
        """Release everything at once."""
        self.end_frame()
        for waiting in (self._small, self._others):
            while waiting.things:
                waiting.things.popleft().thing.release()

    def _waiting(self, small: bool) -> _Waiting:
        return self._small if small else self._others

    def _submitted(self) -> Mapping[DeviceTimeline, int]:
        return {timeline: timeline.submitted for timeline in self._timelines}

    def _collect(self, most_small: int, last: int) -> None:
        """Release what the device has passed: of the small things at most so many, of the others those that retired in
        the frame ``last`` or before."""
        if self._small.things or self._others.things:
            completed = {timeline: timeline.completed() for timeline in self._timelines}
            self._small.release(completed, most_small, self._frame)
            self._others.release(completed, len(self._others.things), last)


@dataclass(frozen=True)
class _Retired:
    """A thing that retired in a frame, and the last submissions that may use it."""

    thing: Releasable
    used: Mapping[DeviceTimeline, int]
    frame: int


class _Waiting:
    """Things in the order in which they retired."""

    def __init__(self) -> None:
        self.things: deque[_Retired] = deque()

    def add(self, thing: Releasable, used: Mapping[DeviceTimeline, int], frame: int) -> None:
        """Release the thing when the device has passed its last ``used`` submissions."""
        self.things.append(_Retired(thing, used, frame))

    def release(self, completed: Mapping[DeviceTimeline, int], most: int, last: int) -> None:
        """Release at most so many things that the device has passed, and that retired in the frame ``last`` or
        before."""
        for _ in range(min(most, len(self.things))):
            first = self.things[0]
            # A timeline that is gone had come to its end.
            if first.frame > last or any(value > completed.get(one, value) for one, value in first.used.items()):
                return
            self.things.popleft()
            first.thing.release()

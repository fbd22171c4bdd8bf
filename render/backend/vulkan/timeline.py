"""The timeline semaphores that say how far the queues have come, and what waits for them to be destroyed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from renderwright.render.backend.vulkan.api import NULL, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.errors import BackendError, DeviceHungError

_STEP = 1_000_000_000
"""Nanoseconds after which a wait looks for progress, and for Ctrl-C, at the latest."""


class Releasable(Protocol):
    """Something that can be destroyed at once."""

    def release(self) -> None:
        """Destroy it; nothing on the device may be using it."""


class Timeline:
    """A queue's timeline semaphore; ``submitted`` is the value that the newest submission will signal."""

    def __init__(self, device: Device, queue: str) -> None:
        self._device = device
        self._arena = Arena()
        kind = self._arena.new("VkSemaphoreTypeCreateInfo", semaphoreType=lib.VK_SEMAPHORE_TYPE_TIMELINE)
        info = self._arena.new("VkSemaphoreCreateInfo", pNext=kind)
        semaphore = self._arena.out("VkSemaphore")
        check(device.dispatch.vkCreateSemaphore(device.handle, info, NULL, semaphore), "create the timeline")
        self.semaphore = semaphore[0]
        self.submitted = 0
        self._seen = 0
        self._value = self._arena.out("uint64_t")
        self._wait = self._arena.new(
            "VkSemaphoreWaitInfo", semaphoreCount=1, pSemaphores=semaphore, pValues=self._value
        )
        self._counter = ffi.new("uint64_t*")
        device.name(lib.VK_OBJECT_TYPE_SEMAPHORE, self.semaphore, f"{queue} timeline")
        device.progress.watch(self.completed)

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

    def completed(self) -> int:
        """The value that the device has reached."""
        check(
            self._device.dispatch.vkGetSemaphoreCounterValue(self._device.handle, self.semaphore, self._counter),
            "ask how far the device is",
        )
        self._seen = int(self._counter[0])
        return self._seen

    def wait(self, value: int) -> None:
        """Wait until the device has reached ``value``; ``DeviceHungError`` when it makes no progress for too long."""
        if value <= self._seen:
            return
        progress = self._device.progress
        state: tuple[int, ...] | None = None  # looking costs more than most waits
        idle = 0
        while idle < progress.patience:
            step = min(_STEP, progress.patience // 4 + 1)
            if self._reaches(value, step):
                return
            before, state = state, progress.state()
            idle = idle + step if before in (None, state) else 0
        raise DeviceHungError(
            f"{self._device.physical.name} has made no progress for {progress.patience / 1e9:g} s",
            hint="a shader may never end, or the device is far too slow for this scene",
        )

    def _reaches(self, value: int, nanoseconds: int) -> bool:
        self._value[0] = value
        with self._device.waiting():
            result = self._device.dispatch.vkWaitSemaphores(self._device.handle, self._wait, nanoseconds)
        if result == lib.VK_TIMEOUT:
            return False
        check(result, "wait for the device")
        self._seen = value
        return True

    def release(self) -> None:
        """Destroy the semaphore."""
        self._device.progress.ignore(self.completed)
        self._device.dispatch.vkDestroySemaphore(self._device.handle, self.semaphore, NULL)


class Retirement:
    """Things that are no longer wanted, each kept until the device has passed what may still use it, on every queue.

    What retires while a frame is being recorded may be used by that frame, so it waits for that frame's submissions.
    """

    def __init__(self, timelines: Iterable[Timeline]) -> None:
        self._timelines = list(timelines)
        self._recording = False
        self._unsubmitted: list[Releasable] = []
        self._waiting: deque[tuple[Mapping[Timeline, int], Releasable]] = deque()

    def watch(self, timeline: Timeline) -> None:
        """Wait for another timeline, too, with what is no longer wanted from now on."""
        self._timelines.append(timeline)

    def ignore(self, timeline: Timeline) -> None:
        """A watched timeline is gone."""
        self._timelines.remove(timeline)

    def __len__(self) -> int:
        return len(self._unsubmitted) + len(self._waiting)

    def begin_frame(self) -> None:
        """A frame is being recorded from now on; release what the device has passed."""
        self._recording = True
        self._collect()

    def end_frame(self) -> None:
        """The frame has been submitted."""
        self._recording = False
        self._waiting.extend((self._submitted(), thing) for thing in self._unsubmitted)
        self._unsubmitted.clear()

    def add(self, thing: Releasable) -> None:
        """Release ``thing`` once the device cannot be using it any more."""
        if self._recording:
            self._unsubmitted.append(thing)
        else:
            self._waiting.append((self._submitted(), thing))

    def wait(self) -> None:
        """Wait (bounded) for everything submitted, and release what only that has used."""
        for timeline in self._timelines:
            timeline.wait(timeline.submitted)
        self._collect()

    def release_all(self) -> None:
        """Release everything at once."""
        self.end_frame()
        while self._waiting:
            self._waiting.popleft()[1].release()

    def _submitted(self) -> Mapping[Timeline, int]:
        return {timeline: timeline.submitted for timeline in self._timelines}

    def _collect(self) -> None:
        if not self._waiting:
            return
        completed = {timeline: timeline.completed() for timeline in self._timelines}
        # A timeline that is gone had come to its end.
        while self._waiting and all(value <= completed.get(one, value) for one, value in self._waiting[0][0].items()):
            self._waiting.popleft()[1].release()

"""A queue with its timeline, and submissions to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from renderwright.render.backend.command_buffers import CommandBuffer
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.timeline import Timeline
from renderwright.render.sync.flags import Stage

Buffers = tuple[CommandBuffer, ...]
"""Command buffers that have been recorded, of the Vulkan backend."""

_MOST_PREPARED = 64
"""Submissions whose structs are kept."""

_MOST_WAITS = 4  # one for each other queue, and one for the swapchain


class Queue:
    """A queue of the device. Its submit structs are created once and patched."""

    def __init__(self, device: Device, name: str) -> None:
        self.name = name
        self.family = (device.chosen.get(name) or device.spare[name]).family.index
        self.timestamp_bits = device.timestamp_bits(name)
        self.timeline = Timeline(device, name)
        self._device = device
        self._handle = device.queues[name]
        arena = Arena()
        self._infos: dict[int, tuple[Buffers, CData]] = {}
        self._waits = arena.array("VkSemaphoreSubmitInfo", [{"stageMask": int(Stage.ALL_COMMANDS)}] * _MOST_WAITS)
        self._signals = arena.array("VkSemaphoreSubmitInfo", [{"stageMask": int(Stage.ALL_COMMANDS)}] * 2)
        self._signals[0].semaphore = self.timeline.semaphore
        self._submit = arena.new(
            "VkSubmitInfo2",
            pWaitSemaphoreInfos=self._waits,
            pSignalSemaphoreInfos=self._signals,
        )
        self._arena = arena

    def submit(
        self,
        buffers: Buffers = (),
        waits: Sequence[tuple[Timeline, int]] = (),
        acquired: CData = NULL,
        shown: CData = NULL,
    ) -> int:
        """Submit finished command buffers, or only the waits; returns the timeline value of their end.

        Structs are kept by tuple, so pass the same one for the same buffers. All commands wait for the timelines'
        values, colour output for the binary semaphore ``acquired``; ``shown`` is signalled at the end (either may be
        null).
        """
        count = 0
        for timeline, value in waits:
            self._set_wait(count, timeline.semaphore, value, Stage.ALL_COMMANDS)
            count += 1
        if acquired != NULL:
            self._set_wait(count, acquired, 0, Stage.COLOR_ATTACHMENT_OUTPUT)
            count += 1
        self._submit.commandBufferInfoCount = len(buffers)
        self._submit.pCommandBufferInfos = self._prepared(buffers)
        self._signals[1].semaphore = shown
        self._submit.waitSemaphoreInfoCount = count
        self._submit.signalSemaphoreInfoCount = 1 + int(shown != NULL)
        with self.timeline.signalling() as value:
            self._signals[0].value = value
            check(self._device.dispatch.vkQueueSubmit2(self._handle, 1, self._submit, NULL), "submit a frame")
        return value

    def submit_apart(self, buffers: Buffers, timeline: Timeline) -> int:
        """Submit finished command buffers that are independent of frames: they wait for nothing.

        Returns the value that the given timeline reaches at their end. The queue's own timeline is not signalled.
        """
        arena = Arena()
        signal = arena.new("VkSemaphoreSubmitInfo", semaphore=timeline.semaphore, stageMask=int(Stage.ALL_COMMANDS))
        submit = arena.new(
            "VkSubmitInfo2",
            commandBufferInfoCount=len(buffers),
            pCommandBufferInfos=self._prepared(buffers),
            signalSemaphoreInfoCount=1,
            pSignalSemaphoreInfos=signal,
        )
        with timeline.signalling() as value:
            signal.value = value
            check(self._device.dispatch.vkQueueSubmit2(self._handle, 1, submit, NULL), "submit work beside the frames")
        return value

    def _prepared(self, buffers: Buffers) -> CData:
        """The structs of command buffers, kept with the tuple, so that its identity stays its own."""
        known = self._infos.get(id(buffers))
        if known is None:
            if len(self._infos) >= _MOST_PREPARED:
                self._infos.clear()
            structs = ffi.new("VkCommandBufferSubmitInfo[]", len(buffers))
            for number, buffer in enumerate(buffers):
                structs[number].sType = lib.VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO
                structs[number].commandBuffer = cast(Any, buffer).handle
            known = self._infos[id(buffers)] = buffers, structs
        return known[1]

    def _set_wait(self, number: int, semaphore: CData, value: int, stages: Stage) -> None:
        wait = self._waits[number]
        wait.semaphore, wait.value, wait.stageMask = semaphore, value, int(stages)

    def release(self) -> None:
        """Destroy the timeline; the queue belongs to the device."""
        self.timeline.release()


Queues = Mapping[str, Queue]
"""The queues by class; there is always a graphics queue."""

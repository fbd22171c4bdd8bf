"""Plays a stream (docs/stream-format.md) on a Vulkan device and listens to what the validation layer says.

It takes streams of one queue whose works are dispatches, draws, copies, blits and clears, as the generator makes them.
Each command stands in a debug label of its line: by that the words about a whole submission are led back to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stream_objects import StreamObjects
from stream_shaders import Pipelines
from stream_works import Works
from vulkan_judge import VulkanJudge, quiet_log

from renderwright.render.backend.progress import WAIT_NANOSECONDS
from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import QUEUE_FAMILY_IGNORED
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.sync.oracle.names import LAYOUTS
from renderwright.render.sync.oracle.stream import (
    Barrier,
    Begin,
    BeginRendering,
    Buffer,
    Command,
    Dependency,
    EndRendering,
    HostWait,
    Image,
    Item,
    Label,
    ResetEvent,
    Semaphore,
    SetEvent,
    Stream,
    Submit,
    Wait,
    WaitEvents,
    Work,
)

_LABEL = re.compile(r"line (\d+)\b")


@dataclass(frozen=True)
class Objection:
    """One message of the layer: its rule, the line that it is about, and its text."""

    rule: str
    line: int
    text: str


class StreamPlayer:
    """Plays streams, one after the other."""

    def __init__(self, judge: VulkanJudge) -> None:
        self.judge = judge
        self.pipelines = Pipelines(judge)

    def play(self, stream: Stream) -> tuple[Objection, ...]:
        """What the layer says of the stream. Raises ``BackendError`` when it does not come to an end."""
        self.judge.log.messages.clear()
        play = _Play(self.judge, self.pipelines, stream)
        with quiet_log():
            try:
                for item in stream.items:
                    play.item(item)
                play.finish()
            finally:
                play.close()
        return tuple(play.objections)


class _Play:
    def __init__(self, judge: VulkanJudge, pipelines: Pipelines, stream: Stream) -> None:
        self._vk, self._judge = judge.vk, judge
        self._objects = StreamObjects(judge, stream)
        self._works = Works(judge, pipelines, self._objects, stream)
        self._pool = self._objects.pool()
        self._buffers: dict[str, CData] = {}
        self._open: set[str] = set()
        self._line = 0
        self.objections: list[Objection] = []

    def item(self, item: Item) -> None:
        self._line = item.line
        match item:
            case Image() | Buffer():
                if isinstance(item, Image) and item.layout != "UNDEFINED":
                    raise ValueError("a stream that starts in the middle cannot be compared; give all of it")
                self._objects.add(item)
            case Semaphore():
                self._objects.semaphore(item)
            case Begin():
                self._begin(item.buffer)
            case Submit():
                self._submit(item)
            case HostWait():
                self._wait([(item.semaphore, item.value)])
            case Label() | Barrier() | SetEvent() | WaitEvents() | ResetEvent() | BeginRendering() | EndRendering():
                self._command(self._buffers[item.buffer], item)
            case Work():
                self._command(self._buffers[item.buffer], item)
            case _:
                raise ValueError(f"a {type(item).__name__} has no counterpart without a second queue or a display")
        self._listen()

    def finish(self) -> None:
        """Wait for the end."""
        arena = Arena()
        fence = arena.out("VkFence")
        device = self._judge.handle
        check(self._vk.vkCreateFence(device, arena.new("VkFenceCreateInfo"), NULL, fence), "create a fence")
        check(self._vk.vkQueueSubmit2(self._judge.device.queue, 0, NULL, fence[0]), "submit a fence")
        check(self._vk.vkWaitForFences(device, 1, fence, 1, WAIT_NANOSECONDS), "wait for the stream's end")
        self._vk.vkDestroyFence(device, fence[0], NULL)
        self._vk.vkDeviceWaitIdle(device)
        self._listen()

    def close(self) -> None:
        self._objects.close()

    def _listen(self) -> None:
        for message in self._judge.log.messages:
            late = message.id.startswith("SYNC") and "vkQueueSubmit2" in message.text.split("azard")[0]
            found = _LABEL.search(message.text) if late else None
            self.objections.append(Objection(message.id, int(found[1]) if found else self._line, message.text))
        self._judge.log.messages.clear()

    # command buffers and submissions --------------------------------------------------------------------------------

    def _begin(self, name: str) -> None:
        arena = Arena()
        out = arena.out("VkCommandBuffer")
        info = arena.new("VkCommandBufferAllocateInfo", commandPool=self._pool, commandBufferCount=1)
        check(self._vk.vkAllocateCommandBuffers(self._judge.handle, info, out), "allocate a command buffer")
        check(self._vk.vkBeginCommandBuffer(out[0], arena.new("VkCommandBufferBeginInfo")), "begin")
        self._buffers[name] = out[0]
        self._open.add(name)

    def _submit(self, item: Submit) -> None:
        arena = Arena()
        for name in item.buffers:
            if name in self._open:
                check(self._vk.vkEndCommandBuffer(self._buffers[name]), "end recording")
                self._open.remove(name)
        buffers = [{"commandBuffer": self._buffers[name]} for name in item.buffers]
        info = arena.new(
            "VkSubmitInfo2",
            waitSemaphoreInfoCount=len(item.waits),
            pWaitSemaphoreInfos=self._semaphores(arena, item.waits),
            commandBufferInfoCount=len(buffers),
            pCommandBufferInfos=arena.array("VkCommandBufferSubmitInfo", buffers),
            signalSemaphoreInfoCount=len(item.signals),
            pSignalSemaphoreInfos=self._semaphores(arena, item.signals),
        )
        check(self._vk.vkQueueSubmit2(self._judge.device.queue, 1, info, NULL), "submit")

    def _semaphores(self, arena: Arena, waits: Sequence[Wait]) -> CData:
        handles = self._objects.semaphores
        fields = [{"semaphore": handles[one.semaphore], "value": one.value, "stageMask": one.stages} for one in waits]
        return arena.array("VkSemaphoreSubmitInfo", fields)

    def _wait(self, waits: Sequence[tuple[str, int]]) -> None:
        arena = Arena()
        if not waits[0][0]:
            self._vk.vkDeviceWaitIdle(self._judge.handle)
            return
        info = arena.new(
            "VkSemaphoreWaitInfo",
            semaphoreCount=len(waits),
            pSemaphores=arena.array("VkSemaphore", [self._objects.semaphores[name] for name, _ in waits]),
            pValues=arena.array("uint64_t", [value for _, value in waits]),
        )
        check(self._vk.vkWaitSemaphores(self._judge.handle, info, WAIT_NANOSECONDS), "wait for a semaphore")

    # commands -------------------------------------------------------------------------------------------------------

    def _command(self, buffer: CData, item: Command) -> None:
        arena = Arena()
        label = arena.new("VkDebugUtilsLabelEXT", pLabelName=f"line {item.line}")
        self._vk.vkCmdBeginDebugUtilsLabelEXT(buffer, label)
        match item:
            case Barrier():
                self._vk.vkCmdPipelineBarrier2(buffer, self._dependencies(arena, item.dependencies))
            case SetEvent():
                info = self._dependencies(arena, item.dependencies)
                self._vk.vkCmdSetEvent2(buffer, self._objects.event(item.event), info)
            case ResetEvent():
                self._vk.vkCmdResetEvent2(buffer, self._objects.event(item.event), item.stages)
            case WaitEvents():
                events = [self._objects.event(name) for name, _ in item.events]
                infos = [self._dependencies(arena, parts) for _, parts in item.events]
                array = arena.array("VkDependencyInfo", infos)
                self._vk.vkCmdWaitEvents2(buffer, len(events), arena.array("VkEvent", events), array)
            case BeginRendering():
                self._works.begin_rendering(buffer, item)
            case EndRendering():
                self._works.end_rendering(buffer)
            case Work():
                self._works.work(buffer, item)
        self._vk.vkCmdEndDebugUtilsLabelEXT(buffer)

    def _dependencies(self, arena: Arena, dependencies: Sequence[Dependency]) -> CData:
        memory, buffers, images = [], [], []
        for one in dependencies:
            masks = {
                "srcStageMask": one.src_stages,
                "srcAccessMask": one.src_access,
                "dstStageMask": one.dst_stages,
                "dstAccessMask": one.dst_access,
            }
            owners = {"srcQueueFamilyIndex": QUEUE_FAMILY_IGNORED, "dstQueueFamilyIndex": QUEUE_FAMILY_IGNORED}
            if not one.resource:
                memory.append(masks)
            elif one.resource in self._objects.buffers:
                offset, size = self._objects.bytes(one.resource, one.range)
                where = {"buffer": self._objects.buffers[one.resource], "offset": offset, "size": size}
                buffers.append(masks | owners | where)
            else:
                layouts = {"oldLayout": LAYOUTS[one.old], "newLayout": LAYOUTS[one.new]} if one.new else {}
                where = {
                    "image": self._objects.images[one.resource],
                    "subresourceRange": self._objects.subresources(one.resource, one.range),
                }
                images.append(masks | owners | layouts | where)
        return arena.new(
            "VkDependencyInfo",
            memoryBarrierCount=len(memory),
            pMemoryBarriers=arena.array("VkMemoryBarrier2", memory),
            bufferMemoryBarrierCount=len(buffers),
            pBufferMemoryBarriers=arena.array("VkBufferMemoryBarrier2", buffers),
            imageMemoryBarrierCount=len(images),
            pImageMemoryBarriers=arena.array("VkImageMemoryBarrier2", images),
        )

"""The recorder: observes every Vulkan call that affects synchronisation and writes the stream.

It sits between the backend and the driver (``VulkanBackend(wrap=recorder.wrap)``) and sees only calls: names come from
the debug names of objects, nodes from debug labels, and accesses of shaders from their SPIR-V and descriptors. Host
writes to mapped memory are not visible: such buffers count as filled.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.recording.barriers import subresources
from renderwright.render.backend.vulkan.recording.commands import CommandWatch
from renderwright.render.backend.vulkan.recording.objects import Objects, Resource, View, number_of
from renderwright.render.backend.vulkan.recording.pipelines import Pipelines
from renderwright.render.backend.vulkan.recording.submissions import SubmissionWatch
from renderwright.render.errors import UsageError
from renderwright.render.files.writing import NewFile
from renderwright.render.sync.oracle.stream import Destroy, Frame, Item, Queue
from renderwright.render.sync.oracle.writer import header_line, item_line

_DESTROYS = ("Image", "Buffer", "ImageView", "Semaphore", "Event", "Fence")
_DONE = frozenset({lib.VK_SUCCESS, lib.VK_SUBOPTIMAL_KHR})


_log = logging.getLogger("renderwright.recording")


class StreamRecorder:
    """Writes the stream to a file, line by line. The file has its name after ``close``.

    Raises ``UsageError`` if the file cannot be opened. A later failure, such as a full disk, ends the recording and not
    the frame: it is logged once, and ``close`` raises it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failure: OSError | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: NewFile | None = NewFile(path)
        except OSError as error:
            raise self._cannot_record(error) from error
        self._queues: dict[int, Queue] = {}
        self._places: dict[tuple[int, int], Queue] = {}
        self._begun = False
        self._proc: Any = None
        self._frame = 0
        self._objects = Objects(self._emit)
        self._pipelines = Pipelines()
        commands = CommandWatch(self._objects, self._pipelines)
        self._submissions = submissions = SubmissionWatch(self._objects, self._queue)
        self._watched: dict[str, Callable[..., None]] = {
            **commands.watched,
            **submissions.watched,
            **self._creations(),
            **{f"vkDestroy{kind}": self._destroy for kind in _DESTROYS},
        }

    def wrap(self, name: str, function: CData) -> Any:
        """The replacement of a Vulkan function: calls the function, and its observer with the arguments."""
        if name == "vkGetDeviceProcAddr":
            self._proc = function
        watch = self._watched.get(name)
        if watch is None:
            return function
        submissions = self._submissions
        before = name.startswith("vkDestroy") or name == "vkQueuePresentKHR"

        def watched(*arguments: Any) -> Any:
            if before:  # the call destroys the handle, or presents even if the image no longer fits
                watch(*arguments)
                return function(*arguments)
            result = function(*arguments)
            if result is None or result in _DONE:
                watch(*arguments)
            elif result == lib.VK_ERROR_DEVICE_LOST:
                submissions.stopped()
            return result

        return watched

    def frame(self) -> None:
        """Mark the begin of a frame."""
        self._emit(Frame(0, self._frame))
        self._frame += 1

    def close(self) -> None:
        """End the stream. Raises ``UsageError`` if it could not be written."""
        self._header()
        if self._file is not None:
            file, self._file = self._file, None
            try:
                file.commit()
            except OSError as error:
                self._failure = error
        failure, self._failure = self._failure, None
        if failure is not None:
            raise self._cannot_record(failure) from failure

    def _emit(self, item: Item) -> None:
        self._header()
        self._write(item_line(item))

    def _header(self) -> None:
        if not self._begun and self._file is not None:
            self._begun = True
            self._write(header_line(list(self._queues.values()) or [Queue("graphics", 0)]))

    def _write(self, line: str) -> None:
        if self._file is None:
            return
        try:
            self._file.file.write(line.encode() + b"\n")
        except OSError as error:
            # The call that is recorded has happened, so its caller must not fail.
            self._file.discard()
            self._file, self._failure = None, error
            _log.warning("the recording ends early: %s", self._cannot_record(error).message)

    def _cannot_record(self, error: OSError) -> UsageError:
        return UsageError(
            f"cannot record to {self._path}: {error.strerror or error}", hint="give a place with room for the file"
        )

    def _queue(self, queue: CData) -> str:
        return self._queues[number_of(queue)].name

    # objects --------------------------------------------------------------------------------------------------------

    def _creations(self) -> dict[str, Callable[..., None]]:
        pipelines = self._pipelines
        return {
            "vkGetDeviceQueue": self._get_queue,
            "vkSetDebugUtilsObjectNameEXT": self._name,
            "vkAllocateMemory": lambda device, info, allocator, out: self._objects.allocate(out[0]),
            "vkMapMemory": self._map,
            "vkCreateImage": self._image,
            "vkCreateBuffer": self._buffer,
            "vkCreateImageView": self._view,
            "vkBindImageMemory": lambda *arguments: self._bind("Image", *arguments),
            "vkBindBufferMemory": lambda *arguments: self._bind("Buffer", *arguments),
            "vkCreateSemaphore": self._semaphore,
            "vkCreateFence": self._fence,
            "vkCreateShaderModule": lambda device, info, allocator, out: pipelines.module(info, out[0]),
            "vkCreateGraphicsPipelines": lambda *arguments: self._made(pipelines.graphics, *arguments),
            "vkCreateComputePipelines": lambda *arguments: self._made(pipelines.compute, *arguments),
            "vkUpdateDescriptorSets": self._update,
            "vkAllocateDescriptorSets": self._sets,
        }

    def _get_queue(self, device: CData, family: int, index: int, out: CData) -> None:
        number = number_of(out[0])
        if self._begun:
            # The device is reopened after a loss: the queue continues the lost device's queue.
            self._queues[number] = self._places[family, index]
        elif number not in self._queues:
            name = "graphics" if not self._queues else f"queue {len(self._queues)}"
            self._queues[number] = self._places[family, index] = Queue(name, family)

    def _name(self, device: CData, info: CData) -> None:
        name = ffi.string(info.pObjectName).decode() if info.pObjectName != NULL else ""
        number = int(info.objectHandle)
        self._objects.names[number] = name
        if number in self._queues and name and not self._begun:
            named = Queue(name, self._queues[number].family)
            self._places = {
                place: named if each is self._queues[number] else each for place, each in self._places.items()
            }
            self._queues[number] = named

    def _map(self, device: CData, memory: CData, *more: object) -> None:
        self._objects.memory[number_of(memory)].mapped = True

    def _image(self, device: CData, info: CData, allocator: CData, out: CData) -> None:
        concurrent = info.sharingMode == lib.VK_SHARING_MODE_CONCURRENT
        image = Resource(int(info.mipLevels), int(info.arrayLayers), concurrent=concurrent)
        self._objects.resources[number_of(out[0])] = image

    def _buffer(self, device: CData, info: CData, allocator: CData, out: CData) -> None:
        concurrent = info.sharingMode == lib.VK_SHARING_MODE_CONCURRENT
        self._objects.resources[number_of(out[0])] = Resource(size=int(info.size), concurrent=concurrent)

    def _view(self, device: CData, info: CData, allocator: CData, out: CData) -> None:
        part, image = info.subresourceRange, number_of(info.image)
        if image not in self._objects.resources:
            # An image of another API, which the backend adopted.
            mips, layers = int(part.baseMipLevel + part.levelCount), int(part.baseArrayLayer + part.layerCount)
            self._objects.resources[image] = Resource(mips, layers)
        view = View(image, subresources(part))
        self._objects.views[number_of(out[0])] = view

    def _bind(self, kind: str, device: CData, handle: CData, memory: CData, offset: int) -> None:
        name = f"vkGet{kind}MemoryRequirements"
        ask = ffi.cast(f"PFN_{name}", self._proc(device, name.encode()))
        needs = ffi.new("VkMemoryRequirements*")
        ask(device, handle, needs)
        self._objects.bind(handle, memory, offset, int(needs.size))

    def _semaphore(self, device: CData, info: CData, allocator: CData, out: CData) -> None:
        timeline, value = False, 0
        if info.pNext != NULL:
            kind = ffi.cast("VkSemaphoreTypeCreateInfo*", info.pNext)
            if kind.sType == lib.VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO:
                timeline, value = kind.semaphoreType == lib.VK_SEMAPHORE_TYPE_TIMELINE, int(kind.initialValue)
        self._objects.new_semaphore(out[0], timeline=timeline, value=value)

    def _fence(self, device: CData, info: CData, allocator: CData, out: CData) -> None:
        self._objects.new_semaphore(out[0], timeline=False)

    def _made(
        self,
        make: Callable[[CData, CData], None],
        device: CData,
        cache: CData,
        count: int,
        infos: CData,
        allocator: CData,
        out: CData,
    ) -> None:
        for number in range(count):
            make(infos[number], out[number])

    def _update(self, device: CData, count: int, writes: CData, *copies: object) -> None:
        for number in range(count):
            self._pipelines.update(writes[number])

    def _sets(self, device: CData, info: CData, out: CData) -> None:
        for number in range(info.descriptorSetCount):
            self._pipelines.sets[number_of(out[number])] = {}

    def _destroy(self, device: CData, handle: CData, allocator: CData) -> None:
        name = self._objects.forget(handle)
        if name:
            self._emit(Destroy(0, name))

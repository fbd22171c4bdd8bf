"""The Vulkan backend: implements the protocol with the other modules of this folder."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.command_buffers import CommandBuffer, OpList, QueuedCommands
from renderwright.render.backend.created_objects import CreatedObjects
from renderwright.render.backend.interop import Interop
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Binding, Heap, Pipeline, PipelineDesc
from renderwright.render.backend.queue_waits import QueueWaits
from renderwright.render.backend.streamed import Streamed
from renderwright.render.backend.target import Target
from renderwright.render.backend.texels import texel_bytes
from renderwright.render.backend.timeline import Retirement
from renderwright.render.backend.validation_message import ValidationMessage
from renderwright.render.backend.vulkan.background import VulkanBackground
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.descriptors import Descriptors, VulkanBindingSet
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.device_capabilities import capabilities_of
from renderwright.render.backend.vulkan.dispatch import Dispatch, Wrapper
from renderwright.render.backend.vulkan.frames import FrameSlot, SlotCommands
from renderwright.render.backend.vulkan.heaps import DriverMemoryModel, VulkanHeap
from renderwright.render.backend.vulkan.instance import Instance
from renderwright.render.backend.vulkan.interops import Interops
from renderwright.render.backend.vulkan.pipeline_cache import PipelineCacheFile
from renderwright.render.backend.vulkan.pipelines import VulkanPipeline, create_pipeline
from renderwright.render.backend.vulkan.placement import (
    cover_heap,
    own_buffer,
    own_texture,
    place_buffer,
    place_texture,
)
from renderwright.render.backend.vulkan.queues import Queue
from renderwright.render.backend.vulkan.readback import read_buffer, read_texture
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.backend.vulkan.samplers import Samplers
from renderwright.render.backend.vulkan.streams import Streams
from renderwright.render.backend.vulkan.swapchain import SwapchainTarget
from renderwright.render.backend.vulkan.target import OffscreenTarget
from renderwright.render.backend.vulkan.textures import VulkanTexture, image_handle
from renderwright.render.backend.vulkan.transfers import Transfers
from renderwright.render.backend.vulkan.uploads import require_blits, upload_buffer, upload_texture
from renderwright.render.errors import BackendError, DeviceHungError, DeviceLostError
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Extent

_logger = logging.getLogger("renderwright.vulkan")


class VulkanBackend:
    """A Vulkan 1.3 device.

    ``device`` is a part of its name or its index (empty: the most capable kind); ``turn`` counts round through devices
    that are equal. ``validate`` enables the validation layer with synchronisation validation. ``wrap`` is called with
    every Vulkan function when it is resolved and may return a replacement. ``cache_folder`` is for the driver's
    pipeline cache. ``queues`` are the classes of queues to use if the device has them. A device that makes no progress
    for ``wait_seconds`` counts as hung (None: 10, or 60 for software drivers). ``interops`` are adapters of other APIs
    that share the device. ``check`` makes accesses out of bounds harmless where the device can, or has the validation
    layer report them. Raises ``BackendError`` if there is no such device, driver or layer.
    """

    def __init__(
        self,
        device: str = "",
        validate: bool = False,
        *,
        wrap: Wrapper | None = None,
        cache_folder: Path | None = None,
        queues: Collection[str] = ALL_QUEUES,
        wait_seconds: float | None = None,
        interops: Sequence[Interop] = (),
        check: bool = False,
        turn: int = 0,
    ) -> None:
        self._interops = Interops(interops)
        with ExitStack() as parts:
            dispatch = Dispatch(wrap)
            further = self._interops.instance_extensions(dispatch)
            self._instance = Instance(dispatch, validate=validate, further=further, assist=check)
            parts.callback(self._instance.close)
            physical = self._interops.physical_device(self._instance, device, turn)
            # The layer does not look for what a robust device allows.
            robust = check and not self._instance.assisted
            further = self._interops.device_extensions(physical)
            self._device = Device(self._instance, physical, frozenset(queues), further, robust=robust)
            parts.callback(self._device.close)
            if wait_seconds is not None:
                self._device.progress.limit = int(wait_seconds * 1e9)
            self._queues: dict[str, Queue] = {}
            for name in self._device.chosen:
                self._queues[name] = Queue(self._device, name)
                parts.callback(self._queues[name].release)
            self._timeline = self._queues[GRAPHICS].timeline
            self._samplers = Samplers(self._device)
            parts.callback(self._samplers.release)
            self._pipeline_cache = PipelineCacheFile(self._device, cache_folder)
            parts.callback(self._pipeline_cache.release)
            self._descriptors = Descriptors(self._device, self._samplers)
            parts.callback(self._descriptors.release)
            self._retirement = Retirement(queue.timeline for queue in self._queues.values())
            self._transfers = Transfers(self._device, self._queues, self._retirement)
            parts.callback(self._transfers.release)
            waits = QueueWaits(self._queues)
            self._slots: list[FrameSlot] = []
            for number in range(FRAMES_IN_FLIGHT):
                self._slots.append(FrameSlot(self._device, self._queues, waits, number))
                parts.callback(self._slots[number].release)
            self._parts = parts.pop_all()
        self.capabilities = capabilities_of(self._device, tuple(self._queues))
        self._closed = False
        self._memory = DriverMemoryModel(self._device)
        self._streams: Streams | None = None
        self._recorders: dict[tuple[int, str], VulkanRecorder] = {}
        self._objects = CreatedObjects(self._retirement)
        self.native = self._device.native()
        self._open_interops()

    def _open_interops(self) -> None:
        try:
            self._interops.opened(self)
        except BaseException:
            self.close()
            raise

    @property
    def validation_messages(self) -> list[ValidationMessage]:
        """All messages of the validation layer so far, also after ``close``."""
        return self._instance.log.messages

    # memory and resources -------------------------------------------------------------------------------------------

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory requirements of a placed texture, from the driver."""
        return self._memory.texture_needs(info)

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory requirements of a placed buffer, from the driver."""
        return self._memory.buffer_needs(info)

    def create_heap(self, memory_class: str, size: int, name: str) -> VulkanHeap:
        """Allocate a heap. Raises ``OutOfMemoryError`` if the allocation fails."""
        return self._objects.keep(self._objects.with_room(lambda: VulkanHeap(self._device, memory_class, size, name)))

    def place_texture(self, heap: Heap, offset: int, info: TextureInfo, name: str) -> VulkanTexture:
        """A texture at a byte offset of the heap; resources may overlap."""
        assert isinstance(heap, VulkanHeap)
        return self._objects.keep(place_texture(self._device, heap, offset, info, name))

    def place_buffer(self, heap: Heap, offset: int, info: BufferInfo, name: str) -> VulkanBuffer:
        """A buffer at a byte offset of the heap."""
        assert isinstance(heap, VulkanHeap)
        return self._objects.keep(place_buffer(self._device, heap, offset, info, name))

    def cover_heap(self, heap: Heap, name: str) -> VulkanBuffer:
        """A buffer over the bytes of a heap, aliasing the resources placed there, to fill them (debugging)."""
        assert isinstance(heap, VulkanHeap)
        return self._objects.keep(cover_heap(self._device, heap, name))

    def create_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any] | None = None) -> VulkanTexture:
        """A texture with memory of its own; ``pixels`` fill mip 0, and the other mips are generated.

        ``pixels`` are (height, width, channels) of the format's own type, or (layers, height, width, channels).
        With pixels the texture stays in SHADER_READ_ONLY, without them its layout is undefined.
        """
        data = texel_bytes(info, name, pixels) if pixels is not None else None
        texture = self._objects.with_room(lambda: own_texture(self._device, replace(info, concurrent=True), name))
        if data is not None:
            with self._objects.retired_on_failure(texture):
                upload_texture(self._device, self._transfers, texture, data)
        return self._objects.keep(texture)

    def adopt_texture(self, image: int, info: TextureInfo, name: str) -> VulkanTexture:
        """A texture for a VkImage that another API owns."""
        return self._objects.keep(VulkanTexture(self._device, info, name, image_handle(image), borrowed=True))

    def create_buffer(
        self, info: BufferInfo, name: str, data: bytes | None = None, *, host: bool = False
    ) -> VulkanBuffer:
        """A buffer with memory of its own; ``host`` makes it writable through ``.data``."""
        buffer = self._objects.with_room(
            lambda: own_buffer(self._device, replace(info, concurrent=True), name, host=host)
        )
        if data is not None:
            with self._objects.retired_on_failure(buffer):
                upload_buffer(self._device, self._transfers, buffer, data)
        return self._objects.keep(buffer)

    def prepare_streaming(self) -> None:
        """Create the staging memory and the command pools of uploads."""
        self._objects.with_room(self._streaming)

    def stream_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any]) -> Streamed[VulkanTexture]:
        """A texture with memory of its own that is filled in the background; ``pixels`` as in ``create_texture``."""
        data = texel_bytes(info, name, pixels)
        require_blits(self._device, info, name)
        texture = self._objects.with_room(lambda: own_texture(self._device, info, name))
        with self._objects.retired_on_failure(texture):
            streamed = self._objects.with_room(self._streaming).texture(texture, data)
        self._objects.keep(texture)
        return streamed

    def stream_buffer(self, info: BufferInfo, name: str, data: bytes) -> Streamed[VulkanBuffer]:
        """A buffer with memory of its own that is filled in the background."""
        if not 0 < len(data) <= info.size:
            raise BackendError(f"{len(data)} bytes cannot be streamed to {name!r} of {info.size}")
        buffer = self._objects.with_room(
            lambda: own_buffer(self._device, replace(info, concurrent=True), name, host=False)
        )
        with self._objects.retired_on_failure(buffer):
            streamed = self._objects.with_room(self._streaming).buffer(buffer, data)
        self._objects.keep(buffer)
        return streamed

    def _streaming(self) -> Streams:
        """The streams, created at the first use."""
        if self._streams is None:
            self._streams = Streams(self._device, self._queues)
            self._parts.callback(self._streams.release)
            self._retirement.watch(self._streams.timeline)
        return self._streams

    def destroy(self, resource: Any) -> None:
        """Destroy an object once no submitted frame uses it."""
        self._objects.remove(resource)
        if self._streams is not None:
            self._streams.forget(resource)
        self._retirement.add(resource, small=isinstance(resource, VulkanBindingSet | SlotCommands))

    # shaders --------------------------------------------------------------------------------------------------------

    def create_pipeline(self, desc: PipelineDesc) -> VulkanPipeline:
        """Compile a pipeline; layouts come from the modules' reflection."""
        return self._objects.keep(create_pipeline(self._device, desc, self._pipeline_cache.handle))

    def create_bindings(
        self, pipeline: Pipeline, number: int, bindings: Mapping[str, Binding], name: str
    ) -> VulkanBindingSet:
        """Descriptor set ``number`` of the pipeline's layout, with bindings by their names in the shaders."""
        assert isinstance(pipeline, VulkanPipeline)
        return self._objects.keep(self._descriptors.create(pipeline, number, bindings, name))

    # frames ---------------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> Callable[[], AbstractContextManager[None]]:
        """See ``Backend``."""
        return self._device.waiting

    @waiting.setter
    def waiting(self, waiting: Callable[[], AbstractContextManager[None]]) -> None:
        self._device.waiting = waiting

    def create_target(self, extent: Extent, window: Any = None) -> Target:
        """A swapchain on a pyglet window, or an offscreen target."""
        if window is None:
            return self._objects.keep(OffscreenTarget(self._device, self._retirement, extent, self._objects.forget))
        return self._objects.keep(SwapchainTarget(self._device, self._timeline, extent, window, self._objects.forget))

    def recorder(self, slot: int, queue: str = GRAPHICS) -> VulkanRecorder:
        """The recorder of a frame slot, for submission to ``queue``."""
        key = slot, queue
        if key not in self._recorders:
            self._recorders[key] = VulkanRecorder(self._device, self._slots[slot], queue)
        return self._recorders[key]

    def create_commands(self, slot: int, queue: str, name: str) -> SlotCommands:
        """An empty command buffer of a frame slot, for submission to ``queue``."""
        return self._objects.keep(self._objects.with_room(lambda: self._slots[slot].create_commands(queue, name)))

    def record(self, commands: CommandBuffer, lists: Sequence[OpList]) -> None:
        """Replace the contents of a command buffer."""
        assert isinstance(commands, SlotCommands)
        self._objects.with_room(lambda: commands.record(lists))

    def begin_frame(self, slot: int) -> None:
        """Wait until all queues have finished the slot's previous frame.

        Raises ``DeviceLostError`` if it does not finish in time.
        """
        self._objects.with_room(self._slots[slot].begin)
        if self._streams is not None:
            self._objects.with_room(self._streams.begin_frame)
        self._retirement.begin_frame()

    def end_frame(self, slot: int, submissions: Sequence[QueuedCommands], target: Target | None) -> bool:
        """Submit and present. Returns False if the target no longer fits and must be resized."""
        assert target is None or isinstance(target, OffscreenTarget | SwapchainTarget)
        wait_and_signal = target.semaphores() if target is not None else ()
        try:
            self._objects.with_room(lambda: self._slots[slot].submit(submissions, *wait_and_signal))
        finally:
            # A frame that was not submitted never runs.
            self._retirement.end_frame()
        return target is None or target.present()

    def background(self, *, compute: bool) -> VulkanBackground:
        """Work that spans frames; ``compute`` if all slices can run on a compute queue."""
        queue = self._queues[GRAPHICS]
        return self._objects.keep(
            VulkanBackground(self._device, queue, self._retirement, self._objects.keep, compute=compute)
        )

    def timestamps(self, slot: int) -> Sequence[int]:
        """Nanoseconds written by the slot's last finished frame, by query number; 0 where it wrote none."""
        return self._slots[slot].timestamps()

    def passed(self, slot: int) -> Sequence[bool]:
        """For each timestamp of the slot's last frame, by query number, whether the device has passed it."""
        return self._slots[slot].marks.passed()

    def read_texture(self, texture: PhysicalTexture, layout: Layout) -> NDArray[np.generic]:
        """The texels of mip 0, (height, width, channels), after waiting for submitted work; keeps the layout.

        Several layers are the first axis: (layers, height, width, channels). Packed formats have one uint32 a texel.
        """
        assert isinstance(texture, VulkanTexture)
        return read_texture(self._device, self._transfers, texture, layout)

    def read_buffer(self, buffer: PhysicalBuffer) -> bytes:
        """The bytes of a buffer, after waiting for submitted work."""
        assert isinstance(buffer, VulkanBuffer)
        return read_buffer(self._device, self._transfers, buffer)

    def wait_idle(self) -> None:
        """Wait until the GPU has finished all submitted work. Raises ``DeviceLostError`` at the time limit."""
        self._retirement.wait()

    def close(self) -> None:
        """Destroy everything, unless the device hangs: its objects stay. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            for thing in self._objects:
                if isinstance(thing, SwapchainTarget):
                    thing.wait_shown()
            self.wait_idle()
        except DeviceHungError:
            _logger.exception("leaving the device open, because it is still busy")
            return
        except DeviceLostError:
            _logger.info("closing a lost device")
        else:
            self._pipeline_cache.save()
        self._interops.closing()
        self._objects.release_all()
        self._parts.close()

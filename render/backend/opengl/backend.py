"""The OpenGL backend: implements the protocol with the other modules of this folder."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from numpy import generic
from numpy.typing import NDArray

from renderwright.render.backend.command_buffers import CommandBuffer, OpList, QueuedCommands
from renderwright.render.backend.created_objects import CreatedObjects
from renderwright.render.backend.opengl.api import Wrapper
from renderwright.render.backend.opengl.background import GLBackground
from renderwright.render.backend.opengl.bindings import GLBindingSet, create_bindings
from renderwright.render.backend.opengl.buffers import GLBuffer, own_buffer, write_buffer
from renderwright.render.backend.opengl.commands import Commands
from renderwright.render.backend.opengl.context import Context, open_headless
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.device_capabilities import capabilities_of
from renderwright.render.backend.opengl.framebuffers import Framebuffers
from renderwright.render.backend.opengl.frames import FrameSlot, GLCommandBuffer
from renderwright.render.backend.opengl.heaps import (
    GLHeap,
    TextureRow,
    WholeTextures,
    cover_heap,
    place_buffer,
    place_texture,
)
from renderwright.render.backend.opengl.links import Links
from renderwright.render.backend.opengl.mips import require_mips
from renderwright.render.backend.opengl.pipelines import GLPipeline
from renderwright.render.backend.opengl.programs import Programs
from renderwright.render.backend.opengl.readback import read_buffer, read_texture
from renderwright.render.backend.opengl.recorder import GLRecorder
from renderwright.render.backend.opengl.samplers import Samplers
from renderwright.render.backend.opengl.streams import Streams
from renderwright.render.backend.opengl.target import OffscreenTarget, WindowTarget
from renderwright.render.backend.opengl.textures import GLTexture, own_texture
from renderwright.render.backend.opengl.timeline import FenceTimeline
from renderwright.render.backend.opengl.uploads import upload_texture
from renderwright.render.backend.opengl.validation import DebugLog
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Binding, Heap, Pipeline, PipelineDesc
from renderwright.render.backend.streamed import Streamed
from renderwright.render.backend.target import Target
from renderwright.render.backend.texels import texel_bytes
from renderwright.render.backend.timeline import Releasable, Retirement
from renderwright.render.backend.validation_message import ValidationMessage
from renderwright.render.errors import BackendError, DeviceHungError, DeviceLostError
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.shaders.translation import Translations
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Extent

_logger = logging.getLogger("renderwright.opengl")

_T = TypeVar("_T")


class OpenGLBackend:
    """An OpenGL 4.5 device, used by the thread that creates it; other threads may only create pipelines.

    ``device`` is a part of its name or its index (empty: EGL's first), ``context`` a window's instead. ``validate``
    collects the driver's errors. ``wrap`` is called with every OpenGL function when it is resolved and may return a
    replacement. ``cache_folder`` is for translated shaders. A device that makes no progress for ``wait_seconds`` counts
    as hung (None: 10, or 60 for software drivers). Raises ``BackendError`` if there is no such device or driver.
    """

    def __init__(
        self,
        device: str = "",
        validate: bool = False,
        *,
        context: Context | None = None,
        wrap: Wrapper | None = None,
        cache_folder: Path | None = None,
        wait_seconds: float | None = None,
    ) -> None:
        self._context = context or open_headless(device, debug=validate)
        self._owns_context = context is None
        self._device = Device(self._context, wrap, labels=validate)
        if wait_seconds is not None:
            self._device.progress.limit = int(wait_seconds * 1e9)
        self._log = DebugLog(self._device) if validate else None
        self.capabilities = capabilities_of(self._device)
        self._timeline = FenceTimeline(self._device)
        self._retirement = Retirement([self._timeline])
        self._samplers = Samplers(self._device)
        self._framebuffers = Framebuffers(self._device)
        self._commands = Commands(self._device)
        self._translations = Translations(cache_folder)
        self._programs = Programs(self._device)
        self._memory = WholeTextures(self._device)
        self._links = Links()
        self._streams = Streams(self._device)
        timed = self.capabilities.timestamps
        self._slots = [
            FrameSlot(self._device, self._commands, self._timeline, timed=timed) for _ in range(FRAMES_IN_FLIGHT)
        ]
        self._recorders: dict[int, GLRecorder] = {}
        # Buffers of push constants whose lists are gone; the garbage collector may notice on any thread.
        self._discarded: deque[int] = deque()
        self._objects = CreatedObjects(self._retirement)
        self._closed = False

    @property
    def validation_messages(self) -> list[ValidationMessage]:
        """All of the driver's messages so far, also after ``close``."""
        return self._log.messages if self._log is not None else []

    # memory and resources -------------------------------------------------------------------------------------------

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory requirements of a placed texture: those of its texels, in a class for its kind."""
        return self._memory.texture_needs(info)

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory requirements of a placed buffer."""
        return self._memory.buffer_needs(info)

    def create_heap(self, memory_class: str, size: int, name: str) -> GLHeap:
        """Create the textures or the buffer of a heap. Raises ``OutOfMemoryError`` if the driver has no room."""
        return self._objects.keep(self._with_room(lambda: GLHeap(self._device, self._memory, memory_class, size, name)))

    def place_texture(self, heap: Heap, offset: int, info: TextureInfo, name: str) -> GLTexture:
        """The heap's texture at a byte offset."""
        assert isinstance(heap, GLHeap)
        return self._objects.keep(self._with_room(lambda: place_texture(self._device, heap, offset, info, name)))

    def place_buffer(self, heap: Heap, offset: int, info: BufferInfo, name: str) -> GLBuffer:
        """A buffer at a byte offset of the heap."""
        assert isinstance(heap, GLHeap)
        return self._objects.keep(self._with_room(lambda: place_buffer(self._device, heap, offset, info, name)))

    def cover_heap(self, heap: Heap, name: str) -> TextureRow | GLBuffer:
        """A buffer over the bytes of a heap, to fill them (debugging). A fill clears whole textures."""
        assert isinstance(heap, GLHeap)
        return self._objects.keep(cover_heap(heap, name))

    def create_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any] | None = None) -> GLTexture:
        """A texture with memory of its own; ``pixels`` fill mip 0, and the other mips are generated."""
        data = texel_bytes(info, name, pixels) if pixels is not None else None
        texture = self._with_room(lambda: own_texture(self._device, info, name))
        if data is not None:
            with self._objects.retired_on_failure(texture):
                upload_texture(self._device, texture, data)
        return self._objects.keep(texture)

    def create_buffer(self, info: BufferInfo, name: str, data: bytes | None = None, *, host: bool = False) -> GLBuffer:
        """A buffer with memory of its own; ``host`` makes it writable through ``.data``."""
        if data is not None and len(data) > info.size:
            raise BackendError(f"{len(data)} bytes do not fit into {name!r} of {info.size}")
        buffer = self._with_room(lambda: own_buffer(self._device, info, name, host=host))
        if data and buffer.data is not None:
            buffer.data[: len(data)] = data
        elif data:
            write_buffer(self._device, buffer, data)
        return self._objects.keep(buffer)

    def prepare_streaming(self) -> None:
        """Do nothing: uploads have nothing in common."""

    def stream_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any]) -> Streamed[GLTexture]:
        """A texture with memory of its own that is filled in slices; ``pixels`` as in ``create_texture``."""
        data = texel_bytes(info, name, pixels)
        require_mips(self._device, info, name)
        texture = self._with_room(lambda: own_texture(self._device, info, name))
        with self._objects.retired_on_failure(texture):
            streamed = self._streams.texture(texture, data)
        self._objects.keep(texture)
        return streamed

    def stream_buffer(self, info: BufferInfo, name: str, data: bytes) -> Streamed[GLBuffer]:
        """A buffer with memory of its own that is filled in slices."""
        if not 0 < len(data) <= info.size:
            raise BackendError(f"{len(data)} bytes cannot be streamed to {name!r} of {info.size}")
        buffer = self._objects.keep(self._with_room(lambda: own_buffer(self._device, info, name, host=False)))
        return self._streams.buffer(buffer, data)

    def destroy(self, resource: Any) -> None:
        """Destroy an object once no submitted frame uses it."""
        self._objects.remove(resource)
        self._streams.forget(resource)
        self._retirement.add(resource)

    # shaders --------------------------------------------------------------------------------------------------------

    def create_pipeline(self, desc: PipelineDesc) -> GLPipeline:
        """Translate the shaders, and compile them on the context's thread: now, or between the next frames."""
        pipeline = GLPipeline(self._device, desc, self._translations, self._programs)
        if self._context.is_here:
            self._context.enter()
            pipeline.link()
        else:
            self._links.add(pipeline)
        return self._objects.keep(pipeline)

    def create_bindings(
        self, pipeline: Pipeline, number: int, bindings: Mapping[str, Binding], name: str
    ) -> GLBindingSet:
        """Set ``number`` of the pipeline, with bindings by their names in the shaders."""
        assert isinstance(pipeline, GLPipeline)
        self._context.enter()
        return self._objects.keep(create_bindings(self._device, self._samplers, pipeline, number, bindings))

    # frames ---------------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> Callable[[], AbstractContextManager[None]]:
        """See ``Backend``."""
        return self._device.waiting

    @waiting.setter
    def waiting(self, waiting: Callable[[], AbstractContextManager[None]]) -> None:
        self._device.waiting = waiting

    def create_target(self, extent: Extent, window: Any = None) -> Target:
        """A pyglet window, whose context is the backend's, or an offscreen target."""
        self._context.enter()
        retire = self._retirement.add
        if window is None:
            return self._objects.keep(OffscreenTarget(self._device, extent, retire, self._objects.forget))
        if self._owns_context:
            raise BackendError(
                "the window has another OpenGL context", hint="open the backend with the context of the window"
            )
        return self._objects.keep(
            WindowTarget(self._device, self._framebuffers, extent, window, retire, self._objects.forget)
        )

    def recorder(self, slot: int, queue: str = GRAPHICS) -> GLRecorder:
        """The recorder of a frame slot."""
        if slot not in self._recorders:
            self._recorders[slot] = self._new_recorder(slot)
        return self._recorders[slot]

    def _new_recorder(self, slot: int | None = None) -> GLRecorder:
        queries = self._slots[slot].queries if slot is not None else None
        return GLRecorder(self._device, self._commands, self._framebuffers, queries, self._discarded.append)

    def create_commands(self, slot: int, queue: str, name: str) -> GLCommandBuffer:
        """An empty command buffer of a frame slot."""
        if queue != GRAPHICS:
            raise BackendError(f"there is no {queue} queue", hint=f"the queues are {GRAPHICS}")
        return self._objects.keep(GLCommandBuffer(name))

    def record(self, commands: CommandBuffer, lists: Sequence[OpList]) -> None:
        """Replace the contents of a command buffer, whose calls are issued when it is submitted."""
        assert isinstance(commands, GLCommandBuffer)
        commands.lists = tuple(lists)

    def begin_frame(self, slot: int) -> None:
        """Wait until the device has finished the slot's previous frame.

        Raises ``DeviceLostError`` if it does not finish in time.
        """
        self._context.enter()
        self._slots[slot].begin()
        while self._discarded:
            self._device.api.delete("Buffers", self._discarded.popleft())
        self._links.begin_frame()
        self._with_room(self._streams.begin_frame)
        self._retirement.begin_frame()

    def end_frame(self, slot: int, submissions: Sequence[QueuedCommands], target: Target | None) -> bool:
        """Submit and present. Returns False if the target no longer fits and must be resized."""
        assert target is None or isinstance(target, OffscreenTarget)
        self._context.enter()
        try:
            self._slots[slot].submit(submissions)
        finally:
            # A frame that was not submitted never runs.
            self._retirement.end_frame()
        return target is None or target.present()

    def background(self, *, compute: bool) -> GLBackground:
        """Work that spans frames, issued between them."""
        work = GLBackground(self._device, self._commands, self._retirement, self._objects.keep, self._new_recorder)
        return self._objects.keep(work)

    def timestamps(self, slot: int) -> Sequence[int]:
        """Nanoseconds written by the slot's last finished frame, by query number; 0 where it wrote none."""
        return self._slots[slot].timestamps()

    def passed(self, slot: int) -> Sequence[bool]:
        """For each timestamp of the slot's last frame, by query number, whether the device has passed it."""
        return self._slots[slot].passed()

    def read_texture(self, texture: PhysicalTexture, layout: Layout) -> NDArray[generic]:
        """The texels of mip 0, (height, width, channels), after waiting for submitted work.

        Several layers are the first axis: (layers, height, width, channels). Packed formats have one uint32 a texel.
        """
        assert isinstance(texture, GLTexture)
        self._wait_for_all()
        return read_texture(self._device, texture, layout)

    def read_buffer(self, buffer: PhysicalBuffer) -> bytes:
        """The bytes of a buffer, after waiting for submitted work."""
        assert isinstance(buffer, GLBuffer)
        self._wait_for_all()
        return read_buffer(self._device, buffer)

    def wait_idle(self) -> None:
        """Wait until the GPU has finished all submitted work. Raises ``DeviceLostError`` at the time limit."""
        self._context.enter()
        self._retirement.wait()

    def close(self) -> None:
        """Destroy everything, unless the device hangs: its objects stay. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            self.wait_idle()
        except DeviceHungError:
            _logger.exception("leaving the device open, because it is still busy")
            return
        except DeviceLostError:
            _logger.info("closing a lost device")
        self._objects.release_all()
        parts: list[Releasable] = [*self._slots, self._framebuffers, self._samplers, self._timeline]
        for part in [*parts, *([self._log] if self._log is not None else [])]:
            part.release()
        if self._owns_context:
            self._context.release()

    # ----------------------------------------------------------------------------------------------------------------

    def _wait_for_all(self) -> None:
        """Wait (bounded) for what is submitted: a read-back would wait without a limit."""
        self._context.enter()
        self._timeline.wait(self._timeline.submitted)

    def _with_room(self, attempt: Callable[[], _T]) -> _T:
        self._context.enter()
        return self._objects.with_room(attempt)

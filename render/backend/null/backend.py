"""A backend without a GPU that checks every call and logs it as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.backend.command_buffers import CommandBuffer, OpList, QueuedCommands
from renderwright.render.backend.null.background import NullBackground
from renderwright.render.backend.null.binding_checks import checked_objects
from renderwright.render.backend.null.commands import Events, NullCommands
from renderwright.render.backend.null.recorder import NullRecorder
from renderwright.render.backend.null.resources import (
    NullBindingSet,
    NullBuffer,
    NullCommandBuffer,
    NullHeap,
    NullObject,
    NullPipeline,
    NullTexture,
    null_object,
)
from renderwright.render.backend.null.target import NullTarget
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Binding, Heap, Pipeline, PipelineDesc
from renderwright.render.backend.queue_waits import QueueWaits
from renderwright.render.backend.streamed import Streamed
from renderwright.render.backend.target import Target
from renderwright.render.backend.texels import texel_layout
from renderwright.render.errors import BackendError
from renderwright.render.memory.needs import MemoryModel, MemoryNeeds, RowMajorModel
from renderwright.render.shaders.image_formats import STORABLE
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import ShaderStage
from renderwright.render.types.views import LEAST_VIEWS

_Made = TypeVar("_Made", bound=NullObject)


class NullBackend:
    """Implements the backend protocol with a text log.

    ``log`` has a line for every object created or destroyed and for every command played. Textures read back as zeros,
    buffers as the bytes that the host wrote. Misuse raises ``BackendError``. Objects destroyed while a frame is open
    live until the frame ends. ``memory``, ``queues``, ``views`` (the most views of a multiview pass),
    ``indexed_textures`` (the most textures of an array without length) and the name of its ``backend`` describe the
    simulated device.
    """

    def __init__(
        self,
        memory: MemoryModel | None = None,
        queues: tuple[str, ...] = (GRAPHICS,),
        views: int = LEAST_VIEWS,
        indexed_textures: int = 0,
        backend: str = "null",
    ) -> None:
        self.capabilities = Capabilities(
            backend,
            "none",
            "1.0",
            queues=queues,
            views=views,
            indirect_instances=True,
            indexed_textures=indexed_textures,
            storage_formats=STORABLE,
        )
        self.waiting: Callable[[], AbstractContextManager[None]] = nullcontext
        self.log: list[str] = []
        self._model = memory or RowMajorModel()
        self._objects: list[NullObject] = []
        self._targets: list[NullTarget] = []
        self._retired: list[NullObject] = []
        self._streamed: list[Streamed[Any]] = []
        self._events: list[Events] = [{} for _ in range(FRAMES_IN_FLIGHT)]
        self._slots: dict[tuple[int, str], tuple[NullCommands, NullRecorder]] = {}
        self._waits = QueueWaits(queues)
        self._values = dict.fromkeys(queues, 0)
        self._open_slot: int | None = None
        self._frames = 0
        self._closed = False

    @property
    def alive(self) -> tuple[str, ...]:
        """Kinds and names of the objects that are not destroyed."""
        return tuple(str(item) for item in self._objects)

    # memory and resources -------------------------------------------------------------------------------------------

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory requirements of a placed texture, from the model."""
        return self._model.texture_needs(info)

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory requirements of a placed buffer, from the model."""
        return self._model.buffer_needs(info)

    def create_heap(self, memory_class: str, size: int, name: str) -> NullHeap:
        """A heap of ``size`` bytes."""
        if size < 1:
            raise BackendError(f'heap "{name}" of {size} bytes', hint="a heap needs at least one byte")
        heap = NullHeap(memory_class, size, name)
        self._add(heap, f"{size} bytes of {memory_class}")
        return heap

    def place_texture(self, heap: Heap, offset: int, info: TextureInfo, name: str) -> NullTexture:
        """A texture at a byte offset of the heap."""
        where = self._place(heap, offset, self.texture_needs(info), name)
        texture = NullTexture(info, name)
        where.placed.append(texture)
        self._add(texture, f"{_texture_text(info)} in {where} + {offset}")
        return texture

    def place_buffer(self, heap: Heap, offset: int, info: BufferInfo, name: str) -> NullBuffer:
        """A buffer at a byte offset of the heap."""
        where = self._place(heap, offset, self.buffer_needs(info), name)
        buffer = NullBuffer(info, name)
        where.placed.append(buffer)
        self._add(buffer, f"{info.size} bytes in {where} + {offset}")
        return buffer

    def cover_heap(self, heap: Heap, name: str) -> NullBuffer:
        """A buffer over the bytes of a heap, aliasing the resources placed there."""
        where: NullHeap = null_object(heap, NullHeap, f'cover it with "{name}"')
        if where.dedicated:
            raise BackendError(f"{where} is dedicated and cannot be covered")
        buffer = NullBuffer(BufferInfo(where.size, frozenset()), name)
        where.placed.append(buffer)
        self._add(buffer, f"all of {where}")
        return buffer

    def _place(self, heap: Heap, offset: int, needs: MemoryNeeds, name: str) -> NullHeap:
        where: NullHeap = null_object(heap, NullHeap, f'place "{name}"')
        if where.memory_class != needs.memory_class:
            raise BackendError(f'"{name}" needs memory of class {needs.memory_class}; {where} has {where.memory_class}')
        if offset % needs.alignment:
            raise BackendError(f'"{name}" at byte {offset} of {where} is not aligned to {needs.alignment}')
        if offset < 0 or offset + needs.size > where.size:
            raise BackendError(
                f'"{name}" would end at byte {offset + needs.size}, beyond the {where.size} bytes of {where}'
            )
        if needs.dedicated and offset:
            raise BackendError(f'"{name}" needs memory of its own, and cannot begin at byte {offset} of {where}')
        return where

    def create_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any] | None = None) -> NullTexture:
        """A texture with memory of its own; ``pixels`` must have its shape."""
        if pixels is not None:
            layout = texel_layout(info.format)
            expected = layout.shape(info)
            if pixels.shape != expected or pixels.dtype != layout.dtype:
                raise BackendError(
                    f'texture "{name}" ({info.format}) takes pixels of shape {expected}, {layout.dtype}; '
                    f"not {pixels.shape}, {pixels.dtype}"
                )
        texture = NullTexture(info, name)
        self._add(texture, _texture_text(info) + (" with pixels" if pixels is not None else ""))
        return texture

    def create_buffer(
        self, info: BufferInfo, name: str, data: bytes | None = None, *, host: bool = False
    ) -> NullBuffer:
        """A buffer with memory of its own."""
        if info.size < 1 or (data is not None and len(data) > info.size):
            raise BackendError(f'buffer "{name}" has {info.size} bytes, its data {len(data or b"")}')
        content = None
        if host or data is not None:
            content = bytearray(info.size)
            content[: len(data or b"")] = data or b""
        buffer = NullBuffer(info, name, content, host=host)
        self._add(buffer, f"{info.size} bytes" + (" for the host" if host else ""))
        return buffer

    def prepare_streaming(self) -> None:
        """Do nothing: uploads have nothing in common."""

    def stream_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any]) -> Streamed[NullTexture]:
        """A texture that is resident in the next frame."""
        return self._stream(self.create_texture(info, name, pixels))

    def stream_buffer(self, info: BufferInfo, name: str, data: bytes) -> Streamed[NullBuffer]:
        """A buffer that is resident in the next frame."""
        return self._stream(self.create_buffer(info, name, data))

    def _stream(self, made: _Made) -> Streamed[_Made]:
        streamed = Streamed(made, lambda: streamed.arrive())
        self._streamed.append(streamed)
        return streamed

    def destroy(self, resource: Any) -> None:
        """Destroy an object, or while a frame is open, mark it to be destroyed at its end."""
        item: NullObject = null_object(resource, NullObject, "destroy it")
        if item.destroyed:
            raise BackendError(f"{item} is destroyed twice")
        if isinstance(item, NullHeap):
            left = [placed for placed in item.placed if not placed.destroyed]
            if left:
                raise BackendError(f"{item} is destroyed before {left[0]}, which is placed in it")
        item.destroyed = True
        self._objects.remove(item)
        if not isinstance(item, NullCommandBuffer):
            self.log.append(f"destroy {item}")
        if self._open_slot is None:
            item.alive = False
        else:
            self._retired.append(item)

    def _add(self, item: NullObject, description: str) -> None:
        self._check_open()
        self._objects.append(item)
        self.log.append(f"create {item}: {description}")

    def _check_open(self) -> None:
        if self._closed:
            raise BackendError("the backend is closed")

    # shaders --------------------------------------------------------------------------------------------------------

    def create_pipeline(self, desc: PipelineDesc) -> NullPipeline:
        """A pipeline. Raises ``BackendError`` unless its stages form a graphics or a compute pipeline."""
        stages = [module.stage for module in desc.modules]
        graphics = ([ShaderStage.VERTEX], [ShaderStage.VERTEX, ShaderStage.FRAGMENT])
        if stages != [ShaderStage.COMPUTE] and stages not in graphics:
            raise BackendError(
                f'pipeline "{desc.name}" has the stages {", ".join(stages) or "none"}',
                hint="give a compute shader, or a vertex shader and optionally a fragment shader",
            )
        pipeline = NullPipeline(desc)
        self._add(pipeline, ", ".join(module.file for module in desc.modules))
        return pipeline

    def create_bindings(
        self, pipeline: Pipeline, number: int, bindings: Mapping[str, Binding], name: str
    ) -> NullBindingSet:
        """Descriptor set ``number`` of the pipeline, with bindings by name."""
        own: NullPipeline = null_object(pipeline, NullPipeline, f'make the bindings "{name}"')
        objects = checked_objects(own, number, bindings)
        made = NullBindingSet(name, own, number, bindings)
        made.objects = objects
        self._add(made, f"set {number} of {own}")
        return made

    # frames ---------------------------------------------------------------------------------------------------------

    def create_target(self, extent: Extent, window: Any = None) -> NullTarget:
        """An offscreen target. Raises ``BackendError`` for a window."""
        self._check_open()
        if window is not None:
            raise BackendError("the null backend shows nothing in a window", hint="render offscreen, without a window")
        target = NullTarget(extent, self.create_texture, self.destroy, self._targets.remove)
        self._targets.append(target)
        return target

    def recorder(self, slot: int, queue: str = GRAPHICS) -> NullRecorder:
        """The recorder of a frame slot, for submission to ``queue``."""
        self._check_open()
        return self._slot(slot, queue)[1]

    def create_commands(self, slot: int, queue: str, name: str) -> NullCommandBuffer:
        """An empty command buffer; the log does not mention it."""
        self._check_open()
        self._slot(slot, queue)
        made = NullCommandBuffer(slot, queue, name)
        self._objects.append(made)
        return made

    def record(self, commands: CommandBuffer, lists: Sequence[OpList]) -> None:
        """Keep the lists, which are played at each submission."""
        buffer: NullCommandBuffer = null_object(commands, NullCommandBuffer, "record it")
        buffer.lists = tuple(lists)

    def _slot(self, slot: int, queue: str) -> tuple[NullCommands, NullRecorder]:
        if queue not in self._values:
            raise BackendError(f"there is no {queue} queue", hint=f"the queues are {', '.join(self._values)}")
        key = slot, queue
        if key not in self._slots:
            commands = NullCommands(slot, queue, self._events[slot], self.log)
            self._slots[key] = commands, NullRecorder(commands)
        return self._slots[key]

    def begin_frame(self, slot: int) -> None:
        """Open a frame."""
        self._check_open()
        if self._open_slot is not None:
            raise BackendError(f"begin_frame in slot {slot} while the frame of slot {self._open_slot} is open")
        for streamed in self._streamed:
            streamed.arrive()
        self._streamed.clear()
        self._open_slot = slot
        self.log.append(f"frame {self._frames} in slot {slot}")

    def end_frame(self, slot: int, submissions: Sequence[QueuedCommands], target: Target | None) -> bool:
        """Play the command buffers. Returns True, because an offscreen target always fits.

        For a frame of several submissions the log has a line for each, with the timeline values that it waits for.
        """
        if self._open_slot != slot:
            raise BackendError(f"end_frame in slot {slot}, where no frame is open", hint="call begin_frame first")
        if target is not None:
            if not isinstance(target, NullTarget):
                raise BackendError(f"{type(target).__name__} is not a target of the null backend")
            target.check_open()
        self._events[slot].clear()
        self._waits.begin_frame(self._values)
        values: list[int] = []
        try:
            for submission in submissions:
                values.append(self._submit(slot, submission, values, submissions))
        finally:
            self._open_slot = None
            self._frames += 1
            for retired in self._retired:
                retired.alive = False
            self._retired.clear()
        if target is not None:
            self.log.append(f"present {target.extent[0]}x{target.extent[1]}")
        return True

    def _submit(
        self, slot: int, submission: QueuedCommands, values: Sequence[int], frame: Sequence[QueuedCommands]
    ) -> int:
        """Play a submission of the frame after those with timeline ``values``; returns its own timeline value."""
        if any(number >= len(values) for number in submission.waits):
            raise BackendError("a submission waits for a later one", hint="order submissions by their waits")
        commands = self._slot(slot, submission.queue)[0]
        others = [(frame[other].queue, values[other]) for other in submission.waits]
        waits = self._waits.of(submission.queue, others, submission.cross_frame_waits, submission.continuing)
        value = self._values[submission.queue] + 1
        self._waits.note(submission.queue, value, waits, submission.cross_frame)
        self._values[submission.queue] = value
        if len(frame) > 1:
            after = ", ".join(f"{name} {reached}" for name, reached in waits.values)
            self.log.append(f" {submission.queue} {value}" + (f" after {after}" if after else ""))
        for buffer in submission.commands:
            commands.play_buffer(buffer)
        return value

    def background(self, *, compute: bool) -> NullBackground:
        """Work that spans frames; its slices are played when submitted."""
        work = NullBackground(self.log, self._objects)
        self._add(work, "on a compute queue" if compute else "on a graphics queue")
        return work

    def passed(self, slot: int) -> Sequence[bool]:
        """None: there are no timestamps."""
        return ()

    def timestamps(self, slot: int) -> Sequence[int]:
        """An empty sequence: there is no clock."""
        return ()

    def read_texture(self, texture: PhysicalTexture, layout: Layout) -> NDArray[np.generic]:
        """Zeros in the shape and type of the texture's mip 0."""
        own: NullTexture = null_object(texture, NullTexture, "read it back")
        own.check_lasting("read it back")
        texels = texel_layout(own.info.format)
        return np.zeros(texels.shape(own.info), texels.dtype)

    def read_buffer(self, buffer: PhysicalBuffer) -> bytes:
        """The bytes that the host wrote, or zeros."""
        own: NullBuffer = null_object(buffer, NullBuffer, "read it back")
        return bytes(own.content) if own.content is not None else bytes(own.info.size)

    def wait_idle(self) -> None:
        """Return at once, because played work is finished."""

    def close(self) -> None:
        """Destroy all remaining objects; closing twice is harmless."""
        if self._closed:
            return
        for target in tuple(self._targets):
            target.close()
        for item in tuple(reversed(self._objects)):
            self.destroy(item)
        self._closed = True


def _texture_text(info: TextureInfo) -> str:
    width, height = info.extent
    extras = [f"{count} {what}" for count, what in _counts(info) if count > 1]
    return " ".join([f"{info.format} {width}x{height}", *extras])


def _counts(info: TextureInfo) -> tuple[tuple[int, str], ...]:
    return (info.mips, "mips"), (info.layers, "layers"), (info.samples, "samples")

"""What a backend can do, as one protocol that the runtime speaks and that every backend implements.

Recording builds *op lists*: flat lists of calls prepared once and played often. A ``Recorder`` belongs to one command
buffer of a frame slot (there are ``FRAMES_IN_FLIGHT`` of them, used in turn), because prepared calls name that buffer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.capabilities import Capabilities
from renderwright.render.backend.streamed import Streamed
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.sync.barriers import Barrier, MemoryBarrier
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.attachments import Attachment
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import BufferInfo, Physical, PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.resources import ClearValue, Extent
from renderwright.render.types.sampling import DEFAULT_SAMPLING, Sampling

FRAMES_IN_FLIGHT = 2

COPIED = (Layout.TRANSFER_SRC, Layout.TRANSFER_DST)
"""The layouts for a copy of textures from one to another."""


class Heap(Protocol):
    """A block of device memory that resources are placed in.

    A ``dedicated`` heap is an account only: what is placed in it brings memory of its own.
    """

    size: int
    memory_class: str
    dedicated: bool


@dataclass(frozen=True)
class PipelineDesc:
    """Everything that makes a pipeline.

    ``color_formats``, ``depth_format`` and the number of ``views`` are those of the pass. ``state`` keys (all optional)
    and defaults: ``topology`` triangles|lines|points (triangles), ``cull`` none|back|front (none), ``depth_test``
    none|greater|greater_equal|equal|less|always (none), ``depth_write`` bool (False), ``depth_bias`` (constant, slope)
    pair, ``depth_clamp`` bool, ``blend`` none|alpha|add|premultiplied (none), ``color_write`` the channels that are
    written, some of "rgba" (all), ``vertex`` a tuple of (location, format, offset) with ``vertex_stride`` bytes. Front
    faces wind counter-clockwise in world space with Y up; the viewport is flipped so that clip-space Y points up as
    well.
    """

    name: str
    modules: tuple[ShaderModule, ...]
    color_formats: tuple[str, ...] = ()
    depth_format: str = ""
    samples: int = 1
    state: tuple[tuple[str, Any], ...] = ()
    views: int = 1


class Pipeline(Protocol):
    """A compiled pipeline."""

    @property
    def desc(self) -> PipelineDesc:
        """What it was made from."""


@dataclass(frozen=True)
class TextureBinding:
    """A texture bound to a shader, or a ``part`` of it: in which layout, filtered how."""

    texture: PhysicalTexture
    layout: Layout
    sampling: Sampling = DEFAULT_SAMPLING
    part: Part = WHOLE


@dataclass(frozen=True)
class BufferBinding:
    """A range of a buffer bound to a shader; ``size`` 0 means to the end."""

    buffer: PhysicalBuffer
    offset: int = 0
    size: int = 0


Binding = TextureBinding | BufferBinding | tuple[TextureBinding, ...]
"""What one binding holds; a tuple fills an array of textures."""


class BindingSet(Protocol):
    """The bindings of one descriptor set, written once."""


@dataclass
class OpList:
    """Prepared calls, played in order: ``for function, arguments in ops: function(*arguments)``.

    ``keep`` owns whatever memory the arguments point to.
    """

    ops: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    keep: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class QueuedLists:
    """What goes to a queue at once: it begins when those submissions of the frame that ``waits`` numbers have finished.

    ``buffer`` is the number of the command buffer that the lists were recorded for (``Backend.recorder``). Late work
    may go on beside the next frame: ``late`` is its number, -1 for work that ends with the frame. The frame's first
    submission to the graphics queue need not wait for the late work of the last frame that it ``leaves``; those that
    have to wait for some name it in ``joins``.
    """

    lists: Sequence[OpList]
    queue: str = GRAPHICS
    buffer: int = 0
    waits: tuple[int, ...] = ()
    late: int = -1
    joins: tuple[int, ...] = ()
    leaves: frozenset[int] = frozenset()


@dataclass(frozen=True)
class BoundBarrier:
    """A planned barrier with the physical resource that it is about."""

    barrier: Barrier
    physical: Physical


class AttachedTexture(NamedTuple):
    """A texture that a pass renders to: how, and in which layout."""

    attachment: Attachment
    texture: PhysicalTexture
    layout: Layout


class Recorder(Protocol):
    """Turns commands into prepared calls for one command buffer of a frame slot."""

    def take(self) -> OpList:
        """The calls recorded since the last take."""

    def barriers(self, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Issue the barriers as one batch."""

    def set_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Set event ``number`` of the frame: the first half of the barriers, behind what they wait for."""

    def wait_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Wait for event ``number`` of the frame: the second half of the same barriers."""

    def full_barrier(self) -> None:
        """Make everything earlier visible to everything later (plan changes, debugging)."""

    def begin_pass(self, attachments: Sequence[AttachedTexture], extent: Extent, views: int = 1) -> None:
        """Begin rendering; viewport and scissor cover ``extent``.

        Of several ``views``, number n is drawn to layer n of what is attached, all by each draw.
        """

    def end_pass(self) -> None:
        """End rendering."""

    def begin_label(self, name: str) -> None:
        """Open a named region for capture tools."""

    def end_label(self) -> None:
        """Close it."""

    def timestamp(self, number: int, views: int = 1) -> None:
        """Write the time at which everything before has finished to query ``number``.

        In a pass of several ``views`` that takes as many queries from there on.
        """

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set the viewport, in texels from the top left corner."""

    def scissor(self, x: int, y: int, width: int, height: int) -> None:
        """Set the scissor rectangle."""

    def bind_pipeline(self, pipeline: Pipeline) -> None:
        """Use the pipeline."""

    def bind_set(self, pipeline: Pipeline, number: int, bindings: BindingSet) -> None:
        """Use the bindings as descriptor set ``number``."""

    def push(self, pipeline: Pipeline, data: bytes) -> None:
        """Set the push constants, from offset 0."""

    def bind_vertices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as vertex buffer 0."""

    def bind_indices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as 32-bit indices."""

    def draw(self, vertices: int, instances: int = 1, first_vertex: int = 0, first_instance: int = 0) -> None:
        """Draw without indices."""

    def draw_indexed(
        self, indices: int, instances: int = 1, first_index: int = 0, vertex_offset: int = 0, first_instance: int = 0
    ) -> None:
        """Draw with indices."""

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> None:
        """Run ``x`` x ``y`` x ``z`` workgroups."""

    def clear_texture(self, texture: PhysicalTexture, layout: Layout, value: ClearValue, part: Part = WHOLE) -> None:
        """Fill every texel of a part of the texture, which is in ``layout`` (GENERAL or TRANSFER_DST)."""

    def copy_texture(
        self,
        source: PhysicalTexture,
        target: PhysicalTexture,
        parts: Sequence[Part] = (WHOLE,),
        layouts: tuple[Layout, Layout] = COPIED,
    ) -> None:
        """Copy the texels of some parts between equal textures, which are in these ``layouts``."""

    def fill_buffer(self, buffer: PhysicalBuffer, word: int = 0, start: int = 0, size: int = 0) -> None:
        """Fill ``size`` bytes (0: to the end) from ``start`` on with a 32-bit word; both in multiples of 4."""

    def copy_buffer(self, source: PhysicalBuffer, target: PhysicalBuffer, size: int = 0) -> None:
        """Copy bytes from the start (0: all)."""


class Target(Protocol):
    """Where frames end up: a window's swapchain, or an offscreen texture.

    Frames in a window wait for the display unless ``paced`` is set to False, between frames, because something else
    says when they are wanted.
    """

    format: str
    extent: Extent
    windowed: bool
    paced: bool

    def acquire(self, slot: int) -> PhysicalTexture | None:
        """The texture to render to, or None when nothing can be shown now (minimised)."""

    def resize(self, extent: Extent) -> None:
        """Follow a new size."""

    def close(self) -> None:
        """Give everything back."""


class BackgroundWork(Protocol):
    """Work that spans frames: recorded once, submitted in slices, and waited for by nobody. One run at a time."""

    def recorder(self, slot: int, buffer: int = 0) -> Recorder:
        """The recorder of a command buffer of a slot (as many as frames have, used in turn); each slice has its own."""

    def begin(self, slot: int) -> None:
        """Start anew; the slot's last run must be finished."""

    def record(self, slot: int, slices: Sequence[QueuedLists]) -> None:
        """Play the lists of a run. The first slice begins when all that was submitted for frames so far is done."""

    def submit(self, slot: int, slices: Sequence[QueuedLists]) -> None:
        """Submit those of the recorded slices, the first ones, that are not yet."""

    def finished(self) -> bool:
        """Whether all that was submitted is done."""

    def wait(self) -> None:
        """Wait (bounded) until it is."""

    def publish(self) -> None:
        """What is finished is there for all frames that are submitted from now on."""


class Backend(Protocol):
    """A graphics API behind the protocol."""

    capabilities: Capabilities

    # memory and resources
    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory of a placed texture, by the driver."""

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory of a placed buffer, by the driver."""

    def create_heap(self, memory_class: str, size: int, name: str) -> Heap:
        """Allocate a heap; ``OutOfMemoryError`` if it cannot be had."""

    def place_texture(self, heap: Heap, offset: int, info: TextureInfo, name: str) -> PhysicalTexture:
        """A texture at a byte offset of the heap; resources may overlap."""

    def place_buffer(self, heap: Heap, offset: int, info: BufferInfo, name: str) -> PhysicalBuffer:
        """A buffer at a byte offset of the heap."""

    def cover_heap(self, heap: Heap, name: str) -> PhysicalBuffer:
        """A buffer over the bytes of a heap, beside whatever is placed there, for filling it (debugging).

        It ends before the heap does where the driver wants whole units. ``BackendError`` for a dedicated heap, and
        where buffers cannot lie in memory of the heap's class.
        """

    def create_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any] | None = None) -> PhysicalTexture:
        """A texture with memory of its own; ``pixels`` (height, width, channels) fill mip 0 and the mips are made.

        All queues may use what has memory of its own. With pixels the texture is left in SHADER_READ_ONLY for good.
        """

    def create_buffer(
        self, info: BufferInfo, name: str, data: bytes | None = None, *, host: bool = False
    ) -> PhysicalBuffer:
        """A buffer with memory of its own; ``host`` makes it writable through ``.data``."""

    def stream_texture(self, info: TextureInfo, name: str, pixels: NDArray[Any]) -> Streamed[PhysicalTexture]:
        """A texture with memory of its own that is filled in the background, as by ``create_texture``: on the copy
        queue where there is one, while frames go on. It belongs to the graphics queue, unless ``info.shared``.

        ``begin_frame`` goes on with what is on its way, and makes resident what has come. ``pixels`` must not change
        before that.
        """

    def stream_buffer(self, info: BufferInfo, name: str, data: bytes) -> Streamed[PhysicalBuffer]:
        """A buffer with memory of its own that is filled in the same way; all queues may use it."""

    def destroy(self, resource: Any) -> None:
        """Give back a heap, texture, buffer, pipeline or binding set once no submitted frame uses it."""

    # shaders
    def create_pipeline(self, desc: PipelineDesc) -> Pipeline:
        """Compile a pipeline; layouts come from the modules' reflection."""

    def create_bindings(
        self, pipeline: Pipeline, number: int, bindings: Mapping[str, Binding], name: str
    ) -> BindingSet:
        """Descriptor set ``number`` of the pipeline's layout, filled by the names that the shaders use."""

    # frames
    def create_target(self, extent: Extent, window: Any = None) -> Target:
        """A swapchain on a window, or an offscreen target."""

    def recorder(self, slot: int, queue: str = GRAPHICS, buffer: int = 0) -> Recorder:
        """The recorder of a frame slot's command buffer of that number, which goes to that queue."""

    def begin_frame(self, slot: int) -> None:
        """Wait (bounded) until the slot's previous frame has left the GPU, all queues of it."""

    def end_frame(self, slot: int, submissions: Sequence[QueuedLists], target: Target | None) -> bool:
        """Play the lists, submit, present. False when the target no longer fits and must be resized.

        All queues begin a frame together: the first submission of each waits for what the others had to do before, but
        for the late work of the frame before that the graphics queue leaves. The target is for that queue alone.
        """

    def background(self, *, compute: bool) -> BackgroundWork:
        """Work that spans frames, beside them where the device can; ``compute`` if no slice of it needs more than a
        compute queue. Give it back by ``destroy``."""

    def timestamps(self, slot: int) -> Sequence[int]:
        """Nanoseconds written by the slot's last finished frame, by query number."""

    def read_texture(self, texture: PhysicalTexture, layout: Layout) -> NDArray[np.generic]:
        """The texels of mip 0, (height, width, channels), after waiting for submitted work; layout is kept."""

    def read_buffer(self, buffer: PhysicalBuffer) -> bytes:
        """The bytes of a buffer, after waiting for submitted work."""

    def wait_idle(self) -> None:
        """Wait (bounded) until the GPU has finished everything submitted."""

    def close(self) -> None:
        """Destroy everything; nothing may be left alive."""

"""The living Vulkan objects by handle, and their names in the stream."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from renderwright.render.backend.vulkan.api import CData, ffi
from renderwright.render.sync.oracle.stream import WHOLE, Buffer, Image, Item, Memory, Range, Semaphore


def number_of(handle: CData) -> int:
    """A handle as a number, 0 for a null handle."""
    return int(ffi.cast("uintptr_t", handle))


@dataclass
class Resource:
    """An image or buffer; the stream declares it before its first use in a command."""

    mips: int = 0
    layers: int = 0
    size: int = 0
    concurrent: bool = False
    display: bool = False
    memory: int = 0
    offset: int = 0
    bytes: int = 0
    id: str = ""

    @property
    def is_image(self) -> bool:
        """Whether it is an image."""
        return self.mips > 0


@dataclass(frozen=True)
class View:
    """An image view: the image and its subresources."""

    image: int
    range: Range


@dataclass
class Allocation:
    """Device memory; the host may write mapped memory, which is not recorded."""

    heap: str = ""
    mapped: bool = False


@dataclass
class Objects:
    """The recorder's state of each handle."""

    emit: Callable[[Item], None]
    names: dict[int, str] = field(default_factory=dict)
    resources: dict[int, Resource] = field(default_factory=dict)
    views: dict[int, View] = field(default_factory=dict)
    memory: dict[int, Allocation] = field(default_factory=dict)
    semaphores: dict[int, str] = field(default_factory=dict)
    _waiting: dict[int, tuple[bool, int]] = field(default_factory=dict)
    _buffers: dict[int, str] = field(default_factory=dict)
    _events: dict[int, str] = field(default_factory=dict)
    _taken: dict[str, int] = field(default_factory=dict)

    def unique(self, name: str) -> str:
        """The name, with a number if an earlier object has the same one."""
        count = self._taken[name] = self._taken.get(name, 0) + 1
        return name if count == 1 else f"{name} #{count}"

    def allocate(self, handle: CData) -> None:
        """Register new memory; its handle may be a reused one."""
        self.memory[number_of(handle)] = Allocation()

    def bind(self, handle: CData, memory: CData, offset: int, size: int) -> None:
        """Bind a resource to memory."""
        resource = self.resources[number_of(handle)]
        resource.memory, resource.offset, resource.bytes = number_of(memory), offset, size

    def resource(self, handle: int) -> str:
        """The id of an image or buffer; declares it at the first use."""
        resource = self.resources[handle]
        if not resource.id:
            resource.id = self.unique(self.names.get(handle) or ("image" if resource.is_image else "buffer"))
            self.emit(self._declaration(resource))
        return resource.id

    def _declaration(self, resource: Resource) -> Item:
        allocation = self.memory.get(resource.memory)
        memory = None
        if allocation is not None:
            allocation.heap = allocation.heap or self.unique(self.names.get(resource.memory) or "memory")
            memory = Memory(allocation.heap, resource.offset, resource.bytes)
        if resource.is_image:
            concurrent, display = resource.concurrent, resource.display
            return Image(0, resource.id, resource.mips, resource.layers, memory, concurrent, display)
        content = "defined" if allocation is not None and allocation.mapped else "none"
        return Buffer(0, resource.id, resource.size, memory, resource.concurrent, content)

    def part(self, handle: int, part: Range) -> Range:
        """A part of a resource; ranges that cover it are normalised to the whole."""
        resource = self.resources[handle]
        if resource.is_image:
            mips = part.mips if part.mips != (0, resource.mips) else None
            layers = part.layers if part.layers != (0, resource.layers) else None
            return Range(mips, layers)
        size = None if part.size is None or part.offset + part.size >= resource.size else part.size
        return Range(offset=part.offset, size=size) if part.offset or size is not None else WHOLE

    def new_semaphore(self, handle: CData, *, timeline: bool, value: int = 0) -> None:
        """Register a semaphore or fence; it is declared at its first use, because names are set after creation."""
        self._waiting[number_of(handle)] = (timeline, value)

    def semaphore(self, handle: CData) -> str:
        """The id of a semaphore."""
        number = number_of(handle)
        if number in self._waiting:
            timeline, value = self._waiting.pop(number)
            name = self.unique(self.names.get(number) or ("timeline" if timeline else "semaphore"))
            self.semaphores[number] = name
            self.emit(Semaphore(0, name, timeline, value))
        return self.semaphores[number]

    def command_buffer(self, handle: CData) -> str:
        """The id of a command buffer."""
        number = number_of(handle)
        if number not in self._buffers:
            self._buffers[number] = self.unique(self.names.get(number) or "commands")
        return self._buffers[number]

    def event(self, handle: CData) -> str:
        """The id of an event."""
        number = number_of(handle)
        if number not in self._events:
            self._events[number] = self.unique(self.names.get(number) or "event")
        return self._events[number]

    def forget(self, handle: CData) -> str:
        """Remove a destroyed object; returns its id if the stream declares it."""
        number = number_of(handle)
        self.names.pop(number, None)
        self._waiting.pop(number, None)
        self.views.pop(number, None)
        self._events.pop(number, None)
        resource = self.resources.pop(number, None)
        return resource.id if resource is not None else self.semaphores.pop(number, "")

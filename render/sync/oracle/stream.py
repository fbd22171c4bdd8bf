"""The items of a stream as values. Masks have Vulkan's numbers, layouts Vulkan's names without prefix."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue of the device and its queue family."""

    name: str
    family: int


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a resource: bytes [offset, offset + size) of a heap."""

    heap: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Range:
    """A part of a resource: (first, count) mips and layers of an image, bytes of a buffer. The default is all of it."""

    mips: tuple[int, int] | None = None
    layers: tuple[int, int] | None = None
    offset: int = 0
    size: int | None = None


WHOLE = Range()


@dataclass(frozen=True, slots=True)
class Access:
    """One access of a command."""

    resource: str
    stages: int
    access: int
    layout: str = ""
    range: Range = WHOLE


@dataclass(frozen=True, slots=True)
class Dependency:
    """One barrier: for all memory, or for a range of a resource. ``families`` are (source, destination) of an ownership
    transfer; ``old`` and ``new`` are an image's layouts."""

    src_stages: int
    src_access: int
    dst_stages: int
    dst_access: int
    resource: str = ""
    range: Range = WHOLE
    old: str = ""
    new: str = ""
    families: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment. ``aspect`` is color or depth; ``load`` is load, clear, dont_care or none; ``store`` is store,
    dont_care or none. ``resolve`` is the image that it is resolved to at the end."""

    resource: str
    aspect: str
    layout: str
    load: str
    store: str
    range: Range = WHOLE
    resolve: str = ""
    resolve_layout: str = ""
    resolve_range: Range = WHOLE


# declarations and what the host does ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Image:
    """A new image. ``content`` (none or defined) and ``layout`` are its initial state: streams may start in the middle.
    A ``display`` image belongs to the display until it is acquired."""

    line: int
    id: str
    mips: int = 1
    layers: int = 1
    memory: Memory | None = None
    concurrent: bool = False
    display: bool = False
    content: str = "none"
    layout: str = "UNDEFINED"


@dataclass(frozen=True, slots=True)
class Buffer:
    """A new buffer."""

    line: int
    id: str
    size: int
    memory: Memory | None = None
    concurrent: bool = False
    content: str = "none"


@dataclass(frozen=True, slots=True)
class Semaphore:
    """A new semaphore, timeline or binary (a fence is a binary one that only the host waits for)."""

    line: int
    id: str
    timeline: bool
    value: int = 0


@dataclass(frozen=True, slots=True)
class Destroy:
    """The end of a resource, semaphore, event or command buffer."""

    line: int
    id: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A marker: later submissions belong to frame ``number``."""

    line: int
    number: int


@dataclass(frozen=True, slots=True)
class Wait:
    """A semaphore that a batch waits for; ``value`` is for timelines only."""

    semaphore: str
    value: int
    stages: int


@dataclass(frozen=True, slots=True)
class Submit:
    """One batch: waits, then the commands of the buffers, then signals."""

    line: int
    queue: str
    buffers: tuple[str, ...]
    waits: tuple[Wait, ...] = ()
    signals: tuple[Wait, ...] = ()


@dataclass(frozen=True, slots=True)
class HostWait:
    """The host waits until the semaphore has the value; an empty ``semaphore`` waits for all submissions.

    A ``polled`` value was read without a wait. It permits the destruction of objects, but orders nothing else, because
    another run may read a lower value.
    """

    line: int
    semaphore: str
    value: int = 0
    polled: bool = False


@dataclass(frozen=True, slots=True)
class HostReset:
    """The host resets a fence."""

    line: int
    semaphore: str


@dataclass(frozen=True, slots=True)
class HostResetEvent:
    """The host resets an event."""

    line: int
    event: str


@dataclass(frozen=True, slots=True)
class HostSignal:
    """The host signals a timeline."""

    line: int
    semaphore: str
    value: int


@dataclass(frozen=True, slots=True)
class HostAccess:
    """The host reads or writes mapped memory of a resource."""

    line: int
    resource: str
    write: bool
    range: Range = WHOLE


@dataclass(frozen=True, slots=True)
class Acquire:
    """Acquires an image from the display; ``semaphore`` is signalled when the display has released it."""

    line: int
    image: str
    semaphore: str


@dataclass(frozen=True, slots=True)
class Present:
    """Presents an image."""

    line: int
    queue: str
    image: str
    waits: tuple[str, ...] = ()


# what is recorded ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Begin:
    """Begins the recording of a command buffer, which discards its earlier commands."""

    line: int
    buffer: str


@dataclass(frozen=True, slots=True)
class Label:
    """The commands up to the matching end belong to the node ``name``; an empty name is that end."""

    line: int
    buffer: str
    name: str


@dataclass(frozen=True, slots=True)
class Barrier:
    """A pipeline barrier."""

    line: int
    buffer: str
    dependencies: tuple[Dependency, ...]


@dataclass(frozen=True, slots=True)
class SetEvent:
    """The first half of a split barrier."""

    line: int
    buffer: str
    event: str
    dependencies: tuple[Dependency, ...]


@dataclass(frozen=True, slots=True)
class WaitEvents:
    """The second half of split barriers."""

    line: int
    buffer: str
    events: tuple[tuple[str, tuple[Dependency, ...]], ...]


@dataclass(frozen=True, slots=True)
class ResetEvent:
    """Resets an event after the given stages of all earlier commands."""

    line: int
    buffer: str
    event: str
    stages: int


@dataclass(frozen=True, slots=True)
class BeginRendering:
    """Begins rendering to attachments."""

    line: int
    buffer: str
    attachments: tuple[Attachment, ...]


@dataclass(frozen=True, slots=True)
class EndRendering:
    """Ends rendering: attachments are resolved and stored."""

    line: int
    buffer: str


@dataclass(frozen=True, slots=True)
class Work:
    """A draw, dispatch, copy, clear ...: any command that accesses memory.

    A draw also accesses its attachments: it reads the colours only if it ``blends``, and ``depth`` is write, read or
    none.
    """

    line: int
    buffer: str
    name: str
    accesses: tuple[Access, ...]
    draws: bool = False
    blends: bool = False
    depth: str = "write"


Command = Label | Barrier | SetEvent | WaitEvents | ResetEvent | BeginRendering | EndRendering | Work
HostItem = (
    Image
    | Buffer
    | Semaphore
    | Destroy
    | Frame
    | Submit
    | HostWait
    | HostReset
    | HostResetEvent
    | HostSignal
    | HostAccess
    | Acquire
    | Present
    | Begin
)
Item = HostItem | Command


@dataclass(frozen=True)
class Stream:
    """A whole stream; ``file`` is its name in messages."""

    queues: tuple[Queue, ...]
    items: tuple[Item, ...]
    file: str = field(default="", compare=False)

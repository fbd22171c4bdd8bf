"""Writes small streams for the oracle, one call a command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from renderwright.render.sync.oracle import Kind, Report, check
from renderwright.render.sync.oracle.names import ACCESSES, STAGES
from renderwright.render.sync.oracle.stream import (
    WHOLE,
    Access,
    Acquire,
    Attachment,
    Barrier,
    Begin,
    BeginRendering,
    Buffer,
    Dependency,
    Destroy,
    EndRendering,
    HostAccess,
    HostReset,
    HostSignal,
    HostWait,
    Image,
    Item,
    Memory,
    Present,
    Queue,
    Range,
    ResetEvent,
    Semaphore,
    SetEvent,
    Stream,
    Submit,
    Wait,
    WaitEvents,
    Work,
)

COLOR, DEPTH = "COLOR_ATTACHMENT_OPTIMAL", "DEPTH_STENCIL_ATTACHMENT_OPTIMAL"
READ_ONLY, GENERAL = "SHADER_READ_ONLY_OPTIMAL", "GENERAL"
SRC, DST = "TRANSFER_SRC_OPTIMAL", "TRANSFER_DST_OPTIMAL"
UNDEFINED, SHOWN = "UNDEFINED", "PRESENT_SRC_KHR"


def stages(words: str) -> int:
    return sum(STAGES[word] for word in words.split("|")) if words else 0


def accesses(words: str) -> int:
    return sum(ACCESSES[word] for word in words.split("|")) if words else 0


def use(resource: str, stage: str, access: str, layout: str = "", part: Range = WHOLE) -> Access:
    return Access(resource, stages(stage), accesses(access), layout, part)


def dependency(
    src: str = "",
    src_access: str = "",
    dst: str = "",
    dst_access: str = "",
    resource: str = "",
    old: str = "",
    new: str = "",
    part: Range = WHOLE,
    families: tuple[int, int] | None = None,
) -> Dependency:
    masks = stages(src), accesses(src_access), stages(dst), accesses(dst_access)
    return Dependency(*masks, resource, part, old, new, families)


def wait(semaphore: str, value: int = 0, stage: str = "ALL_COMMANDS") -> Wait:
    return Wait(semaphore, value, stages(stage))


def color(resource: str, load: str = "clear", store: str = "store", **more: object) -> Attachment:
    return Attachment(resource, "color", COLOR, load, store, **more)


def depth(resource: str, load: str = "clear", store: str = "store", layout: str = DEPTH) -> Attachment:
    return Attachment(resource, "depth", layout, load, store)


class Script:
    """A stream in the making; commands go to the command buffer that was begun last."""

    def __init__(self, **families: int) -> None:
        self.queues = tuple(Queue(name, family) for name, family in (families or {"graphics": 0}).items())
        self.items: list[Item] = []
        self._buffer = ""
        self._count = 0

    @property
    def line(self) -> int:
        return len(self.items) + 2

    def add(self, *items: Item) -> Script:
        self.items.extend(items)
        return self

    def image(self, name: str, at: tuple[int, int] | None = None, **more: object) -> Script:
        return self.add(Image(self.line, name, memory=Memory("heap", *at) if at else None, **more))

    def buffer(self, name: str, size: int = 256, at: tuple[int, int] | None = None, **more: object) -> Script:
        return self.add(Buffer(self.line, name, size, Memory("heap", *at) if at else None, **more))

    def semaphore(self, name: str, *, timeline: bool = True) -> Script:
        return self.add(Semaphore(self.line, name, timeline))

    def destroy(self, name: str) -> Script:
        return self.add(Destroy(self.line, name))

    def begin(self, buffer: str = "") -> Script:
        self._count += 1
        self._buffer = buffer or f"commands {self._count}"
        return self.add(Begin(self.line, self._buffer))

    def work(self, *uses: Access, name: str = "dispatch", **more: object) -> Script:
        if not self._buffer:
            self.begin()
        return self.add(Work(self.line, self._buffer, name, uses, **more))

    def draw(self, *attachments: Attachment, uses: tuple[Access, ...] = (), **more: object) -> Script:
        if not self._buffer:
            self.begin()
        self.add(BeginRendering(self.line, self._buffer, attachments))
        self.work(*uses, name="draw", draws=True, **more)
        return self.add(EndRendering(self.line, self._buffer))

    def barrier(self, *dependencies: Dependency) -> Script:
        if not self._buffer:
            self.begin()
        return self.add(Barrier(self.line, self._buffer, dependencies))

    def set(self, event: str, *dependencies: Dependency) -> Script:
        return self.add(SetEvent(self.line, self._buffer, event, dependencies))

    def wait_event(self, event: str, *dependencies: Dependency) -> Script:
        return self.add(WaitEvents(self.line, self._buffer, ((event, dependencies),)))

    def reset(self, event: str, stage: str) -> Script:
        return self.add(ResetEvent(self.line, self._buffer, event, stages(stage)))

    def submit(self, queue: str = "", waits: tuple[Wait, ...] = (), signals: tuple[Wait, ...] = ()) -> Script:
        buffers = (self._buffer,) if self._buffer else ()
        self._buffer = ""
        return self.add(Submit(self.line, queue or self.queues[0].name, buffers, waits, signals))

    def resubmit(self, buffer: str) -> Script:
        return self.add(Submit(self.line, self.queues[0].name, (buffer,)))

    def host_wait(self, semaphore: str = "", value: int = 0) -> Script:
        return self.add(HostWait(self.line, semaphore, value))

    def host_reset(self, semaphore: str) -> Script:
        return self.add(HostReset(self.line, semaphore))

    def host_signal(self, semaphore: str, value: int) -> Script:
        return self.add(HostSignal(self.line, semaphore, value))

    def host(self, resource: str, *, write: bool) -> Script:
        return self.add(HostAccess(self.line, resource, write))

    def acquire(self, image: str, semaphore: str) -> Script:
        return self.add(Acquire(self.line, image, semaphore))

    def present(self, image: str, *semaphores: str, queue: str = "") -> Script:
        return self.add(Present(self.line, queue or self.queues[0].name, image, semaphores))

    def stream(self) -> Stream:
        if self._buffer:
            self.submit()
        return Stream(self.queues, tuple(self.items), "script")

    def report(self) -> Report:
        return check(self.stream())

    def kinds(self) -> set[Kind]:
        return {finding.kind for finding in self.report().findings}

    def clean(self) -> bool:
        findings = self.report().findings
        assert not findings, "\n".join(map(str, findings))
        return True


def weakened(stream: Stream) -> Iterator[tuple[str, Stream]]:
    """The stream with one thing of its synchronisation less: a dependency, a field of one, a wait of a semaphore."""
    for at, item in enumerate(stream.items):
        for what, changed in _weaker(item):
            items = [*stream.items[:at], changed, *stream.items[at + 1 :]]
            yield f"line {item.line}: {what}", replace(stream, items=tuple(items))


def _weaker(item: Item) -> Iterator[tuple[str, Item]]:
    if isinstance(item, Submit):
        for number, one in enumerate(item.waits):
            yield f"no wait for {one.semaphore}", replace(item, waits=item.waits[:number] + item.waits[number + 1 :])
    if not isinstance(item, Barrier):
        return
    for number, one in enumerate(item.dependencies):
        before, after = item.dependencies[:number], item.dependencies[number + 1 :]
        yield f"no dependency {number}", replace(item, dependencies=before + after)
        for name in ("src_stages", "src_access", "dst_stages", "dst_access"):
            if getattr(one, name):
                yield f"no {name} {number}", replace(item, dependencies=(*before, replace(one, **{name: 0}), *after))

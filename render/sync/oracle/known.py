"""The declarations of a stream so far; items may refer only to these.

An id names one object of the whole stream. A destroyed object stays known, because its use is a finding of the checker.
"""

from __future__ import annotations

from collections.abc import Collection

from renderwright.render.suggest import did_you_mean
from renderwright.render.sync.oracle.fields import Fields
from renderwright.render.sync.oracle.stream import (
    Access,
    Acquire,
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
    Label,
    Present,
    Range,
    ResetEvent,
    Semaphore,
    SetEvent,
    Submit,
    WaitEvents,
    Work,
)


class Known:
    """Ids that are declared."""

    def __init__(self) -> None:
        self.queues: set[str] = set()
        self.resources: dict[str, Image | Buffer] = {}
        self.semaphores: dict[str, Semaphore] = {}
        self.buffers: set[str] = set()
        self._ids: set[str] = set()

    def check(self, item: Item, fields: Fields) -> None:
        """Register an item's declarations; ``StreamError`` if it refers to unknown ids."""
        match item:
            case Image() | Buffer():
                self._new(item.id, fields)
                self.resources[item.id] = item
            case Semaphore():
                self._new(item.id, fields)
                self.semaphores[item.id] = item
            case Destroy():
                _among(item.id, self._ids, "object", fields)
            case Begin():
                if item.buffer not in self.buffers:
                    self._new(item.buffer, fields)
                self.buffers.add(item.buffer)
            case Submit():
                _among(item.queue, self.queues, "queue", fields)
                for name in item.buffers:
                    _among(name, self.buffers, "command buffer", fields)
                for wait in (*item.waits, *item.signals):
                    _among(wait.semaphore, self.semaphores, "semaphore", fields)
            case HostWait():
                if item.semaphore:
                    _among(item.semaphore, self.semaphores, "semaphore", fields)
            case HostSignal() | HostReset():
                _among(item.semaphore, self.semaphores, "semaphore", fields)
            case HostAccess():
                self._part(item.resource, item.range, fields)
            case Acquire():
                self._image(item.image, fields)
                _among(item.semaphore, self.semaphores, "semaphore", fields)
            case Present():
                _among(item.queue, self.queues, "queue", fields)
                self._image(item.image, fields)
                for name in item.waits:
                    _among(name, self.semaphores, "semaphore", fields)
            case Work() | Label() | Barrier() | SetEvent() | WaitEvents() | ResetEvent():
                _among(item.buffer, self.buffers, "command buffer", fields)
                self._command(item, fields)
            case BeginRendering():
                _among(item.buffer, self.buffers, "command buffer", fields)
                for attachment in item.attachments:
                    self._image(attachment.resource, fields)
                    self._part(attachment.resource, attachment.range, fields)
                    if attachment.resolve:
                        self._image(attachment.resolve, fields)
                        self._part(attachment.resolve, attachment.resolve_range, fields)
            case EndRendering():
                _among(item.buffer, self.buffers, "command buffer", fields)
            case _:
                pass

    def _command(self, item: Item, fields: Fields) -> None:
        match item:
            case Work():
                for access in item.accesses:
                    self._access(access, fields)
            case Barrier() | SetEvent():
                for dependency in item.dependencies:
                    self._dependency(dependency, fields)
            case WaitEvents():
                for _, dependencies in item.events:
                    for dependency in dependencies:
                        self._dependency(dependency, fields)
            case _:
                pass

    def _access(self, access: Access, fields: Fields) -> None:
        self._part(access.resource, access.range, fields)
        is_image = isinstance(self.resources[access.resource], Image)
        if is_image != bool(access.layout):
            raise fields.fail(f'an access of "{access.resource}" {"needs a" if is_image else "has no"} layout')

    def _dependency(self, dependency: Dependency, fields: Fields) -> None:
        if not dependency.resource:
            if dependency.old or dependency.new or dependency.families:
                raise fields.fail("a barrier of all memory has no layouts and no families")
            return
        self._part(dependency.resource, dependency.range, fields)
        layouts = bool(dependency.old) + bool(dependency.new)
        if layouts != (2 if isinstance(self.resources[dependency.resource], Image) else 0):
            raise fields.fail(f'"{dependency.resource}": an image\'s barrier has an old and a new layout, others none')

    def _part(self, name: str, part: Range, fields: Fields) -> None:
        _among(name, self.resources, "resource", fields)
        resource = self.resources[name]
        if isinstance(resource, Buffer):
            if part.mips is not None or part.layers is not None:
                raise fields.fail(f'"{name}" is a buffer and has no mips or layers')
            if part.offset + (part.size or 1) > resource.size:
                raise fields.fail(f'"{name}" has {resource.size} bytes; the range goes beyond')
            return
        if part.offset or part.size is not None:
            raise fields.fail(f'"{name}" is an image; its parts are mips and layers')
        for what, pair, count in (("mips", part.mips, resource.mips), ("layers", part.layers, resource.layers)):
            if pair is not None and (pair[1] < 1 or sum(pair) > count):
                raise fields.fail(f'"{name}" has {count} {what}; {list(pair)} (first, count) is not among them')

    def _image(self, name: str, fields: Fields) -> None:
        _among(name, self.resources, "resource", fields)
        if not isinstance(self.resources[name], Image):
            raise fields.fail(f'"{name}" is no image')

    def _new(self, name: str, fields: Fields) -> None:
        if not name or name in self._ids:
            hint = "give each object an id of its own, in the whole stream"
            raise fields.fail(f'the id "{name}" is taken' if name else "an id is empty", hint)
        self._ids.add(name)


def _among(name: str, known: Collection[str], what: str, fields: Fields) -> None:
    if name not in known:
        raise fields.fail(f'there is no {what} "{name}"', did_you_mean(name, known) or "declare it first")

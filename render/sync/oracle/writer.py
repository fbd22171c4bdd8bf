"""Writes streams: the inverse of the reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from renderwright.render.sync.oracle.names import ALL_COMMANDS, spell
from renderwright.render.sync.oracle.stream import (
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
    Frame,
    HostAccess,
    HostReset,
    HostResetEvent,
    HostSignal,
    HostWait,
    Image,
    Item,
    Label,
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

Object = dict[str, Any]


def write_stream(stream: Stream) -> str:
    """The text of a stream. Reading it gives an equal stream, except for line numbers, which are those of the text."""
    return "".join(f"{line}\n" for line in [header_line(stream.queues), *map(item_line, stream.items)])


def header_line(queues: Sequence[Queue], device: str = "") -> str:
    """The first line."""
    named = [{"name": queue.name, "family": queue.family} for queue in queues]
    return _text({"renderwright-stream": 1, "queues": named} | ({"device": device} if device else {}))


def item_line(item: Item) -> str:
    """The line of one item."""
    return _text(_object(item))


def _text(value: Object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _object(item: Item) -> Object:
    match item:
        case Image():
            counts = {"mips": item.mips, "layers": item.layers}
            more = {name: number for name, number in counts.items() if number != 1}
            flags = {"concurrent": item.concurrent, "display": item.display}
            layout = {} if item.layout == "UNDEFINED" else {"layout": item.layout}
            made: Object = {"op": "image", "id": item.id} | more | _memory(item.memory)
            return made | _set(flags) | _content(item.content) | layout
        case Buffer():
            made = {"op": "buffer", "id": item.id, "size": item.size} | _memory(item.memory)
            return made | _set({"concurrent": item.concurrent}) | _content(item.content)
        case Semaphore():
            kind = "timeline" if item.timeline else "binary"
            return {"op": "semaphore", "id": item.id, "type": kind} | ({"value": item.value} if item.value else {})
        case Destroy():
            return {"op": "destroy", "id": item.id}
        case Frame():
            return {"op": "frame", "number": item.number}
        case Begin():
            return {"op": "begin", "in": item.buffer}
        case Submit():
            found: Object = {"op": "submit", "queue": item.queue, "buffers": list(item.buffers)}
            sides = {"waits": item.waits, "signals": item.signals}
            return found | {name: [_wait(one) for one in waits] for name, waits in sides.items() if waits}
        case HostWait() | HostReset() | HostResetEvent() | HostSignal():
            return _host(item)
        case HostAccess():
            op = "host_write" if item.write else "host_read"
            return {"op": op, "resource": item.resource} | _range(item.range)
        case Acquire():
            return {"op": "acquire", "image": item.image, "semaphore": item.semaphore}
        case Present():
            return {"op": "present", "queue": item.queue, "image": item.image, "waits": list(item.waits)}
        case _:
            return _command(item)


def _host(item: HostWait | HostReset | HostResetEvent | HostSignal) -> Object:
    match item:
        case HostWait():
            named = {"semaphore": item.semaphore} if item.semaphore else {}
            value = {"value": item.value} if item.value else {}
            return {"op": "host_wait"} | named | value | _set({"polled": item.polled})
        case HostReset():
            return {"op": "host_reset", "semaphore": item.semaphore}
        case HostResetEvent():
            return {"op": "host_reset_event", "event": item.event}
        case HostSignal():
            return {"op": "host_signal", "semaphore": item.semaphore, "value": item.value}


def _command(
    item: Label | Barrier | SetEvent | WaitEvents | ResetEvent | BeginRendering | EndRendering | Work,
) -> Object:
    where = {"in": item.buffer}
    match item:
        case Label():
            return {"op": "label"} | where | {"name": item.name} if item.name else {"op": "end_label"} | where
        case Barrier():
            return {"op": "barrier"} | where | {"dependencies": _all(item.dependencies)}
        case SetEvent():
            return {"op": "set_event"} | where | {"event": item.event, "dependencies": _all(item.dependencies)}
        case WaitEvents():
            events = [{"event": name, "dependencies": _all(parts)} for name, parts in item.events]
            return {"op": "wait_events"} | where | {"events": events}
        case ResetEvent():
            return {"op": "reset_event"} | where | {"event": item.event, "stages": spell(item.stages)}
        case BeginRendering():
            return {"op": "begin_rendering"} | where | {"attachments": [_attachment(one) for one in item.attachments]}
        case EndRendering():
            return {"op": "end_rendering"} | where
        case Work():
            made = {"op": "work"} | where | {"name": item.name, "accesses": [_access(one) for one in item.accesses]}
            depth = {} if item.depth == "write" else {"depth": item.depth}
            return made | _set({"draws": item.draws, "blends": item.blends}) | depth


def _all(dependencies: Iterable[Dependency]) -> list[Object]:
    return [_dependency(one) for one in dependencies]


def _dependency(one: Dependency) -> Object:
    masks = {
        "src": spell(one.src_stages),
        "src_access": spell(one.src_access, access=True),
        "dst": spell(one.dst_stages),
        "dst_access": spell(one.dst_access, access=True),
    }
    found: Object = {"resource": one.resource} if one.resource else {}
    found |= {name: value for name, value in masks.items() if value != "NONE"} | _range(one.range)
    if one.new:
        found |= {"old": one.old, "new": one.new}
    return found | ({"families": list(one.families)} if one.families is not None else {})


def _access(one: Access) -> Object:
    found = {"resource": one.resource, "stages": spell(one.stages), "access": spell(one.access, access=True)}
    return found | ({"layout": one.layout} if one.layout else {}) | _range(one.range)


def _attachment(one: Attachment) -> Object:
    found: Object = {"resource": one.resource, "aspect": one.aspect, "layout": one.layout}
    found |= {"load": one.load, "store": one.store} | _range(one.range)
    if one.resolve:
        found["resolve"] = {"resource": one.resolve, "layout": one.resolve_layout} | _range(one.resolve_range)
    return found


def _wait(one: Wait) -> Object:
    found: Object = {"semaphore": one.semaphore}
    if one.value:
        found["value"] = one.value
    return found if one.stages == ALL_COMMANDS else found | {"stages": spell(one.stages)}


def _range(part: Range) -> Object:
    return dict(_parts(part))


def _parts(part: Range) -> Iterator[tuple[str, Any]]:
    if part.mips is not None:
        yield "mips", list(part.mips)
    if part.layers is not None:
        yield "layers", list(part.layers)
    if part.offset:
        yield "offset", part.offset
    if part.size is not None:
        yield "size", part.size


def _memory(memory: Memory | None) -> Object:
    if memory is None:
        return {}
    return {"memory": {"heap": memory.heap, "offset": memory.offset, "size": memory.size}}


def _set(flags: dict[str, bool]) -> Object:
    return {name: True for name, value in flags.items() if value}


def _content(content: str) -> Object:
    return {"content": content} if content != "none" else {}

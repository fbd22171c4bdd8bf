"""Reads streams (docs/stream-format.md): one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from renderwright.render.errors import SourceLocation
from renderwright.render.files.reading import read_text
from renderwright.render.suggest import did_you_mean
from renderwright.render.sync.oracle import stream as items
from renderwright.render.sync.oracle.fields import MAX_NUMBER, Fields, StreamError
from renderwright.render.sync.oracle.known import Known
from renderwright.render.sync.oracle.names import ALL_COMMANDS
from renderwright.render.sync.oracle.stream import Item, Queue, Stream

VERSION = 1
MAX_BYTES = 1 << 29
"""The most bytes in a stream: some thousand frames."""
MAX_LINE = 4_000_000
"""The most characters in a line, far more than commands of real frames have."""

_LOADS = ("load", "clear", "dont_care", "none")
_STORES = ("store", "dont_care", "none")
_DEPTHS = ("write", "read", "none")


def read_stream(path: Path) -> Stream:
    """The stream in a file; ``StreamError`` with file and line if it is malformed."""
    try:
        text = read_text(path, MAX_BYTES)
    except UnicodeDecodeError as error:
        raise StreamError(f"{path} is no text", hint="a stream is JSON, one object a line") from error
    except OSError as error:
        raise StreamError(f"{path} cannot be read: {error.strerror}") from error
    return read_stream_text(text.splitlines(), str(path))


def read_stream_text(lines: Iterable[str], file: str = "stream") -> Stream:
    """The stream in these lines; ``StreamError`` if it is malformed."""
    queues: tuple[Queue, ...] | None = None
    known = Known()
    found: list[Item] = []
    for number, line in enumerate(lines, 1):
        where = SourceLocation(file, number)
        if not line.strip():
            continue
        fields = _parse(line, where)
        if queues is None:
            queues = _header(fields)
            known.queues.update(queue.name for queue in queues)
            continue
        op = fields.text("op")
        if op not in _READERS:
            raise fields.fail(f'unknown op "{op}"', did_you_mean(op, _READERS))
        fields.what = op
        item = _READERS[op](fields, number)
        fields.end()
        known.check(item, fields)
        found.append(item)
    if queues is None:
        raise StreamError("the stream is empty", where=SourceLocation(file), hint="the first line is its header")
    return Stream(queues, tuple(found), file)


def _parse(line: str, where: SourceLocation) -> Fields:
    if len(line) > MAX_LINE:
        raise StreamError(f"a line of {len(line)} characters", where=where, hint=f"at most {MAX_LINE} are read")
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        at = SourceLocation(where.file, where.line, error.colno)
        raise StreamError(f"no JSON: {error.msg}", where=at, hint="a stream has one JSON object a line") from error
    except RecursionError as error:
        raise StreamError("no stream: it nests too deep", where=where) from error
    except ValueError as error:  # Python does not read integers of more than 4,300 digits
        raise StreamError("a number has too many digits", where=where, hint=f"at most {MAX_NUMBER} is read") from error
    return Fields(value, where, "the line")


def _header(fields: Fields) -> tuple[Queue, ...]:
    fields.what = "the header"
    version = fields.number("renderwright-stream")
    if version != VERSION:
        raise fields.fail(f"version {version} is not known", f"this program reads version {VERSION}")
    queues = fields.list("queues", lambda each: Queue(each.text("name"), each.number("family")))
    fields.text("device", "")
    fields.end()
    if not queues or len({queue.name for queue in queues}) < len(queues):
        raise fields.fail("it must name queues, each once")
    return queues


def _memory(fields: Fields) -> items.Memory | None:
    memory = fields.object("memory")
    if memory is None:
        return None
    found = items.Memory(memory.text("heap"), memory.number("offset", 0), memory.number("size", least=1))
    memory.end()
    return found


def _image(fields: Fields, line: int) -> Item:
    return items.Image(
        line,
        fields.text("id"),
        fields.number("mips", 1, least=1),
        fields.number("layers", 1, least=1),
        _memory(fields),
        fields.flag("concurrent"),
        fields.flag("display"),
        fields.word("content", ("none", "defined"), "none"),
        fields.layout("layout", "UNDEFINED"),
    )


def _buffer(fields: Fields, line: int) -> Item:
    return items.Buffer(
        line,
        fields.text("id"),
        fields.number("size", least=1),
        _memory(fields),
        fields.flag("concurrent"),
        fields.word("content", ("none", "defined"), "none"),
    )


def _semaphore(fields: Fields, line: int) -> Item:
    kind = fields.word("type", ("timeline", "binary"), "timeline")
    return items.Semaphore(line, fields.text("id"), kind == "timeline", fields.number("value", 0))


def _access(fields: Fields) -> items.Access:
    return items.Access(
        fields.text("resource"),
        fields.stages("stages"),
        fields.accesses("access"),
        fields.layout("layout") if fields.has("layout") else "",
        fields.range(),
    )


def _dependency(fields: Fields) -> items.Dependency:
    return items.Dependency(
        fields.stages("src"),
        fields.accesses("src_access"),
        fields.stages("dst"),
        fields.accesses("dst_access"),
        fields.text("resource", ""),
        fields.range(),
        fields.layout("old") if fields.has("old") else "",
        fields.layout("new") if fields.has("new") else "",
        fields.pair("families"),
    )


def _wait(fields: Fields) -> items.Wait:
    stages = fields.stages("stages") if fields.has("stages") else ALL_COMMANDS
    return items.Wait(fields.text("semaphore"), fields.number("value", 0), stages)


def _attachment(fields: Fields) -> items.Attachment:
    resource, aspect = fields.text("resource"), fields.word("aspect", ("color", "depth"))
    layout = fields.layout("layout")
    load, store = fields.word("load", _LOADS), fields.word("store", _STORES)
    part = fields.range()
    resolve = fields.object("resolve")
    if resolve is None:
        return items.Attachment(resource, aspect, layout, load, store, part)
    target = (resolve.text("resource"), resolve.layout("layout"), resolve.range())
    resolve.end()
    return items.Attachment(resource, aspect, layout, load, store, part, *target)


def _work(fields: Fields, line: int) -> Item:
    return items.Work(
        line,
        fields.text("in"),
        fields.text("name"),
        fields.list("accesses", _access),
        fields.flag("draws"),
        fields.flag("blends"),
        fields.word("depth", _DEPTHS, "write"),
    )


def _event(fields: Fields) -> tuple[str, tuple[items.Dependency, ...]]:
    return fields.text("event"), fields.list("dependencies", _dependency)


_READERS: dict[str, Callable[[Fields, int], Item]] = {
    "image": _image,
    "buffer": _buffer,
    "semaphore": _semaphore,
    "destroy": lambda f, n: items.Destroy(n, f.text("id")),
    "frame": lambda f, n: items.Frame(n, f.number("number")),
    "submit": lambda f, n: items.Submit(
        n, f.text("queue"), f.texts("buffers"), f.list("waits", _wait), f.list("signals", _wait)
    ),
    "host_wait": lambda f, n: items.HostWait(n, f.text("semaphore", ""), f.number("value", 0), f.flag("polled")),
    "host_reset": lambda f, n: items.HostReset(n, f.text("semaphore")),
    "host_reset_event": lambda f, n: items.HostResetEvent(n, f.text("event")),
    "host_signal": lambda f, n: items.HostSignal(n, f.text("semaphore"), f.number("value")),
    "host_read": lambda f, n: items.HostAccess(n, f.text("resource"), False, f.range()),
    "host_write": lambda f, n: items.HostAccess(n, f.text("resource"), True, f.range()),
    "acquire": lambda f, n: items.Acquire(n, f.text("image"), f.text("semaphore")),
    "present": lambda f, n: items.Present(n, f.text("queue"), f.text("image"), f.texts("waits")),
    "begin": lambda f, n: items.Begin(n, f.text("in")),
    "label": lambda f, n: items.Label(n, f.text("in"), f.text("name")),
    "end_label": lambda f, n: items.Label(n, f.text("in"), ""),
    "barrier": lambda f, n: items.Barrier(n, f.text("in"), f.list("dependencies", _dependency)),
    "set_event": lambda f, n: items.SetEvent(n, f.text("in"), f.text("event"), f.list("dependencies", _dependency)),
    "wait_events": lambda f, n: items.WaitEvents(n, f.text("in"), f.list("events", _event)),
    "reset_event": lambda f, n: items.ResetEvent(n, f.text("in"), f.text("event"), f.stages("stages")),
    "begin_rendering": lambda f, n: items.BeginRendering(n, f.text("in"), f.list("attachments", _attachment)),
    "end_rendering": lambda f, n: items.EndRendering(n, f.text("in")),
    "work": _work,
}

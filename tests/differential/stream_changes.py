"""Changes of a stream that take away what one judge sees and the other does not, everything else being equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cell_states import ALL, ANY

from renderwright.render.sync.oracle import check
from renderwright.render.sync.oracle.names import ACCESSES, STAGES, WRITE_ACCESSES
from renderwright.render.sync.oracle.stream import (
    Barrier,
    BeginRendering,
    Buffer,
    Dependency,
    HostWait,
    Image,
    Item,
    ResetEvent,
    SetEvent,
    Stream,
    Submit,
    Wait,
    WaitEvents,
    Work,
)

_STORAGE_READ, _STORAGE_WRITE = ACCESSES["SHADER_STORAGE_READ"], ACCESSES["SHADER_STORAGE_WRITE"]
_DEPTH_NAMES = {
    "DEPTH_ATTACHMENT_OPTIMAL": "DEPTH_STENCIL_ATTACHMENT_OPTIMAL",
    "DEPTH_READ_ONLY_OPTIMAL": "DEPTH_STENCIL_READ_ONLY_OPTIMAL",
}


def _barriers_for_events(stream: Stream) -> Stream:
    """Where an event is waited for stands a barrier."""

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, WaitEvents):
                yield Barrier(item.line, item.buffer, tuple(one for _, parts in item.events for one in parts))
            elif not isinstance(item, SetEvent | ResetEvent):
                yield item

    return _stream(stream, items())


def _apart(stream: Stream) -> Stream:
    """Every resource has memory of its own."""
    items = (replace(item, memory=None) if isinstance(item, Image | Buffer) else item for item in stream.items)
    return _stream(stream, items)


def _written_only(stream: Stream) -> Stream:
    """What a binding reads and writes is only written."""
    both = _STORAGE_READ | _STORAGE_WRITE

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, Work):
                uses = [
                    replace(one, access=_STORAGE_WRITE) if one.access & both == both else one for one in item.accesses
                ]
                item = replace(item, accesses=tuple(uses))
            yield item

    return _stream(stream, items())


def _direct(stream: Stream) -> Stream:
    """Draws take their counts from no buffer."""
    indirect = STAGES["DRAW_INDIRECT"]

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, Work) and item.draws:
                item = replace(item, accesses=tuple(one for one in item.accesses if not one.stages & indirect))
            yield item

    return _stream(stream, items())


def _unindexed(stream: Stream) -> Stream:
    """Draws have no indices."""
    indices = STAGES["INDEX_INPUT"]

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, Work) and item.draws:
                item = replace(item, accesses=tuple(one for one in item.accesses if not one.stages & indices))
            yield item

    return _stream(stream, items())


def _structs_apart(stream: Stream) -> Stream:
    """Each struct of a barrier stands in a barrier of its own."""

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, Barrier):
                yield from (replace(item, dependencies=(one,)) for one in item.dependencies)
            else:
                yield item

    return _stream(stream, items())


def _device_waits(stream: Stream) -> Stream:
    """Where the host waits, the device does: the next submission waits for all work before it."""

    def items() -> Iterator[Item]:
        waiting: tuple[Wait, ...] = ()
        for item in stream.items:
            if isinstance(item, HostWait):
                waiting = (Wait(item.semaphore, item.value, ALL),)
                continue
            if isinstance(item, Submit):
                item, waiting = replace(item, waits=waiting or item.waits), ()
            yield item

    return _stream(stream, items())


def _without_resets(stream: Stream) -> Stream:
    return _stream(stream, (item for item in stream.items if not isinstance(item, ResetEvent)))


def _equal_halves(stream: Stream) -> Stream:
    """Waits of events name what the sets name."""
    sets = {item.event: item.dependencies for item in stream.items if isinstance(item, SetEvent)}

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, WaitEvents):
                item = replace(item, events=tuple((name, sets.get(name, parts)) for name, parts in item.events))
            yield item

    return _stream(stream, items())


def _one_name_for_depth(stream: Stream) -> Stream:
    """Layouts of depth alone are called like those of depth and stencil."""

    def name(layout: str) -> str:
        return _DEPTH_NAMES.get(layout, layout)

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, Work):
                uses = tuple(replace(one, layout=name(one.layout)) for one in item.accesses)
                item = replace(item, accesses=uses)
            elif isinstance(item, BeginRendering):
                ends = tuple(replace(one, layout=name(one.layout)) for one in item.attachments)
                item = replace(item, attachments=ends)
            yield item

    return _each_dependency(_stream(stream, items()), lambda one: replace(one, old=name(one.old), new=name(one.new)))


def _without_reads_since(stream: Stream) -> Stream:
    """Between two accesses that the oracle finds in conflict nobody reads the resource, nor does rendering load it."""
    gone: set[tuple[int, str]] = set()
    for finding in check(stream).findings:
        if finding.before is None:
            continue
        for item in stream.items:
            if isinstance(item, Work | BeginRendering) and finding.before.line < item.line < finding.at.line:
                gone.add((item.line, finding.resource))

    def items() -> Iterator[Item]:
        for item in stream.items:
            if isinstance(item, Work):
                hit = [one for one in item.accesses if (item.line, one.resource) in gone]
                reads = [one for one in hit if not one.access & WRITE_ACCESSES]
                if reads and item.name in ("copy", "blit"):
                    continue
                item = replace(item, accesses=tuple(one for one in item.accesses if one not in reads))
            elif isinstance(item, BeginRendering):
                ends = [
                    replace(one, load="clear") if (item.line, one.resource) in gone and one.store != "none" else one
                    for one in item.attachments
                ]
                kept = [one for one in ends if (item.line, one.resource) not in gone or one.store != "none"]
                item = replace(item, attachments=tuple(kept or ends))
            yield item

    return _stream(stream, items())


def _waits_at_sets(stream: Stream) -> Stream:
    """Events are waited for where they are set: no barrier comes between."""
    waits = {name: item for item in stream.items if isinstance(item, WaitEvents) for name, _ in item.events}

    def items() -> Iterator[Item]:
        for item in stream.items:
            if not isinstance(item, WaitEvents):
                yield item
            if isinstance(item, SetEvent) and item.event in waits:
                yield replace(waits[item.event], buffer=item.buffer)

    return _stream(stream, items())


def _global_last(stream: Stream) -> Stream:
    """What a barrier or an event says of all memory stands in a barrier of its own after it."""

    def named(parts: Sequence[Dependency]) -> tuple[Dependency, ...]:
        return tuple(one for one in parts if one.resource)

    def items() -> Iterator[Item]:
        for item in stream.items:
            rest: Sequence[Dependency] = ()
            match item:
                case Barrier():
                    item, rest = replace(item, dependencies=named(item.dependencies)), item.dependencies
                case SetEvent():
                    item = replace(item, dependencies=named(item.dependencies))
                case WaitEvents():
                    rest = [one for _, parts in item.events for one in parts]
                    item = replace(item, events=tuple((name, named(parts)) for name, parts in item.events))
            yield item
            last = tuple(one for one in rest if not one.resource)
            if last:
                yield Barrier(item.line, getattr(item, "buffer", ""), last)

    return _stream(stream, items())


def _both_tests(stream: Stream) -> Stream:
    """Barriers that name the early or the late tests name both."""
    tests = STAGES["EARLY_FRAGMENT_TESTS"] | STAGES["LATE_FRAGMENT_TESTS"]

    def both(one: Dependency) -> Dependency:
        return replace(one, dst_stages=one.dst_stages | tests) if one.dst_stages & tests else one

    return _each_dependency(stream, both)


def _changes_held(stream: Stream) -> Stream:
    """Layout changes that name no destination stage hold all commands."""

    def held(one: Dependency) -> Dependency:
        return replace(one, dst_stages=ALL, dst_access=ANY) if one.new and not one.dst_stages else one

    return _each_dependency(stream, held)


def _changes_wait(stream: Stream) -> Stream:
    """Layout changes that name no source stage wait for all commands."""

    def waiting(one: Dependency) -> Dependency:
        return replace(one, src_stages=ALL) if one.new and not one.src_stages else one

    return _each_dependency(stream, waiting)


def _each_dependency(stream: Stream, change: Callable[[Dependency], Dependency]) -> Stream:
    def items() -> Iterator[Item]:
        for item in stream.items:
            match item:
                case Barrier() | SetEvent():
                    item = replace(item, dependencies=tuple(map(change, item.dependencies)))
                case WaitEvents():
                    events = tuple((name, tuple(map(change, parts))) for name, parts in item.events)
                    item = replace(item, events=events)
            yield item

    return _stream(stream, items())


def _stream(stream: Stream, items: Iterator[Item]) -> Stream:
    return replace(stream, items=tuple(replace(item, line=number) for number, item in enumerate(items, 2)))


_HAZARDS: dict[str, Callable[[Stream], Stream]] = {
    "a binding that reads and writes": _written_only,
    "a read since the write": _without_reads_since,
    "the host's wait": _device_waits,
    "a layout change without a source": _changes_wait,
    "a layout change without a destination": _changes_held,
    "vertices of an indirect draw": _direct,
    "vertices of an indexed draw": _unindexed,
    "early and late tests": _both_tests,
    "structs of one barrier": _global_last,
    "barriers between the halves of an event": _waits_at_sets,
    "source stages of an event": _barriers_for_events,
}
_ALIASES = {"different resources in one memory": _apart}
_DEPTH = {"two names of one depth layout": _one_name_for_depth}
_EVENTS = {"halves of an event that differ": _equal_halves}

ORACLE_SEES: dict[str, dict[str, Callable[[Stream], Stream]]] = {
    "hazard": _ALIASES | _HAZARDS | _DEPTH | _EVENTS,
    "layout": _ALIASES
    | _DEPTH
    | _EVENTS
    | {"old layouts of an event": _barriers_for_events, "several structs of one image": _structs_apart},
    "event": {"resets of events": _without_resets} | _EVENTS,
}
"""By what only the oracle objects to, for each family: the change after which both judges do, or neither."""

LAYER_SEES: dict[str, dict[str, Callable[[Stream], Stream]]] = {
    "hazard": _ALIASES | _EVENTS | {"mips of some layers through an event": _barriers_for_events},
    "layout": {"layouts where an event is set": _waits_at_sets},
}
"""By what only the newest layer objects to: the same."""

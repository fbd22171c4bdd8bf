"""A stream with one mistake: something of its synchronisation is dropped, weakened, moved or changed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from renderwright.render.sync.oracle.names import ACCESSES, STAGES, accesses, bits, split
from renderwright.render.sync.oracle.stream import (
    Barrier,
    Dependency,
    Item,
    Range,
    ResetEvent,
    SetEvent,
    Stream,
    Submit,
    WaitEvents,
    Work,
)

Mutant = tuple[str, list[Item]]

_SUPPORTED = {
    "UNIFORM_READ": "VERTEX_SHADER|FRAGMENT_SHADER|COMPUTE_SHADER",
    "SHADER_SAMPLED_READ": "VERTEX_SHADER|FRAGMENT_SHADER|COMPUTE_SHADER",
    "SHADER_STORAGE_READ": "VERTEX_SHADER|FRAGMENT_SHADER|COMPUTE_SHADER",
    "SHADER_STORAGE_WRITE": "VERTEX_SHADER|FRAGMENT_SHADER|COMPUTE_SHADER",
    "TRANSFER_READ": "COPY|BLIT|RESOLVE",
    "TRANSFER_WRITE": "COPY|BLIT|RESOLVE|CLEAR",
    "COLOR_ATTACHMENT_READ": "COLOR_ATTACHMENT_OUTPUT",
    "COLOR_ATTACHMENT_WRITE": "COLOR_ATTACHMENT_OUTPUT",
    "DEPTH_STENCIL_ATTACHMENT_READ": "EARLY_FRAGMENT_TESTS|LATE_FRAGMENT_TESTS",
    "DEPTH_STENCIL_ATTACHMENT_WRITE": "EARLY_FRAGMENT_TESTS|LATE_FRAGMENT_TESTS",
    "INDIRECT_COMMAND_READ": "DRAW_INDIRECT",
    "INDEX_READ": "INDEX_INPUT",
    "VERTEX_ATTRIBUTE_READ": "VERTEX_ATTRIBUTE_INPUT",
}
_OTHER_STAGES = ("VERTEX_SHADER", "FRAGMENT_SHADER", "COMPUTE_SHADER", "COPY", "CLEAR", "COLOR_ATTACHMENT_OUTPUT")
_NOT_HERE = sum(STAGES[f"{name}_SHADER"] for name in ("TESSELLATION_CONTROL", "TESSELLATION_EVALUATION", "GEOMETRY"))
_OTHER_LAYOUTS = ("GENERAL", "TRANSFER_SRC_OPTIMAL", "SHADER_READ_ONLY_OPTIMAL")


def mutant(stream: Stream, seed: int) -> tuple[str, Stream]:
    """What was done, and the stream; ('', the same) when there is nothing to weaken."""
    rng = random.Random(seed)
    found = [make for at, item in enumerate(stream.items) for make in _ways(stream.items, at, item)]
    rng.shuffle(found)
    for make in found:
        made = make(rng)
        if made is not None:
            name, items = made
            return name, replace(stream, items=tuple(_numbered(items)))
    return "", stream


def _numbered(items: Sequence[Item]) -> Iterator[Item]:
    """The items with the lines that they would be read from."""
    return (replace(item, line=number) for number, item in enumerate(items, 2))


def _ways(items: Sequence[Item], at: int, item: Item) -> Iterator[Callable[[random.Random], Mutant | None]]:
    def put(name: str, *new: Item) -> Mutant:
        return name, [*items[:at], *new, *items[at + 1 :]]

    match item:
        case Barrier():
            yield lambda rng: put("no barrier")
            yield lambda rng: _weaker_barrier(rng, item, put)
            yield lambda rng: _weaker_barrier(rng, item, put)
            yield lambda rng: _moved(items, at, rng)
        case SetEvent():
            yield lambda rng: _changed_event(rng, items, at, item, both=True)
            yield lambda rng: _changed_event(rng, items, at, item, both=True)
            yield lambda rng: _moved(items, at, rng)
        case WaitEvents():
            yield lambda rng: put("no wait for an event")
            yield lambda rng: _changed_event(rng, items, at, item, both=False)
            yield lambda rng: _moved(items, at, rng)
        case ResetEvent():
            yield lambda rng: put("an earlier reset", replace(item, stages=STAGES["COPY"]))
        case Submit() if item.waits:
            yield lambda rng: put("no wait", replace(item, waits=()))
            wait = item.waits[0]
            yield lambda rng: put("an older value", replace(item, waits=(replace(wait, value=wait.value - 1),)))
            stage = lambda rng: STAGES[rng.choice(_OTHER_STAGES)]  # noqa: E731
            yield lambda rng: put("a narrow wait", replace(item, waits=(replace(wait, stages=stage(rng)),)))
        case Submit() if item.signals:
            signal = item.signals[0]
            stages = STAGES["COMPUTE_SHADER"]
            yield lambda rng: put("a narrow signal", replace(item, signals=(replace(signal, stages=stages),)))
        case Work() if any(one.layout for one in item.accesses) and not item.draws and item.name != "clear":
            yield lambda rng: _other_layout(rng, item, put)


def _weaker_barrier(rng: random.Random, item: Barrier, put: Callable[..., Mutant]) -> Mutant | None:
    if not item.dependencies:
        return None
    at = rng.randrange(len(item.dependencies))
    made = weaker(rng, item.dependencies[at])
    if made is None:
        return None
    name, parts = made
    return put(name, replace(item, dependencies=(*item.dependencies[:at], *parts, *item.dependencies[at + 1 :])))


def _changed_event(
    rng: random.Random, items: Sequence[Item], at: int, item: SetEvent | WaitEvents, *, both: bool
) -> Mutant | None:
    """A weaker dependency of an event: in both halves, or only in its wait."""
    event, old = (item.event, item.dependencies) if isinstance(item, SetEvent) else item.events[0]
    number = rng.randrange(len(old))
    made = weaker(rng, old[number])
    if made is None or (both and not made[1]):
        return None
    new = (*old[:number], *made[1], *old[number + 1 :])
    if not new:
        return None
    changed = list(items)
    for place, other in enumerate(items):
        if isinstance(other, WaitEvents) and other.events[0][0] == event:
            changed[place] = replace(other, events=((event, new),))
        elif both and isinstance(other, SetEvent) and other.event == event:
            changed[place] = replace(other, dependencies=new)
    return f"event: {made[0]}" if both else f"wait unlike its set: {made[0]}", changed


def _moved(items: Sequence[Item], at: int, rng: random.Random) -> Mutant | None:
    """The barrier (or half of one) a few commands earlier or later, never into rendering."""
    end = at + rng.choice([-6, -4, -3, -2, -1, 1, 2, 3, 4])
    rest = [*items[:at], *items[at + 1 :]]
    if not 0 < end < len(rest):
        return None
    between = items[min(at, end) : max(at, end) + 1]
    buffer = getattr(items[at], "buffer", "")
    event = items[at].event if isinstance(items[at], SetEvent) else ""
    for one in between:
        if getattr(one, "buffer", None) != buffer or type(one).__name__ in ("Begin", "Submit"):
            return None
        if isinstance(one, WaitEvents) and (one is not items[at]) and event in [name for name, _ in one.events]:
            return None
        if isinstance(items[at], WaitEvents) and isinstance(one, SetEvent | ResetEvent):
            return None
    if isinstance(items[at], SetEvent) and any(isinstance(one, WaitEvents | ResetEvent) for one in between):
        return None
    names = [type(one).__name__ for one in rest[:end]]
    if names.count("BeginRendering") > names.count("EndRendering"):
        return None
    return "moved", [*rest[:end], items[at], *rest[end:]]


def _other_layout(rng: random.Random, item: Work, put: Callable[..., Mutant]) -> Mutant | None:
    at = rng.choice([number for number, one in enumerate(item.accesses) if one.layout])
    one = item.accesses[at]
    if one.layout == "GENERAL":
        return None
    changed = replace(one, layout="GENERAL")
    return put("another layout", replace(item, accesses=(*item.accesses[:at], changed, *item.accesses[at + 1 :])))


def weaker(rng: random.Random, one: Dependency) -> tuple[str, tuple[Dependency, ...]] | None:
    """A weaker form of a dependency (or none of it)."""
    kind = rng.randrange(9)
    if kind == 0:
        return "no dependency", ()
    if kind == 1 and one.src_stages:
        return "no source", (replace(one, src_stages=0, src_access=0),)
    if kind == 2 and one.dst_stages:
        return "no destination", (replace(one, dst_stages=0, dst_access=0),)
    if kind == 3 and one.src_access:
        return "no source accesses", (replace(one, src_access=_fewer(rng, one.src_access)),)
    if kind == 4 and one.dst_access:
        return "no destination accesses", (replace(one, dst_access=_fewer(rng, one.dst_access)),)
    if kind in (5, 6):
        source = kind == 5
        stages = one.src_stages if source else one.dst_stages
        new = _narrower(rng, split(stages, source=source))
        access = _supported(one.src_access if source else one.dst_access, new)
        if source:
            return "other source stages", (replace(one, src_stages=new, src_access=access),)
        return "other destination stages", (replace(one, dst_stages=new, dst_access=access),)
    if kind == 7 and one.resource:
        part = _smaller(rng, one)
        return ("a smaller range", (replace(one, range=part),)) if part is not None else None
    if kind == 8 and one.new and one.old != one.new:
        if rng.random() < 0.5 and one.old != "UNDEFINED":
            return "another old layout", (replace(one, old=rng.choice(_OTHER_LAYOUTS)),)
        return "another new layout", (replace(one, new=rng.choice(_OTHER_LAYOUTS)),)
    return None


def _fewer(rng: random.Random, mask: int) -> int:
    numbers = bits(mask)
    return mask & ~(1 << rng.choice(numbers)) if len(numbers) > 1 else 0


def _narrower(rng: random.Random, single: int) -> int:
    numbers = bits(single & ~_NOT_HERE)
    if len(numbers) > 1 and rng.random() < 0.7:
        return single & ~_NOT_HERE & ~(1 << rng.choice(numbers))
    return STAGES[rng.choice(_OTHER_STAGES)]


def _supported(mask: int, stages: int) -> int:
    """The accesses of the mask that some of the stages can make."""
    known = accesses(mask)
    found = 0
    for name, where in _SUPPORTED.items():
        if known & ACCESSES[name] and any(stages & STAGES[stage] for stage in where.split("|")):
            found |= ACCESSES[name]
    return found


def _smaller(rng: random.Random, one: Dependency) -> Range | None:
    """A part of the range; the first mip, layer or bytes of it."""
    part = one.range
    if one.old:
        mips, layers = part.mips, part.layers
        if rng.random() < 0.5 and (mips is None or mips[1] > 1):
            return Range(mips=(mips[0] if mips else 0, 1), layers=layers)
        return Range(mips=mips, layers=(layers[0] if layers else 0, 1))
    if part.size == 256:
        return None
    return Range(offset=part.offset, size=256)

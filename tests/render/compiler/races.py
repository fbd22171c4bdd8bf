"""Accesses to common bytes that no chain of barriers orders, among the events of replayed frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from renderwright.render.sync.barriers import Issued
from renderwright.render.sync.flags import WRITES, Stage

Bytes = tuple[str, int, int]

EVERYWHERE = ("all memory", 0, 0)


@dataclass
class Event:
    """An access by a command, a barrier with perhaps a layout change (an access that the barrier owns), or a gate: the
    display lets go of its image at this stage."""

    time: int
    frame: int
    label: str
    stages: int = 0
    access: int = 0
    where: Bytes = ("", 0, 0)
    render_pass: int = -1
    barrier: Issued | None = None
    change: bool = False
    gate: bool = False

    @property
    def writes(self) -> bool:
        return self.change or bool(self.access & WRITES)


def races(events: list[Event], limit: int, frames: int, distance: int) -> Iterator[str]:
    """Of accesses in the first ``frames``, with those that follow within ``distance`` frames."""
    for number, event in enumerate(events):
        if event.frame >= frames or (event.barrier is not None and not event.change):
            continue
        for bit in _bits(event.stages) if not event.change else (0,):
            for found in _follow(events, number, bit, distance):
                yield found
                limit -= 1
                if limit <= 0:
                    return


def meet(one: Bytes, other: Bytes) -> bool:
    return EVERYWHERE in (one, other) or (one[0] == other[0] and one[1] < other[2] and other[1] < one[2])


def _covers(outer: Bytes, one: Bytes, other: Bytes) -> bool:
    """Whether ``outer`` has all bytes that ``one`` and ``other`` share."""
    return outer == EVERYWHERE or (
        outer[0] == one[0] and outer[1] <= max(one[1], other[1]) and min(one[2], other[2]) <= outer[2]
    )


@dataclass
class _Reach:
    """How far the effects of one access have spread through barriers: stages that wait for it; ranges in which its
    writes are available; (range, stages, access) to which they are visible."""

    stages: int
    after: int = 0
    available: list[Bytes] = field(default_factory=list)
    visible: list[tuple[Bytes, int, int]] = field(default_factory=list)


def _follow(events: list[Event], number: int, bit: int, distance: int) -> Iterator[str]:
    """Checks one stage of an access against everything within ``distance`` frames."""
    first = events[number]
    reach = _Reach(bit)
    if first.barrier is not None:
        reach.after = first.barrier.dst_stages
        reach.available.append(first.where)
        reach.visible.append((first.where, first.barrier.dst_stages, first.barrier.dst_access))
    overwritten: list[Bytes] = []
    batch: list[Event] = []
    for event in events[number + 1 :]:
        if event.frame > first.frame + distance:
            return
        if batch and event.time != batch[0].time:
            _spread(reach, first, batch)
            batch = []
        if event.barrier is not None and event.time != first.time:
            batch.append(event)
        if not (event.writes or first.writes) or not meet(event.where, first.where):
            continue
        if event.time == first.time:
            if event.change and first.change:
                yield f"frame {first.frame}: {first.label} and {event.label} change layouts in one batch"
            continue
        if event.gate or (event.barrier is not None and not event.change):
            continue
        if first.render_pass == event.render_pass >= 0 and first.where == event.where:
            continue
        direct = first.writes and not any(_covers(done, first.where, event.where) for done in overwritten)
        problem = _ordered(reach, first, event, direct)
        if problem:
            yield f"frame {first.frame}: {first.label} -> frame {event.frame}: {event.label}: {problem}"
        if event.writes:
            overwritten.append(event.where)


def _ordered(reach: _Reach, first: Event, event: Event, direct: bool) -> str:
    """What is missing between the two, or ''; ``direct`` asks for availability and visibility too."""
    if event.barrier is not None:
        if not event.barrier.src_stages & (reach.stages | reach.after):
            return "the layout change does not wait"
        made = event.barrier.src_stages & reach.stages and not first.access & WRITES & ~event.barrier.src_access
        if direct and not made and not any(_covers(done, first.where, event.where) for done in reach.available):
            return "the layout change does not wait for the write to be available"
        return ""
    for bit in _bits(event.stages):
        if not bit & reach.after:
            return "not ordered"
        if direct and not any(
            bit & stages and not event.access & ~access and _covers(where, first.where, event.where)
            for where, stages, access in reach.visible
        ):
            return "not visible"
    return ""


def _spread(reach: _Reach, first: Event, batch: list[Event]) -> None:
    """One pipeline barrier: its parts do not chain with each other."""
    before, available = reach.after, list(reach.available)
    for event in batch:
        barrier = event.barrier
        assert barrier is not None
        direct = barrier.src_stages & reach.stages
        if not (_with_earlier(barrier.src_stages) & reach.stages or barrier.src_stages & before):
            continue
        reach.after |= _with_later(barrier.dst_stages)
        if not first.writes or not meet(event.where, first.where):
            continue
        known = any(_covers(done, first.where, event.where) for done in available)
        if direct and not first.access & WRITES & ~barrier.src_access:
            reach.available.append(event.where)
            known = True
        if known:
            reach.visible.append((event.where, barrier.dst_stages, barrier.dst_access))


# "Pipeline Stages" in the specification: the order in which a draw goes through them.
_DRAW = (
    Stage.DRAW_INDIRECT,
    Stage.INDEX_INPUT | Stage.VERTEX_ATTRIBUTE_INPUT,
    Stage.VERTEX_SHADER,
    Stage.EARLY_FRAGMENT_TESTS,
    Stage.FRAGMENT_SHADER,
    Stage.LATE_FRAGMENT_TESTS,
    Stage.COLOR_ATTACHMENT_OUTPUT,
)


def _with_earlier(stages: int) -> int:
    """A barrier waits for the execution of the stages in front of its own as well; their accesses are not meant."""
    last = max((number for number, stage in enumerate(_DRAW) if stage & stages), default=-1)
    return int(stages) | sum(int(stage) for stage in _DRAW[: last + 1] if not stage & stages)


def _with_later(stages: int) -> int:
    """And it holds back those behind them."""
    first = min((number for number, stage in enumerate(_DRAW) if stage & stages), default=len(_DRAW))
    return int(stages) | sum(int(stage) for stage in _DRAW[first:] if not stage & stages)


def _bits(mask: int) -> Iterator[int]:
    mask = int(mask)
    while mask:
        low = mask & -mask
        yield low
        mask ^= low

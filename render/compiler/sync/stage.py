"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from collections.abc import Sequence, Set

from renderwright.render.compiler.sync.aliasing import CopyOnQueue, Sharing, last_before, openings
from renderwright.render.compiler.sync.batches import Batched, Copies, FirstUses
from renderwright.render.compiler.sync.coalescing import united
from renderwright.render.compiler.sync.derivation import Flows
from renderwright.render.incremental.memo import Parts
from renderwright.render.sync.barriers import Barrier, BarrierBatch, BarrierReason, SyncPlan
from renderwright.render.sync.derive import Opening
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.sync.images import APART, CopyKey, Images

_ACTIVATE = BarrierReason.ACTIVATE


def sync(flows: Flows, shared: Sharing, images: Images = APART, parts: Parts | None = None) -> SyncPlan:
    """Barriers in front of and behind passes.

    The first use of each copy starts from undefined contents and waits for everything that shares its memory. It brings
    the image into its layout unless that is the one in which it is.
    """
    batched = flows.batched
    uses = batched.first_uses
    closed = [batched.barriers[number] for number in uses.numbers]
    even_keys, odd_keys = (
        list(zip([pair[parity][:2] for pair in closed], uses.queues, strict=True)) for parity in (0, 1)
    )
    first: dict[CopyOnQueue, int] = {}
    if flows.ends is not None:
        for keys in (even_keys, odd_keys):
            for key, place in zip(keys, uses.places, strict=True):
                first[key] = min(place, first.get(key, place))
    sources = openings(shared, flows.reaches, even_keys + odd_keys, flows.ends, first)
    if images.stay:
        closed = [_staying(first, images.stay) for first in closed]
    opened = (parts or Parts()).of(_opened).all(even_keys, closed, sources[: len(closed)], sources[len(closed) :])
    sinces = _sinces(flows, shared) if flows.lasts else (batched.since, batched.since)
    even, odd = (_frame(batched, [pair[parity] for pair in opened], parity, sinces[parity]) for parity in (0, 1))
    # Where each usage has its own layout nearly all barriers change one, and uniting the few others saves none.
    if flows.layouts.unified:
        even, odd = united((even, odd), flows.queues, regular=bool(flows.lasts))
    return SyncPlan(even, odd, flows.rest, flows.shared, flows.splitting, flows.layouts, images)


def _frame(
    batched: Batched, opened: Sequence[Barrier | None], parity: int, since: Sequence[int]
) -> tuple[BarrierBatch, ...]:
    """The batches of an even (0) or odd (1) frame whose copies are ``opened`` so."""
    barriers: list[Barrier | None] = [pair[parity] for pair in batched.barriers]
    left = _without_those_that_others_stand_for(batched.first_uses, opened)
    for number, opening in zip(batched.first_uses.numbers, left, strict=True):
        barriers[number] = opening
    return batched.batches(parity, barriers, since)


def _without_those_that_others_stand_for(uses: FirstUses, opened: Sequence[Barrier | None]) -> Sequence[Barrier | None]:
    """The openings of a frame, None for each that another one in front of it, on the same queue, stands for."""
    if not any(map(_only_waits, opened)):
        return opened
    found = list(opened)
    standing = _Standing()
    for number in sorted(range(len(found)), key=uses.places.__getitem__):
        opening = opened[number]
        if opening is not None and standing.already(uses.queues[number], opening):
            found[number] = None
    return found


def _only_waits(opening: Barrier | None) -> bool:
    """Whether an opening only waits for what earlier frames did, and makes nothing visible."""
    return (
        opening is not None
        and opening.reason is _ACTIVATE
        and opening.is_plain
        and not (int(opening.src_access) or int(opening.dst_access))
    )


class _Standing:
    """The openings on each queue so far.

    One that only waits (``_only_waits``) is not needed behind another one that waits for the same stages on behalf of
    the same: all commands that came before that one are meant.
    """

    def __init__(self) -> None:
        self._found: dict[str, dict[tuple[int, int], None]] = {}

    def already(self, queue: str, opening: Barrier) -> bool:
        """Whether another one stands for an opening; otherwise it may stand for those behind it."""
        found = self._found.setdefault(queue, {})
        # As plain integers: operations of flags take long.
        sources, targets = int(opening.src_stages), int(opening.dst_stages)
        if _only_waits(opening):
            for others, theirs in found:
                if sources & others == sources and targets & theirs == targets:
                    return True
        found[sources, targets] = None
        return False


def _staying(first: Copies, stay: Set[CopyKey]) -> Copies:
    """The first barriers of copies of which some stay in the layout in which their image is already."""
    even, odd = (
        each._replace(old_layout=each.new_layout) if (each.resource, each.copy) in stay else each for each in first
    )
    return even, odd


def _opened(first: Copies, even: Opening, odd: Opening) -> tuple[Barrier | None, Barrier | None]:
    """The first barriers of copies in an even and in an odd frame with their sources."""
    return _with_source(first[0], even), _with_source(first[1], odd)


def _with_source(first: Barrier, source: Opening) -> Barrier | None:
    """The first barrier of a copy with its source; None if there is none, and no layout to change either."""
    resource, copy, _, _, stages, access, old_layout, new_layout, _, split, _, mips, layers = first
    nobody, plain = source.stages is Stage.NONE, old_layout is new_layout
    if nobody and plain:
        return None
    return Barrier(
        resource,
        copy,
        # Where nobody on this queue had the memory, a semaphore was waited for; any stage carries its effect on.
        (stages or Stage.ALL_COMMANDS) if nobody else source.stages,
        source.access,
        stages,
        access if source.unseen or not plain else Access.NONE,
        old_layout,
        new_layout,
        source.reason,
        split,
        None,
        mips,
        layers,
    )


def _sinces(flows: Flows, shared: Sharing) -> tuple[Sequence[int], Sequence[int]]:
    """What the barriers wait for in an even frame and in an odd one (``BarrierBatch``): those of first uses, for the
    pass in which somebody else has had the memory last."""
    batched = flows.batched
    numbers = batched.first_uses.numbers
    uses = [
        (*batched.barriers[number][parity][:2], parity, place)
        for parity in (0, 1)
        for number, place in zip(numbers, batched.first_uses.places, strict=True)
    ]
    places = last_before(shared, flows.lasts, flows.length, uses)
    found = list(batched.since), list(batched.since)
    for since, own in zip(found, (places[: len(numbers)], places[len(numbers) :]), strict=True):
        for number, place in zip(numbers, own, strict=True):
            since[number] = place // 2
    return found

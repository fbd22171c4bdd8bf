"""Poison: fills the bytes of a copy at the end of its live range, so that stale reads show in the picture.

A debugging aid. Results of a frame must not depend on it: any poison gives the same picture, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.compiler.values.operations import BeginPassOp, EndPassOp, NodeOp, Op
from renderwright.render.compiler.values.placement import PlacedResource
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.types.physical import PhysicalInfo, TextureInfo

_WORD = 4
"""Bytes per filled word; offsets and sizes of fills are multiples of it."""


class Poison(StrEnum):
    """The fill pattern. ``MIXED`` cycles through the others, one resource after another."""

    ZERO = "zero"
    NAN = "nan"
    INFINITY = "infinity"
    ONES = "ones"
    MIXED = "mixed"


_KINDS = (Poison.ZERO, Poison.NAN, Poison.INFINITY, Poison.ONES)

# By the number encoding of the format; formats that are neither half nor packed get 32-bit floats.
_HALF = {Poison.NAN: 0x7E007E00, Poison.INFINITY: 0x7C007C00}
_PACKED = {Poison.NAN: 0xFFFFFFFF, Poison.INFINITY: 0xF83E07C0}
_FLOAT = {Poison.NAN: 0x7FC00000, Poison.INFINITY: 0x7F800000}
_ALWAYS = {Poison.ZERO: 0, Poison.ONES: 0xFFFFFFFF}


@dataclass(frozen=True)
class Fill:
    """Bytes [start, end) of a heap (by number in the placement), filled with a repeated 32-bit ``word``."""

    heap: int
    start: int
    end: int
    word: int


@dataclass(frozen=True)
class PoisonOp:
    """Fill the bytes of ended live ranges, between full barriers."""

    fills: tuple[Fill, ...]


def poison_word(kind: Poison, info: PhysicalInfo | None, number: int = 0) -> int:
    """The word for memory that held ``info``, in its format's encoding; ``number`` picks one of the mixed poisons."""
    if kind is Poison.MIXED:
        kind = _KINDS[number % len(_KINDS)]
    if kind in _ALWAYS:
        return _ALWAYS[kind]
    name = info.format if isinstance(info, TextureInfo) else ""
    words = _HALF if "16_sfloat" in name else _PACKED if "b10g11r11" in name else _FLOAT
    return words[kind]


def poisoned(ops: Sequence[Op], plan: Plan, whole: Plan, parity: int, kind: Poison) -> list[Op | PoisonOp]:
    """The operations of an even (0) or odd (1) frame, with a fill after the end of each live range in that frame.

    The operations belong to ``plan``, which is ``whole`` or a partial plan of it. Live ranges are those of ``whole``:
    if one ends with a skipped node, the fill comes before the next node that runs, which may reuse the bytes.
    """
    numbers = {node.id: number for number, node in enumerate(whole.graph.nodes)}
    running = [numbers[node.id] for node in plan.graph.nodes]
    endings = sorted(_endings(whole, parity, kind), key=lambda ending: ending[0])
    woven: list[Op | PoisonOp] = []

    def fill_before(node: int) -> None:
        fills = []
        while endings and endings[0][0] < node:
            fills.append(endings.pop(0)[1])
        if fills:
            woven.append(PoisonOp(tuple(fills)))

    following = iter([*running[1:], len(numbers)])
    after = running[0] if running else len(numbers)
    fill_before(after)
    in_pass = False
    for op in ops:
        woven.append(op)
        match op:
            case BeginPassOp():
                in_pass = True
            case EndPassOp():
                in_pass = False
            case NodeOp():
                after = next(following)
        if not in_pass and isinstance(op, NodeOp | EndPassOp):
            fill_before(after)
    return woven


def gaps(heaps: Sequence[int], taken: Sequence[tuple[int, int, int]], kind: Poison) -> PoisonOp:
    """Fills of all heaps (sizes in bytes) except the ``taken`` ranges (heap, start, end)."""
    fills: list[Fill] = []
    for heap, size in enumerate(heaps):
        begin = 0
        for start, end in sorted((start, end) for one, start, end in taken if one == heap):
            fills += _fill(heap, begin, start, poison_word(kind, None, len(fills)))
            begin = max(begin, end)
        fills += _fill(heap, begin, size, poison_word(kind, None, len(fills)))
    return PoisonOp(tuple(fills))


def _endings(plan: Plan, parity: int, kind: Poison) -> Iterable[tuple[int, Fill]]:
    """The live ranges that end in a frame of the parity: number of the last node, and the fill."""
    count = len(plan.graph.nodes)
    for number, placed in enumerate(plan.placement.resources):
        for copy in placed.copies:
            start, end = copy.live_range
            # Sinks keep their contents for readers outside the frame, until their bytes are reused.
            is_kept_sink = placed.id in plan.graph.sinks and end % count == 0
            if end - start >= 2 * count or is_kept_sink or _is_transient(placed):
                continue
            frame, node = divmod((end - 1) % (2 * count), count)
            if frame == parity:
                word = poison_word(kind, placed.info, number)
                for fill in _fill(copy.heap, copy.offset, copy.offset + placed.size, word):
                    yield node, fill


def _is_transient(placed: PlacedResource) -> bool:
    """Transient attachments may have no memory, so there are no stale bytes."""
    return isinstance(placed.info, TextureInfo) and placed.info.transient


def _fill(heap: int, start: int, end: int, word: int) -> list[Fill]:
    """A fill of the whole words within the bytes."""
    start, end = -(-start // _WORD) * _WORD, end // _WORD * _WORD
    return [Fill(heap, start, end, word)] if start < end else []

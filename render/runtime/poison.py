"""Poison: fills memory at the end of each life in it, so that whoever reads what is stale shows it in the picture.

A debugging aid. What a frame computes must not depend on it: with any poison the pictures are the same, bit by bit.
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
"""Bytes that are filled at once: the unit of fills, of their offsets and of their sizes."""


class Poison(StrEnum):
    """What memory is filled with. ``MIXED`` takes the others in turn, one life after the other."""

    ZERO = "zero"
    NAN = "nan"
    INFINITY = "infinity"
    ONES = "ones"
    MIXED = "mixed"


_KINDS = (Poison.ZERO, Poison.NAN, Poison.INFINITY, Poison.ONES)

# By the format's way of writing numbers; all that is neither counts as 32-bit floats.
_HALF = {Poison.NAN: 0x7E007E00, Poison.INFINITY: 0x7C007C00}
_PACKED = {Poison.NAN: 0xFFFFFFFF, Poison.INFINITY: 0xF83E07C0}
_FLOAT = {Poison.NAN: 0x7FC00000, Poison.INFINITY: 0x7F800000}
_ALWAYS = {Poison.ZERO: 0, Poison.ONES: 0xFFFFFFFF}


@dataclass(frozen=True)
class Fill:
    """Bytes [start, end) of a heap (by its number in the placement) that get a 32-bit ``word`` over and over."""

    heap: int
    start: int
    end: int
    word: int


@dataclass(frozen=True)
class PoisonOp:
    """Fill what no longer lives, apart from everything before and after."""

    fills: tuple[Fill, ...]


def poison_word(kind: Poison, info: PhysicalInfo | None, number: int = 0) -> int:
    """The word for memory that held ``info``, in the numbers of its format; ``number`` picks one of mixed poisons."""
    if kind is Poison.MIXED:
        kind = _KINDS[number % len(_KINDS)]
    if kind in _ALWAYS:
        return _ALWAYS[kind]
    name = info.format if isinstance(info, TextureInfo) else ""
    words = _HALF if "16_sfloat" in name else _PACKED if "b10g11r11" in name else _FLOAT
    return words[kind]


def poisoned(ops: Sequence[Op], plan: Plan, whole: Plan, parity: int, kind: Poison) -> list[Op | PoisonOp]:
    """The operations of an even (0) or odd (1) frame, with what ends its life in that frame filled behind its end.

    ``plan`` is the one that the operations are of: ``whole``, or the whole plan without some nodes. Lives are those of
    the whole plan, so what ends with a node that rests is filled in front of the next one that runs, where its memory
    may have another owner.
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
    """Fills all of the heaps, of so many bytes each, but the ``taken`` (heap, start, end)."""
    fills: list[Fill] = []
    for heap, size in enumerate(heaps):
        begin = 0
        for start, end in sorted((start, end) for one, start, end in taken if one == heap):
            fills += _fill(heap, begin, start, poison_word(kind, None, len(fills)))
            begin = max(begin, end)
        fills += _fill(heap, begin, size, poison_word(kind, None, len(fills)))
    return PoisonOp(tuple(fills))


def _endings(plan: Plan, parity: int, kind: Poison) -> Iterable[tuple[int, Fill]]:
    """The nodes (by number) with which lives end in a frame of the parity, and what they leave."""
    count = len(plan.graph.nodes)
    for number, placed in enumerate(plan.placement.resources):
        for copy in placed.copies:
            start, end = copy.arc
            # What is there for whoever looks at it after the frame stays until its memory has another owner.
            looked_at = placed.id in plan.graph.sinks and end % count == 0
            if end - start >= 2 * count or looked_at or _is_fleeting(placed):
                continue
            frame, node = divmod((end - 1) % (2 * count), count)
            if frame == parity:
                word = poison_word(kind, placed.info, number)
                for fill in _fill(copy.heap, copy.offset, copy.offset + placed.size, word):
                    yield node, fill


def _is_fleeting(placed: PlacedResource) -> bool:
    """What may have no memory at all can hold nothing stale."""
    return isinstance(placed.info, TextureInfo) and placed.info.transient


def _fill(heap: int, start: int, end: int, word: int) -> list[Fill]:
    """The whole words within the bytes."""
    start, end = -(-start // _WORD) * _WORD, end // _WORD * _WORD
    return [Fill(heap, start, end, word)] if start < end else []

"""program: the flat lists of what even and odd frames do."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, compress, pairwise
from operator import attrgetter
from typing import NamedTuple, TypeVar

from renderwright.render.columns import rows_of
from renderwright.render.compiler.resources.accesses import Stretch
from renderwright.render.compiler.values.operations import (
    BarrierOp,
    BeginPassOp,
    EndPassOp,
    NodeOp,
    Op,
    Program,
    SetEventOp,
    Submission,
    SubmissionOp,
    WaitEventOp,
)
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.incremental.memo import Each, Parts
from renderwright.render.sync.barriers import BarrierBatch, SyncPlan

T = TypeVar("T", bound=Op)


class Bodies(NamedTuple):
    """The operations of all passes in an even and in an odd frame, and where those of each pass begin; the last of
    ``begins`` is where they end."""

    even: tuple[Op, ...]
    odd: tuple[Op, ...]
    begins: tuple[int, ...]


def bodies(alike: Sequence[Stretch], state: StatePlan, parts: Parts | None = None) -> Bodies:
    """What each pass does behind its barriers; ``alike`` are the graph's stretches."""
    parts = parts or Parts()
    passes = state.passes
    if not passes:
        return Bodies((), (), (0,))
    firsts, lasts, attachments, _, _, views = zip(*passes, strict=True)
    silent = {number for first, last, touches in alike if touches.targets is None for number in range(first, last + 1)}
    # There is an operation for each node, and for the end of each pass, the same ones whatever these are.
    nodes: list[Op] = _in_blocks(parts.of(_node_ops), lasts[-1] + 1)
    finishes: list[Op] = _in_blocks(parts.of(_end_ops), len(passes))
    # Attachments are always the frame's own copies; only history reads reach for the others.
    counts = list(map(len, attachments))
    evens, odds = (
        rows_of(BeginPassOp, range(len(passes)), attachments, [(parity,) * count for count in counts], views)
        for parity in (0, 1)
    )
    found: list[Op] = []
    begins: list[int] = []
    renderings: list[int] = []
    for begin, last, count, even, finish in zip(firsts, lasts, counts, evens, finishes, strict=False):
        start = len(found)
        begins.append(start)
        found += nodes[begin : last + 1]
        if not count:
            continue
        first, end = begin, last + 1
        # Nodes at the ends that record nothing stay outside the rendering.
        while first in silent:
            first += 1
        while end - 1 in silent:
            end -= 1
        found.insert(start + end - begin, finish)
        found.insert(start + first - begin, even)
        renderings.append(start + first - begin)
    begins.append(len(found))
    other = found[:]
    for number, odd in zip(renderings, compress(odds, counts), strict=True):
        other[number] = odd
    return Bodies(tuple(found), tuple(other), tuple(begins))


def program(passes: Bodies, sync: SyncPlan, submissions: Sequence[Submission]) -> Program:
    """Barriers, clears, passes and nodes in the order of issue; every node appears once."""
    return Program(
        _frame(passes.even, passes.begins, sync.even, submissions),
        _frame(passes.odd, passes.begins, sync.odd, submissions),
        tuple(submissions),
    )


def _frame(
    ops: Sequence[Op], begins: Sequence[int], batches: Sequence[BarrierBatch], submissions: Sequence[Submission]
) -> tuple[Op, ...]:
    if len(submissions) < 2:
        return tuple(_issued(ops, begins, batches))
    firsts = [item.first for item in submissions]
    cuts = [bisect_left(batches, first, key=attrgetter("number")) for first in firsts[1:]]
    found: list[Op] = []
    passes = pairwise([*firsts, len(begins) - 1])
    some = pairwise([0, *cuts, len(batches)])
    for number, ((first, end), (begin, stop)) in enumerate(zip(passes, some, strict=True)):
        found += (SubmissionOp(number), *_issued(ops[: begins[end]], begins, batches[begin:stop], first))
    return tuple(found)


def _issued(ops: Sequence[Op], begins: Sequence[int], batches: Sequence[BarrierBatch], first: int = 0) -> list[Op]:
    """The operations of passes from a ``first`` one on, with the barriers in front of them and behind them."""
    found: list[Op] = []
    done = begins[first]
    plain = rows_of(BarrierOp, [batch.issued for batch in batches])
    for op, (number, _, clears, is_behind, event, _, issued) in zip(plain, batches, strict=True):
        place = begins[number + is_behind]
        if place > done:
            found += ops[done:place]
            done = place
        if issued:
            found.append(op if event < 0 else (SetEventOp if is_behind else WaitEventOp)(event, issued))
        if clears:
            found += clears
    found += ops[done:]
    return found


_BLOCK = 64


def _in_blocks(operations: Each[tuple[T, ...]], count: int) -> list[T]:
    """At least so many of the operations that are given by the number of the first one of a block."""
    blocks = range(0, count, _BLOCK)
    return list(chain.from_iterable(operations.all(blocks, blocks)))


def _node_ops(first: int) -> tuple[NodeOp, ...]:
    return tuple([NodeOp(node) for node in range(first, first + _BLOCK)])


def _end_ops(first: int) -> tuple[EndPassOp, ...]:
    return tuple([EndPassOp(number) for number in range(first, first + _BLOCK)])

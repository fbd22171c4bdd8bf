"""program: the flat lists of what even and odd frames do."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, pairwise
from operator import attrgetter
from typing import NamedTuple, TypeVar

from render.columns import rows_of
from render.compiler.memo import Each, Parts
from render.compiler.operations import (
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
from render.compiler.stages import StatePlan
from render.compiler.touches import Stretch
from render.sync.barriers import BarrierBatch, SyncPlan

T = TypeVar("T", bound=Op)


class Bodies(NamedTuple):
    """The operations of each pass in an even and in an odd frame."""

    even: tuple[tuple[Op, ...], ...]
    odd: tuple[tuple[Op, ...], ...]


def bodies(alike: Sequence[Stretch], state: StatePlan, parts: Parts | None = None) -> Bodies:
    """What each pass does behind its barriers; ``alike`` are the graph's stretches."""
    parts = parts or Parts()
    passes = state.passes
    silent = {number for first, last, touches in alike if touches.targets is None for number in range(first, last + 1)}
    # There is an operation for each node, and for the end of each pass, the same ones whatever these are.
    nodes: list[Op] = _in_blocks(parts.of(_node_ops), passes[-1].last + 1 if passes else 0)
    ends: list[Op] = _in_blocks(parts.of(_end_ops), len(passes))
    # Attachments are always the frame's own copies; only history reads reach for the others.
    evens, odds = (
        rows_of(
            BeginPassOp,
            range(len(passes)),
            [item.attachments for item in passes],
            [(parity,) * len(item.attachments) for item in passes],
            [item.views for item in passes],
        )
        for parity in (0, 1)
    )
    found: tuple[list[tuple[Op, ...]], list[tuple[Op, ...]]] = [], []
    for (begin, last, attachments, _, _, _), even, odd, finish in zip(passes, evens, odds, ends, strict=False):
        if not attachments:
            only = tuple(nodes[begin : last + 1])
            found[0].append(only)
            found[1].append(only)
            continue
        first, end = begin, last + 1
        # Nodes at the ends that record nothing stay outside the rendering.
        while first in silent:
            first += 1
        while end - 1 in silent:
            end -= 1
        ahead = nodes[begin:first]
        inside = (*nodes[first:end], finish, *nodes[end : last + 1])
        found[0].append((*ahead, even, *inside))
        found[1].append((*ahead, odd, *inside))
    return Bodies(*map(tuple, found))


def program(passes: Bodies, sync: SyncPlan, submissions: Sequence[Submission]) -> Program:
    """Barriers, clears, passes and nodes in the order of issue; every node appears once."""
    return Program(
        _frame(passes.even, sync.even, submissions),
        _frame(passes.odd, sync.odd, submissions),
        tuple(submissions),
    )


def _frame(
    passes: Sequence[Sequence[Op]], batches: Sequence[BarrierBatch], submissions: Sequence[Submission]
) -> tuple[Op, ...]:
    if len(submissions) < 2:
        return tuple(_issued(0, passes, batches))
    firsts = [item.first for item in submissions]
    found: list[Op] = []
    for number, (first, end) in enumerate(pairwise([*firsts, len(passes) + 1])):
        begin, stop = (bisect_left(batches, place, key=attrgetter("number")) for place in (first, end))
        found += (SubmissionOp(number), *_issued(first, passes[first:end], batches[begin:stop]))
    return tuple(found)


def _issued(first: int, passes: Sequence[Sequence[Op]], batches: Sequence[BarrierBatch]) -> list[Op]:
    """The operations of passes, number ``first`` and so on, with the barriers in front of them and behind them."""
    found: list[Op] = []
    done = first
    plain = rows_of(BarrierOp, [batch.issued for batch in batches])
    for op, (number, _, clears, is_behind, event, _, issued) in zip(plain, batches, strict=True):
        while done < number + is_behind:
            found += passes[done - first]
            done += 1
        if issued and event < 0:
            found.append(op)
        elif issued:
            found.append((SetEventOp if is_behind else WaitEventOp)(event, issued))
        if clears:
            found += clears
    found += chain.from_iterable(passes[done - first :])
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

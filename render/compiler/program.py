"""program: the flat lists of what even and odd frames do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from render.compiler.operations import BarrierOp, BeginPassOp, EndPassOp, NodeOp, Op, Program
from render.compiler.stages import BarrierBatch, InstanceGraph, Pass, Placement, StatePlan, SyncPlan
from render.compiler.timeline import records


def program(graph: InstanceGraph, placement: Placement, state: StatePlan, sync: SyncPlan) -> Program:
    """Barriers, clears, passes and nodes in the order of issue; every node appears once."""
    return Program(tuple(_frame(graph, state, sync.even, 0)), tuple(_frame(graph, state, sync.odd, 1)))


def _frame(graph: InstanceGraph, state: StatePlan, batches: Sequence[BarrierBatch], parity: int) -> Iterator[Op]:
    by_pass: dict[int, list[BarrierBatch]] = {}
    for batch in batches:
        by_pass.setdefault(batch.before, []).append(batch)
    for number, item in enumerate(state.passes):
        for batch in by_pass.get(number, ()):
            yield from _batch(batch)
        yield from _pass(graph, number, item, parity)
    for batch in by_pass.get(len(state.passes), ()):
        yield from _batch(batch)


def _batch(batch: BarrierBatch) -> Iterator[Op]:
    yield BarrierOp(batch.barriers)
    yield from batch.clears


def _pass(graph: InstanceGraph, number: int, item: Pass, parity: int) -> Iterator[Op]:
    """The nodes of the pass; those at its ends that record nothing stay outside the rendering."""
    nodes = range(item.first, item.last + 1)
    if item.extent is None:
        yield from map(NodeOp, nodes)
        return
    recording = [node for node in nodes if records(graph.nodes[node])]
    first, last = recording[0], recording[-1]
    yield from map(NodeOp, range(item.first, first))
    # Attachments are always the frame's own copies; only history reads reach for the others.
    yield BeginPassOp(number, item.attachments, (parity,) * len(item.attachments), item.extent)
    yield from map(NodeOp, range(first, last + 1))
    yield EndPassOp(number)
    yield from map(NodeOp, range(last + 1, item.last + 1))

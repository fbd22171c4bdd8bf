"""Resources that could meet in one render pass, and those of them that share memory.

Which could meet does not depend on sizes, and nearly none of them share memory: so ``state`` hears of a resize only if
it has to form other passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from render.compiler.attachments import NodeTargets
from render.compiler.stages import InstanceGraph, Placement
from render.compiler.timeline import Cell, NodeAccess, Timeline
from render.compiler.uses import Attached
from render.sync.ranges import WHOLE, Part

Key = tuple[str, bool, Part]
"""A resource id, whether it is the previous frame's copy, and which part of it."""


Accesses = Sequence[Mapping[Key, NodeAccess]]
"""The timelines by node number."""


def accesses_by_node(graph: InstanceGraph, times: Mapping[str, Timeline]) -> Accesses:
    """Turns the timelines round."""
    accesses: list[dict[Key, NodeAccess]] = [{} for _ in graph.nodes]
    for name, time in times.items():
        for part, own, history in time.cells or (Cell(WHOLE, time.own, time.history),):
            for access in own:
                accesses[access.node][name, False, part] = access
            for access in history:
                accesses[access.node][name, True, part] = access
    return accesses


def encounters(targets: NodeTargets, accesses: Accesses) -> tuple[tuple[Key, ...], ...]:
    """What each run of two or more neighbours with the same attachments uses; a render pass lies within one run."""
    found = []
    open_targets: tuple[Attached, ...] = ()
    run: list[int] = []
    for number, attached in enumerate(targets):
        if attached is None:
            continue
        if attached != open_targets or not attached:
            found.append(run)
            open_targets, run = attached, []
        run.append(number)
    found.append(run)
    return tuple(tuple({key: None for node in run for key in accesses[node]}) for run in found if len(run) > 1)


def clashes(runs: Sequence[Sequence[Key]], placement: Placement) -> frozenset[tuple[Key, Key]]:
    """The pairs of one run, in both orders, whose bytes overlap in an even or in an odd frame."""
    placed = {item.id: item for item in placement.resources if item.copies}
    pairs: set[tuple[Key, Key]] = set()
    for run in runs:
        for frame in (0, 1):
            spans = []
            for key in run:
                item = placed.get(key[0])
                if item is not None:
                    copy = item.copies[1 - frame if key[1] else frame]
                    spans.append((copy.heap, copy.offset, copy.offset + item.size, key))
            spans.sort()
            for number, (heap, _, end, key) in enumerate(spans):
                for other_heap, start, _, other in spans[number + 1 :]:
                    if other_heap != heap or start >= end:
                        break
                    if key[:2] == other[:2]:
                        continue
                    pairs.update(((key, other), (other, key)))
    return frozenset(pairs)

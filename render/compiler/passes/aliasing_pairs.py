"""Resources that could meet in one render pass, and those of them that share memory.

Which could meet does not depend on sizes, and nearly none of them share memory: so ``state`` hears of a resize only if
it has to form other passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from renderwright.render.compiler.resources.access_history import NodeAccess, Timeline
from renderwright.render.compiler.resources.accesses import Stretch, Touches
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.parts import WHOLE, Part

Key = tuple[str, bool, Part]
"""A resource id, whether it is the previous frame's copy, and which part of it."""


class Accesses:
    """What nodes do, by number, with each part of each resource that is told apart."""

    def __init__(self, times: Mapping[str, Timeline]) -> None:
        self._times = times

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return dict(zip(self._times, range(len(self._times)), strict=True))

    def keys(self, stretch: Stretch) -> Sequence[Key]:
        """All that the nodes of a stretch use."""
        found: dict[Key, None] = {}
        first, last, touches = stretch
        for name, past in _copies(touches):
            cells = self._times[name].cells
            if not cells:
                found[name, past, WHOLE] = None
            for cell in cells:
                accesses = cell.history if past else cell.own
                if any(first <= access.node <= last for access in accesses):
                    found[name, past, cell.part] = None
        return list(found)

    def of(self, node: int, touches: Touches) -> Mapping[Key, NodeAccess]:
        """What a node does, in the graph's order of resources; ``touches`` are its own."""
        found: dict[Key, NodeAccess] = {}
        own, history = dict(touches.own), dict(touches.history)
        for name in sorted(own.keys() | history.keys(), key=self._places.__getitem__):
            cells = self._times[name].cells
            for past, touched in ((False, own), (True, history)):
                if not cells and name in touched:
                    found[name, past, WHOLE] = NodeAccess(node, *touched[name])
            for cell in cells:
                for past, accesses in ((False, cell.own), (True, cell.history)):
                    for access in accesses:
                        if access.node == node:
                            found[name, past, cell.part] = access
        return found


def _copies(touches: Touches) -> Iterator[tuple[str, bool]]:
    """The resources that are touched, those whose history is last."""
    yield from ((name, False) for name, _ in touches.own)
    yield from ((name, True) for name, _ in touches.history)


def encounters(alike: Sequence[Stretch], times: Mapping[str, Timeline]) -> tuple[tuple[Key, ...], ...]:
    """What each run of two or more neighbours with the same attachments uses; a render pass lies within one run."""
    runs: list[list[Stretch]] = []
    open_targets: tuple[Attached, ...] = ()
    for stretch in alike:
        _, _, touches = stretch
        targets = touches.targets
        if targets is None:
            continue
        if targets and targets == open_targets:
            runs[-1].append(stretch)
        else:
            open_targets = targets
            runs.append([stretch])
    accesses = Accesses(times)
    return tuple(
        [
            tuple(dict.fromkeys([key for stretch in run for key in accesses.keys(stretch)]))
            for run in runs
            if _may_be_a_pass(run)
        ]
    )


def _may_be_a_pass(run: Sequence[Stretch]) -> bool:
    """Whether these are several nodes, and render."""
    (first, _, touches), (_, last, _) = run[0], run[-1]
    return first < last and bool(touches.targets)


def clashes(runs: Sequence[Sequence[Key]], placement: Placement) -> frozenset[tuple[Key, Key]]:
    """The pairs of one run, in both orders, whose bytes overlap in an even or in an odd frame."""
    names = {name for run in runs for name, _, _ in run}
    if not names:
        return frozenset()
    placed = {item.id: item for item in placement.resources if item.id in names and item.copies}
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

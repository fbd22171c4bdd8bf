"""Who waits for whom, by node number: the precedences of a frame, and which of them the device has to keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from render.compiler.stages import InstanceGraph
from render.compiler.timeline import Timeline
from render.graph.resources import Blob
from render.sync.derive import Step, runs


@dataclass(frozen=True)
class Group:
    """Each of ``befores`` comes before each of ``afters``; on the ``device`` too, unless that is about a value that the
    CPU passes on."""

    befores: tuple[int, ...]
    afters: tuple[int, ...]
    device: bool


def groups_of(graph: InstanceGraph, times: Mapping[str, Timeline]) -> tuple[Group, ...]:
    """The graph's precedences, by node number; and who uses a resource after whom where one of them writes or changes
    the layout, as the nodes stand."""
    numbers = {node.id: number for number, node in enumerate(graph.nodes)}
    blobs = {name for item in graph.resources if isinstance(item.resource.desc, Blob) for name in item.resource.names}
    declared = tuple(
        Group(
            tuple(numbers[name] for name in group.befores),
            tuple(numbers[name] for name in group.afters),
            group.resource.partition("@")[0] not in blobs,
        )
        for group in graph.precedences
    )
    return declared + tuple(group for time in times.values() for group in _conflicts(time))


def _conflicts(time: Timeline) -> Iterator[Group]:
    steps = [Step(access.node, access.scope) for access in time.own]
    for before, after in pairwise(tuple(step.place for step in run) for run in runs(steps)):
        yield Group(before, after, True)

"""Who waits for whom, by node number: the precedences of a frame, and which of them the device has to keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from renderwright.render.compiler.resources.access_history import Timeline
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.precedence import Precedence
from renderwright.render.sync.derive import Step, runs
from renderwright.render.types.resources import Blob


@dataclass(frozen=True)
class Group:
    """Each of ``befores`` is issued before each of ``afters``; it comes before them on the ``device`` too, unless that
    is about a value that the CPU passes on, or about what the last frame left (that is another copy)."""

    befores: tuple[int, ...]
    afters: tuple[int, ...]
    device: bool


def groups_of(graph: InstanceGraph, times: Mapping[str, Timeline]) -> tuple[Group, ...]:
    """The graph's precedences, by node number; and who uses a resource after whom where one of them writes or changes
    the layout, as the nodes stand."""
    numbers = {node.id: number for number, node in enumerate(graph.nodes)}
    blobs = {name for item in graph.resources if isinstance(item.resource.desc, Blob) for name in item.resource.names}
    past = _readers_of_history(graph)
    declared = []
    for group in graph.precedences:
        name = group.resource.partition("@")[0]
        befores, afters = ([numbers[node] for node in nodes] for nodes in (group.befores, group.afters))
        for device, those in _by_device(group, afters, name in blobs, past.get(name, frozenset())):
            declared.append(Group(tuple(befores), those, device))
    return (*declared, *(group for time in times.values() for group in _conflicts(time)))


def _by_device(
    group: Precedence, afters: Sequence[int], blob: bool, past: Set[str]
) -> Iterator[tuple[bool, tuple[int, ...]]]:
    """Those of a group that the device has to keep behind it, and the others."""
    if blob or not past:
        yield not blob, tuple(afters)
        return
    for device in (True, False):
        those = tuple([after for name, after in zip(group.afters, afters, strict=True) if (name in past) != device])
        if those:
            yield device, those


def _readers_of_history(graph: InstanceGraph) -> Mapping[str, Set[str]]:
    """By name, the nodes that use it by its history alone."""
    found: dict[str, set[str]] = {}
    for node in graph.nodes:
        past = {use.name for use in node.uses if use.history}
        for name in past - {use.name for use in node.uses if not use.history}:
            found.setdefault(name, set()).add(node.id)
    return found


def _conflicts(time: Timeline) -> Iterator[Group]:
    steps = [Step(access.node, access.scope) for access in time.own]
    for before, after in pairwise(tuple(step.point for step in run) for run in runs(steps)):
        yield Group(before, after, True)

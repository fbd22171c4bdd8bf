"""The dependencies between nodes, by node number, and which of them the device has to keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from renderwright.render.compiler.instances.topological_sort import Countdown
from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.precedence import Precedence
from renderwright.render.sync.derive import ResourceAccess, access_groups
from renderwright.render.types.resources import Blob


@dataclass(frozen=True)
class Hyperedge:
    """Each of ``befores`` is issued before each of ``afters``.

    The device keeps that order only if it is ``on_device``. It need not for a value that the CPU passes on, nor for a
    reader of history, which reads another copy.
    """

    befores: tuple[int, ...]
    afters: tuple[int, ...]
    on_device: bool


def countdown_of(count: int, edges: Iterable[Hyperedge]) -> Countdown:
    """The countdown of hyperedges between so many nodes."""
    return Countdown(count, [(edge.befores, edge.afters) for edge in edges])


def dependencies(graph: InstanceGraph, histories: Mapping[str, AccessHistory]) -> tuple[Hyperedge, ...]:
    """The graph's precedences, and the conflicts between accesses to a resource as the nodes stand, each once."""
    conflicts = [edge for accessed in histories.values() for edge in _conflicts(accessed)]
    return tuple(dict.fromkeys([*_declared(graph), *conflicts]))


def _declared(graph: InstanceGraph) -> Iterator[Hyperedge]:
    numbers = {node.id: number for number, node in enumerate(graph.nodes)}
    blobs = {name for item in graph.resources if isinstance(item.resource.desc, Blob) for name in item.resource.names}
    history_readers = _history_readers(graph)
    for group in graph.precedences:
        name = group.resource.partition("@")[0]
        befores = tuple([numbers[node] for node in group.befores])
        readers = history_readers.get(name, frozenset())
        for on_device, afters in _by_device(group, name in blobs, readers):
            yield Hyperedge(befores, tuple([numbers[node] for node in afters]), on_device)


def _by_device(group: Precedence, blob: bool, history_readers: Set[str]) -> Iterator[tuple[bool, Sequence[str]]]:
    """The successors of a group that the device has to keep behind it (True), and the others."""
    if blob or not history_readers:
        yield not blob, group.afters
        return
    for on_device in (True, False):
        afters = [name for name in group.afters if (name in history_readers) != on_device]
        if afters:
            yield on_device, afters


def _history_readers(graph: InstanceGraph) -> Mapping[str, Set[str]]:
    """The ids of the nodes that use a name by its history alone, by name."""
    found: dict[str, set[str]] = {}
    for node in graph.nodes:
        past = {use.name for use in node.uses if use.reads_history}
        for name in past - {use.name for use in node.uses if not use.reads_history}:
            found.setdefault(name, set()).add(node.id)
    return found


def _conflicts(accessed: AccessHistory) -> Iterator[Hyperedge]:
    """Each write, or run of reads in one layout, comes before the next."""
    steps = [ResourceAccess(access.node, access.scope) for access in accessed.own]
    for before, after in pairwise(tuple(access.point for access in group) for group in access_groups(steps)):
        yield Hyperedge(before, after, True)

"""Reachability: which nodes contribute to a sink or to a side effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.graph.requests import Verb

CREATIONS = (Verb.CREATE, Verb.EXTERNAL)
_WRITES = (*CREATIONS, Verb.MODIFY, Verb.RENAME)


class Flow(NamedTuple):
    """The names that a node writes (creates, renames to, or modifies), and the names that it depends on (reads,
    modifies, renames away, or reads the history of)."""

    writes: tuple[str, ...]
    reads: tuple[str, ...]


def flow_of(node: NodeInstance) -> Flow:
    """The flow of a node; absent uses do not count."""
    present = [use for use in node.uses if use.present]
    writes = [use.to or use.name for use in present if use.request.verb in _WRITES]
    reads = [use.name for use in present if use.request.verb not in CREATIONS]
    return Flow(tuple(dict.fromkeys(writes)), tuple(dict.fromkeys(reads)))


def reachable(flows: Mapping[str, Flow], side_effects: Iterable[str], sinks: Iterable[str]) -> set[str]:
    """The nodes with ``side_effects``, the writers of the names ``sinks``, and all nodes on which these depend.

    A node depends on all writers of each name that it depends on.
    """
    writers: dict[str, list[str]] = {}
    for node, flow in flows.items():
        for name in flow.writes:
            writers.setdefault(name, []).append(node)
    found = set(side_effects)
    names = [*sinks, *chain.from_iterable([flows[node].reads for node in found])]
    while names:
        # A name is taken out of ``writers``, since all its writers are found the first time.
        for node in writers.pop(names.pop(), ()):
            if node not in found:
                found.add(node)
                names += flows[node].reads
    return found

"""What nodes are there for: the names that they write and depend on, and which of them anybody needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from renderwright.render.compiler.instances.edges import Kind
from renderwright.render.graph.requests import Verb

CREATIONS = (Verb.CREATE, Verb.EXTERNAL)
_WRITES = (*CREATIONS, Verb.MODIFY, Verb.RENAME)


class Flow(NamedTuple):
    """The names that a node writes (creates, renames to, or modifies), and those that it depends on (reads, modifies,
    renames away, or reads the history of)."""

    writes: tuple[str, ...]
    reads: tuple[str, ...]


def flow_of(kinds: Iterable[Kind], names: Sequence[str], tos: Sequence[str]) -> Flow:
    """The flow of a node with requests of these kinds for these names."""
    asks = [(verb, name, to) for (verb, _), name, to in zip(kinds, names, tos, strict=True)]
    writes = [to or name for verb, name, to in asks if verb in _WRITES]
    reads = [name for verb, name, _ in asks if verb not in CREATIONS]
    return Flow(tuple(dict.fromkeys(writes)), tuple(dict.fromkeys(reads)))


def numbers_needed(flows: Sequence[Flow], acting: Iterable[int], shown: Iterable[str]) -> set[int]:
    """The numbers of nodes: the ``acting`` ones, which have side effects, whoever writes one of the names ``shown``,
    and all that these depend on.

    A node depends on all writers of each name that it depends on.
    """
    writers: dict[str, list[int]] = {}
    for number, flow in enumerate(flows):
        for name in flow.writes:
            writers.setdefault(name, []).append(number)
    found = set(acting)
    names = [*shown, *chain.from_iterable([flows[number].reads for number in found])]
    while names:
        # The second time that a name comes up, its writers are known to be needed.
        for number in writers.pop(names.pop(), ()):
            if number not in found:
                found.add(number)
                names += flows[number].reads
    return found

"""What nodes are there for: the names that they write and depend on, and which of them anybody needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from render.compiler.edges import Kind
from render.graph.requests import Verb

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
    writers: dict[str, list[int]] = defaultdict(list)
    for number, flow in enumerate(flows):
        for written in flow.writes:
            writers[written].append(number)
    work = [*acting, *chain.from_iterable([writers[name] for name in shown])]
    found: set[int] = set()
    asked: set[str] = set()
    while work:
        number = work.pop()
        if number not in found:
            found.add(number)
            for read in flows[number].reads:
                if read not in asked:
                    asked.add(read)
                    work += writers[read]
    return found

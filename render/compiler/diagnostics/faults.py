"""Faults: what is wrong with a graph, and the repair."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter

from renderwright.render.compiler.diagnostics.findings import Problem, Removal, RemovalReason, Severity
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration

_SHOWN_NAMES = 8
"""The most names that a message lists."""

_SHOWN_PLACES = 8
"""The most source locations of a problem."""


@dataclass(frozen=True)
class Fault:
    """A problem with its repair: a node to remove, or declared (before, after) pairs to ignore."""

    problem: Problem | None
    removal: Removal | None = None
    ignored: tuple[tuple[str, str], ...] = ()


def error(code: str, message: str, hint: str, where: Iterable[SourceLocation]) -> Problem:
    """A problem that is repaired by removing something."""
    return Problem(Severity.ERROR, code, message, hint, _places(where))


def note(code: str, message: str, hint: str, where: Iterable[SourceLocation]) -> Problem:
    """A problem that only informs."""
    return Problem(Severity.NOTE, code, message, hint, _places(where))


def _places(where: Iterable[SourceLocation]) -> tuple[SourceLocation, ...]:
    return tuple(dict.fromkeys(where))[:_SHOWN_PLACES]


def invalid(node: str, problem: Problem) -> Fault:
    """The fault that removes ``node`` because of ``problem``."""
    return Fault(problem, Removal(node, RemovalReason.INVALID, f"`{node}` removed: {problem.message}"))


KeepOrder = Callable[[NodeDeclaration], tuple[int, int, str]]


def keep_order(nodes: Iterable[NodeDeclaration]) -> KeepOrder:
    """Sort key of conflicting nodes among ``nodes``; the first one stays.

    Nodes of the skeleton and the engine stay rather than those of plugins, and those of the plugin that was registered
    first rather than those of a later one. Among nodes of one owner, the larger priority stays, then the smaller name.
    """
    ranks = {owner: rank for rank, owner in enumerate(owners(nodes))}
    return lambda node: (ranks[node.plugin], -node.priority, node.name)


def owners(nodes: Iterable[NodeDeclaration]) -> tuple[str, ...]:
    """The plugins of nodes in order of registration, behind '' for the skeleton and the engine."""
    return tuple(dict.fromkeys(["", *(node.plugin for node in sorted(nodes, key=attrgetter("index")))]))


def stays(kept: NodeDeclaration, other: NodeDeclaration, name: str) -> str:
    """Why ``kept`` stays by ``keep_order`` and ``other`` leaves, in a conflict over ``name``."""
    if kept.plugin == other.plugin:
        return f"`{kept.name}` stays (larger priority, then name)"
    if kept.plugin:
        return f"`{kept.name}` stays, since plugin `{kept.plugin}` came first"
    return f"`{name}` belongs to the skeleton, so `{kept.name}` stays"


def quoted(names: Iterable[str], most: int = _SHOWN_NAMES) -> str:
    """`a`, `b` and `c`; if there are more than ``most``, the first ones and the number of the others."""
    every = list(names)
    words = [f"`{name}`" for name in every[:most]]
    if len(words) < len(every):
        words.append(f"{len(every) - len(words)} more")
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

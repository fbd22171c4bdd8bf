"""Multiplexing indices: the instances that a mode (a set of dimensions) gives a node or resource."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from renderwright.render.compiler.diagnostics.faults import note
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.diagnostics.near_names import near_miss
from renderwright.render.compiler.values.instances import Index
from renderwright.render.errors import CompileError
from renderwright.render.graph.snapshot import Dimensions


@dataclass(frozen=True, slots=True)
class Place:
    """One index of a mode, and the suffix of its ids: ``@view=1,eye=0`` with the dimensions that have several
    instances."""

    index: Index
    suffix: str


def agree(first: Index, second: Index) -> bool:
    """Whether two indices have the same number in every dimension that both have."""
    if first == second:
        return True
    numbers = dict(second)
    return all(numbers.get(dimension, number) == number for dimension, number in first)


class IndexSpace:
    """The indices of every mode. ``problems`` are notes on counts for unknown dimensions."""

    def __init__(self, dimensions: Iterable[str], counts: Sequence[tuple[str, int]]) -> None:
        """``CompileError`` for a count below 1."""
        self._order = tuple(dict.fromkeys(dimensions))
        self._dimensions = Dimensions(dict(counts))
        self._known: dict[frozenset[str], tuple[Place, ...]] = {}
        self.problems: list[Problem] = []
        for dimension, count in sorted(counts):
            if count < 1:
                message = f"dimension `{dimension}` has {count} instances"
                raise CompileError(message, hint="a count is 1 or more; remove nodes to leave something out")
            if dimension not in self._order:
                message = f"there is a count for `{dimension}`, which is no dimension of this graph"
                self.problems.append(note("dimension", message, near_miss(dimension, self._order), ()))

    def places(self, mode: frozenset[str]) -> tuple[Place, ...]:
        """Every index of a mode, the last dimension running fastest."""
        if mode not in self._known:
            dimensions = [dimension for dimension in self._order if dimension in mode]
            axes = [[(dimension, n) for n in range(self._dimensions.count(dimension))] for dimension in dimensions]
            self._known[mode] = tuple([Place(index, self._suffix(index)) for index in product(*axes)])
        return self._known[mode]

    def _suffix(self, index: Index) -> str:
        words = [f"{dimension}={number}" for dimension, number in index if self._dimensions.count(dimension) > 1]
        return f"@{','.join(words)}" if words else ""

"""Neighbours with equal values, taken as one: what follows from the value is worked out once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress, groupby
from operator import is_not
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def once_a_run(function: Callable[[T], R], values: Iterable[T]) -> list[R]:
    """The function of each value; it is called once for equal ones that follow one another."""
    found: list[R] = []
    for value, members in groupby(values):
        found += [function(value)] * len(list(members))
    return found


def runs(values: Sequence[Any], differ: Callable[[Any, Any], bool] = is_not) -> tuple[list[int], list[int]]:
    """Where neighbours begin that are one and the same object, or else do not ``differ``, and where they end."""
    if not values:
        return [], []
    firsts = [0, *compress(range(1, len(values)), map(differ, values[1:], values))]
    return firsts, [*firsts[1:], len(values)]

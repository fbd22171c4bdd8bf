"""Neighbours with equal values, taken as one: what follows from the value is worked out once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def once_a_run(function: Callable[[T], R], values: Iterable[T]) -> list[R]:
    """The function of each value; it is called once for equal ones that follow one another."""
    found: list[R] = []
    for value, members in groupby(values):
        found += [function(value)] * len(list(members))
    return found

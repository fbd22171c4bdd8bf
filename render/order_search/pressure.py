"""Live bytes along an order: the cheap estimate of the heaps that it needs.

All frames have the same order, so both halves of the circle of two frames have the same live bytes: those of the
frame's own copies, and those of the copies of the previous frame that are still to be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from renderwright.render.order_search.problem import OrderProblem
from renderwright.render.order_search.unit_sets import unit_set

Bytes = tuple[int, ...]
"""Bytes by memory class."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A copy that a unit may begin or end: its ``users`` as a set."""

    users: int
    memory_class: int
    size: int


@dataclass(frozen=True)
class PressureModel:
    """By unit, the copies that it begins if it is their first user, and those that it ends if it is the last one.
    ``start`` are the bytes of the copies that are live when a frame begins."""

    begins: tuple[tuple[_Copy, ...], ...]
    ends: tuple[tuple[_Copy, ...], ...]
    start: Bytes

    def after(self, done: int, unit: int, live: Bytes) -> tuple[Bytes, Bytes]:
        """Live bytes while the unit runs, and afterwards; ``done`` is the set of the units before it."""
        during = list(live)
        for copy in self.begins[unit]:
            if not copy.users & done:
                during[copy.memory_class] += copy.size
        left = during.copy()
        finished = done | 1 << unit
        for copy in self.ends[unit]:
            if not copy.users & ~finished:
                left[copy.memory_class] -= copy.size
        return tuple(during), tuple(left)

    def profile(self, order: Iterable[int], done: int = 0, live: Bytes | None = None) -> list[Bytes]:
        """Live bytes while each unit of an order runs, behind the units ``done``; without ``live`` bytes from the start
        of a frame on."""
        live = self.start if live is None else live
        found = []
        for unit in order:
            during, live = self.after(done, unit, live)
            found.append(during)
            done |= 1 << unit
        return found

    def peaks(self, order: Iterable[int]) -> Bytes:
        """The most live bytes of each memory class along an order."""
        return tuple([max(of_class) for of_class in zip(self.start, *self.profile(order), strict=True)])


def pressure_model(problem: OrderProblem) -> PressureModel:
    """The model of a problem's resources."""
    classes = sorted({resource.memory_class for resource in problem.resources})
    begins: list[list[_Copy]] = [[] for _ in range(problem.count)]
    ends: list[list[_Copy]] = [[] for _ in range(problem.count)]
    start = [0] * len(classes)
    for resource in problem.resources:
        number = classes.index(resource.memory_class)
        own, past = (_Copy(unit_set(units), number, resource.size) for units in (resource.users, resource.past))
        for unit in resource.users:
            begins[unit].append(own)
            if not resource.live_to_end:
                ends[unit].append(own)
        if resource.has_history:
            start[number] += resource.size
        if not resource.host:
            for unit in resource.past:
                ends[unit].append(past)
    return PressureModel(tuple(map(tuple, begins)), tuple(map(tuple, ends)), tuple(start))

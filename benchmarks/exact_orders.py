"""The least heap over all legal orders and all packings of a small frame, by CP-SAT (OR-tools).

One integer program for the order and the placement, as in B. Steiner et al., "OLLA: Optimizing the lifetime and
location of arrays to reduce the memory usage of neural networks", 2022. Each copy of a resource is a rectangle of time
and bytes, whose ends in time depend on the order. The circle of two frames is unrolled to four frames, in which every
overlap of two copies occurs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ortools.sat.python import cp_model

from renderwright.render.order_search.problem import OrderProblem
from renderwright.render.order_search.resource_uses import ResourceUses
from renderwright.render.order_search.unit_sets import units_of

SECONDS = 30.0


@dataclass(frozen=True)
class LeastHeap:
    """Bytes of the best order and packing found, and the lower bound for all; they are equal if it is ``proved``."""

    size: int
    bound: int

    @property
    def proved(self) -> bool:
        """Whether no order needs less than ``size``."""
        return self.size == self.bound


def least_heap(problem: OrderProblem, most: int, seconds: float = SECONDS) -> LeastHeap:
    """The least bytes of all heaps, one for each memory class. ``most`` is the size of a known plan; priorities are not
    looked at. The result is no larger than ``most``, to which it falls back where time runs out."""
    if not problem.resources:
        return LeastHeap(most, most)
    granule = math.gcd(*[resource.alignment for resource in problem.resources])
    model = _Model(problem, granule, most)
    model.solver.parameters.max_time_in_seconds = seconds
    model.solver.parameters.num_workers = 1
    model.solver.parameters.cp_model_probing_level = 0  # with it, OR-tools 9.15 aborts in few cases
    model.solver.parameters.random_seed = 0
    status = model.solver.solve(model.program)
    bound = max(0, math.ceil(model.solver.best_objective_bound - 1e-6)) * granule
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return LeastHeap(round(model.solver.objective_value) * granule, bound)
    assert status == cp_model.UNKNOWN, model.solver.status_name(status)
    return LeastHeap(most, bound)


class _Model:
    """The integer program; bytes are counted in granules."""

    def __init__(self, problem: OrderProblem, granule: int, most: int) -> None:
        self.program = cp_model.CpModel()
        self.solver = cp_model.CpSolver()
        self._count = problem.count
        self._granule = granule
        self._most = -(-most // granule)
        self._places = [
            self.program.new_int_var(0, problem.count - 1, f"place {unit}") for unit in range(problem.count)
        ]
        self.program.add_all_different(self._places)
        for unit, before in enumerate(problem.before):
            for other in units_of(before):
                self.program.add(self._places[other] < self._places[unit])
        heaps = []
        for name in sorted({resource.memory_class for resource in problem.resources}):
            heaps.append(
                self._heap(name, [resource for resource in problem.resources if resource.memory_class == name])
            )
        self.program.add(sum(heaps) <= self._most)
        self.program.minimize(sum(heaps))

    def _heap(self, name: str, resources: list[ResourceUses]) -> cp_model.LinearExpr:
        """The granules of the heap of one memory class."""
        own = (
            math.gcd(*[resource.alignment for resource in resources]) // self._granule
        )  # larger granules make smaller numbers
        most = -(-self._most // own)
        heap = self.program.new_int_var(0, most, f"heap {name}")
        times: list[cp_model.IntervalVar] = []
        places: list[cp_model.IntervalVar] = []
        sizes: list[int] = []
        for number, resource in enumerate(resources):
            start, length, end = self._resource(f"{name} {number}", resource)
            size, step = -(-resource.size // (own * self._granule)), resource.alignment // (own * self._granule)
            for copy in range(2):
                label = f"{name} {number} {copy}"
                offset = self.program.new_int_var(0, most // step, f"offset {label}") * step
                self.program.add(offset + size <= heap)
                for turn in range(2):
                    shift = (2 * turn + copy) * self._count
                    times.append(self.program.new_interval_var(start + shift, length, end + shift, f"{label} {turn}"))
                    places.append(self.program.new_fixed_size_interval_var(offset, size, f"bytes {label} {turn}"))
                    sizes.append(size)
        self.program.add_no_overlap_2d(times, places)
        self.program.add_cumulative(times, sizes, heap)
        return heap * own

    def _resource(self, label: str, resource: ResourceUses) -> tuple[cp_model.IntVar, cp_model.IntVar, cp_model.IntVar]:
        """The start, the length and the end of the even copy's live range."""
        count, program = self._count, self.program
        start = program.new_int_var(0, count - 1, f"start {label}")
        program.add_min_equality(start, [self._places[unit] for unit in resource.users])
        length = program.new_int_var(1, 2 * count, f"length {label}")
        end = program.new_int_var(1, 3 * count, f"end {label}")
        program.add(end == start + length)
        if resource.host:
            program.add(end == 2 * count)
        elif resource.past:
            program.add(end == count + self._last(label, resource.past) + 1)
        elif resource.live_to_end:
            program.add(end == count)
        else:
            program.add(end == self._last(label, resource.users) + 1)
        return start, length, end

    def _last(self, label: str, units: tuple[int, ...]) -> cp_model.IntVar:
        """The last place of some units."""
        last = self.program.new_int_var(0, self._count - 1, f"last {label}")
        self.program.add_max_equality(last, [self._places[unit] for unit in units])
        return last

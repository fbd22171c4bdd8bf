"""The least makespan by exhaustive search: an integer program without any of the packer's ideas, solved by CP-SAT."""

from __future__ import annotations

from collections.abc import Sequence

from ortools.sat.python import cp_model
from validity import moments

from renderwright.render.memory.arcs import PackItem

SECONDS = 10.0


def exact_makespan(items: Sequence[PackItem], period: int) -> int | None:
    """The least makespan of at least one item, or None where the search did not end in time."""
    model = cp_model.CpModel()
    # One above the other, each aligned and above all that is pinned.
    most = max((item.pin + item.size for item in items if item.pin is not None), default=0)
    for item in items:
        most += item.size + item.alignment - 1
    offsets = []
    for number, item in enumerate(items):
        step = model.new_int_var(0, most // item.alignment, f"step{number}")
        offsets.append(step * item.alignment)
        if item.pin is not None:
            model.add(step * item.alignment == item.pin)
    lives = [moments(item, period) for item in items]
    load = max(
        sum(item.size for item, life in zip(items, lives, strict=True) if moment in life) for moment in range(period)
    )
    heap = model.new_int_var(load, most, "heap")
    for number, item in enumerate(items):
        model.add(offsets[number] + item.size <= heap)
        for other in range(number):
            if lives[number] & lives[other]:
                below = model.new_bool_var(f"below{number}_{other}")
                model.add(offsets[number] + item.size <= offsets[other]).only_enforce_if(below)
                model.add(offsets[other] + items[other].size <= offsets[number]).only_enforce_if(~below)
    model.minimize(heap)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_time_in_seconds = SECONDS
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN), solver.status_name(status)
    return round(solver.objective_value) if status == cp_model.OPTIMAL else None

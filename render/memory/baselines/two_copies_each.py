"""No aliasing, and two copies of everything: each copy of both frames has memory of its own.

This models a frame graph with two copies of every resource in turn, as is usual for buffers that the CPU writes.
``CompileOptions.alias = False`` gives this layout. A history is the other copy and costs nothing more.
"""

from __future__ import annotations

from renderwright.render.memory.baselines.problem import Baseline, BaselineProblem, Layout, layout, stack


def place(problem: BaselineProblem) -> Layout:
    """Stacks all items."""
    return layout(problem, *stack(problem, ((number,) for number in range(len(problem.items)))))


TWO_COPIES_EACH = Baseline("two_copies_each", "a ring of two of every resource", place)

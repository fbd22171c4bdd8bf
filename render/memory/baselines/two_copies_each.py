"""No aliasing, and two copies of everything: each copy of both frames has memory of its own.

What a frame graph does that makes a ring of two of every resource, as is usual for buffers that the CPU writes. It is
what ``CompileOptions.alias`` switched off gives. A history is the other copy and costs nothing more.
"""

from __future__ import annotations

from renderwright.render.memory.baselines.problem import Baseline, BaselineProblem, Layout, layout, stack


def place(problem: BaselineProblem) -> Layout:
    """Every item above all others."""
    return layout(problem, *stack(problem, ((number,) for number in range(len(problem.items)))))


TWO_COPIES_EACH = Baseline("two_copies_each", "a ring of two of every resource", place)

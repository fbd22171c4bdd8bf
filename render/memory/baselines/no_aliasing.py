"""No aliasing: each resource has memory of its own.

What a renderer does that creates its render targets once; the first number of every report on aliasing, such as the
1042 MB at 4K in O'Donnell, "FrameGraph: Extensible Rendering Architecture in Frostbite", GDC 2017. One copy serves all
frames; a resource with a history has two that take turns.
"""

from __future__ import annotations

from renderwright.render.memory.baselines.problem import Baseline, BaselineProblem, Layout, layout, stack, units


def place(problem: BaselineProblem) -> Layout:
    """Every resource above all others."""
    return layout(problem, *stack(problem, units(problem)))


NO_ALIASING = Baseline("no_aliasing", "render targets made once", place)

"""No aliasing: each resource has memory of its own.

This models a renderer that creates its render targets once. It is the reference of reports on aliasing, such as the
1042 MB at 4K in O'Donnell, "FrameGraph: Extensible Rendering Architecture in Frostbite", GDC 2017. One copy serves all
frames; a resource with a history has two copies in turn.
"""

from __future__ import annotations

from renderwright.render.memory.baselines.problem import Baseline, BaselineProblem, Layout, layout, stack, units


def place(problem: BaselineProblem) -> Layout:
    """Stacks all resources."""
    return layout(problem, *stack(problem, units(problem)))


NO_ALIASING = Baseline("no_aliasing", "render targets made once", place)

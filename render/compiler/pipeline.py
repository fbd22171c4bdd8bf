"""The compiler: a table of contents of the stages that turn a graph into a plan.

declare -> resolve -> multiplex -> cull -> order -> place -> state -> sync -> program

Each stage is a few pure functions, cut where what goes in and out changes seldom: an edit runs again only those whose
inputs it changes, and a stage whose output is equal to the last one's ends the matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from render.compiler.attachments import pass_extents, targets_by_node
from render.compiler.cull import cull
from render.compiler.encounters import accesses_by_node, clashes, encounters
from render.compiler.flows import flows
from render.compiler.handover import sharing
from render.compiler.multiplex import multiplex
from render.compiler.order import order
from render.compiler.outline import outline
from render.compiler.place import place
from render.compiler.plan import Plan
from render.compiler.program import bodies, program
from render.compiler.resolve import resolve
from render.compiler.shrink import followers, shrink
from render.compiler.snapshot import CompileOptions, GraphSnapshot, SizeInputs
from render.compiler.state import state
from render.compiler.sync import sync
from render.compiler.timeline import timelines
from render.memory.needs import MemoryModel

__all__ = ["CompileOptions", "Compiler", "GraphSnapshot", "Plan", "SizeInputs", "compile_snapshot"]

T = TypeVar("T")


class Memo:
    """Remembers each stage's last few inputs and outputs: equal inputs give the same output object again.

    So a plugin that is switched off and on again, or a window that goes back to its size, costs a comparison.
    """

    KEPT = 4

    def __init__(self) -> None:
        self._known: dict[Callable[..., Any], list[tuple[tuple[Any, ...], Any]]] = {}

    def __call__(self, stage: Callable[..., T], *inputs: Any) -> T:
        """The stage's output for the inputs, computed only when they differ from those remembered."""
        known = self._known.setdefault(stage, [])
        for number, (before, output) in enumerate(known):
            if before == inputs:
                known.insert(0, known.pop(number))
                return output  # type: ignore[no-any-return]
        result = self.compute(stage, *inputs)
        known.insert(0, (inputs, result))
        del known[self.KEPT :]
        return result

    def compute(self, stage: Callable[..., T], *inputs: Any) -> T:
        """Run a stage whose output is not remembered."""
        return stage(*inputs)


class Compiler:
    """Compiles again and again, doing only what changed inputs ask for."""

    def __init__(self, model: MemoryModel, memo: Memo | None = None) -> None:
        self._model = model
        self._memo = memo or Memo()

    def compile(self, snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions) -> Plan:
        """A whole new plan, or the last one if nothing changed; ``CompileError`` if there can be none."""
        run = self._memo
        resolved = run(resolve, snapshot)
        instances = run(multiplex, resolved, snapshot)
        alive = run(cull, instances)
        ordered = run(order, alive, options)
        times = run(timelines, ordered)
        shapes = run(outline, ordered, times)
        planned = run(place, shapes, sizes.planned(), options, self._model)
        # From here on little depends on sizes, and that little is made small: a resize runs no more than it must.
        targets = run(targets_by_node, ordered)
        accesses = run(accesses_by_node, ordered, times)
        sharers = run(clashes, run(encounters, targets, accesses), planned)
        states = run(state, ordered, times, targets, accesses, shapes.lasting, sharers)
        barriers = run(sync, run(flows, ordered, times, shapes, states), run(sharing, planned))
        operations = run(program, run(bodies, targets, states), barriers)
        placement = run(shrink, planned, run(followers, shapes, planned), sizes)
        extents = run(pass_extents, states, placement)
        return run(Plan, resolved, ordered, placement, states, barriers, operations, extents)


def compile_snapshot(snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions, model: MemoryModel) -> Plan:
    """Compile once."""
    return Compiler(model).compile(snapshot, sizes, options)

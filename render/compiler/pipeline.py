"""The compiler: a table of contents of the stages that turn a graph into a plan.

declare -> resolve -> multiplex -> cull -> order -> place -> state -> sync -> program
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from render.compiler.cull import cull
from render.compiler.multiplex import multiplex
from render.compiler.order import order
from render.compiler.place import place
from render.compiler.plan import Plan
from render.compiler.program import program
from render.compiler.resolve import resolve
from render.compiler.snapshot import CompileOptions, GraphSnapshot, SizeInputs
from render.compiler.state import state
from render.compiler.sync import sync
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
        result = stage(*inputs)
        known.insert(0, (inputs, result))
        del known[self.KEPT :]
        return result


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
        placement = run(place, ordered, sizes, options, self._model)
        states = run(state, ordered, placement)
        barriers = run(sync, ordered, placement, states)
        operations = run(program, ordered, placement, states, barriers)
        return run(Plan, resolved, ordered, placement, states, barriers, operations)


def compile_snapshot(snapshot: GraphSnapshot, sizes: SizeInputs, options: CompileOptions, model: MemoryModel) -> Plan:
    """Compile once."""
    return Compiler(model).compile(snapshot, sizes, options)

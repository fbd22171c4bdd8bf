"""The compilers of a runtime. A compiler's memo belongs to one thread at a time."""

from __future__ import annotations

from collections.abc import Collection

from renderwright.render.memory.needs import MemoryModel
from renderwright.render.runtime.plans.stepwise import StepwiseCompiler


class Compilers:
    """Compilers by need: one for each thread that compiles, and a few more while a thread ends its last work."""

    def __init__(self, model: MemoryModel) -> None:
        self._model = model
        self._all: list[StepwiseCompiler] = []

    def free(self, busy: Collection[StepwiseCompiler]) -> StepwiseCompiler:
        """A compiler that is not busy."""
        for compiler in self._all:
            if compiler not in busy:
                return compiler
        self._all.append(StepwiseCompiler(self._model))
        return self._all[-1]

"""A compiler that calls a function between its stages, where work beside the frames pauses or stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.incremental.memo import Memo
from renderwright.render.memory.needs import MemoryModel

T = TypeVar("T")


class _StepwiseMemo(Memo):
    """A memo that calls ``between`` before each stage that it computes."""

    def __init__(self) -> None:
        super().__init__()
        self.between: Callable[[], None] | None = None

    def compute(self, stage: Callable[..., T], *inputs: object) -> T:
        """See ``Memo``."""
        if self.between is not None:
            self.between()
        return super().compute(stage, *inputs)


class StepwiseCompiler(Compiler):
    """A compiler whose compiles can be interrupted between stages."""

    def __init__(self, model: MemoryModel) -> None:
        self._stages = _StepwiseMemo()
        super().__init__(model, self._stages)

    @contextmanager
    def steps(self, between: Callable[[], None]) -> Iterator[None]:
        """Call ``between`` before each stage of compiles in the context; what it raises ends the compile."""
        self._stages.between = between
        try:
            yield
        finally:
            self._stages.between = None

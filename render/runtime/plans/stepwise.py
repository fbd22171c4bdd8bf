"""A compiler that calls a function between short steps, where work beside the frames pauses or stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.incremental.memo import Memo
from renderwright.render.memory.needs import MemoryModel

T = TypeVar("T")


class _Between:
    """Calls ``function``, if there is one at the moment.

    It is an input of stages. As the same object for all functions it lets a memo find these stages again.
    """

    def __init__(self) -> None:
        self.function: Callable[[], None] | None = None

    def __call__(self) -> None:
        if self.function is not None:
            self.function()


class _StepwiseMemo(Memo):
    """A memo that calls ``between`` before each stage that it computes."""

    def __init__(self, between: Callable[[], None]) -> None:
        super().__init__()
        self._between = between

    def compute(self, stage: Callable[..., T], *inputs: object) -> T:
        """See ``Memo``."""
        self._between()
        return super().compute(stage, *inputs)


class StepwiseCompiler(Compiler):
    """A compiler whose compiles can be interrupted between stages and within long ones."""

    def __init__(self, model: MemoryModel) -> None:
        self._between_steps = _Between()
        super().__init__(model, _StepwiseMemo(self._between_steps), self._between_steps)

    @contextmanager
    def steps(self, between: Callable[[], None]) -> Iterator[None]:
        """Call ``between`` between the steps of compiles in the context; what it raises ends the compile."""
        self._between_steps.function = between
        try:
            yield
        finally:
            self._between_steps.function = None

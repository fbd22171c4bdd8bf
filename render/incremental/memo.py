"""What a pipeline of pure stages remembers: the last few inputs and outputs of each stage.

Incremental compilation is no more than this. A stage whose inputs are equal to remembered ones gives the same output
object again, which the next stage finds equal at a glance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """Calls stages, which are pure functions of values that compare by content.

    Several inputs are remembered, so a plugin that is switched off and on again, or a window that returns to its size,
    costs a comparison.
    """

    KEPT = 4

    def __init__(self) -> None:
        self._known: dict[Callable[..., Any], list[tuple[tuple[Any, ...], Any]]] = {}

    def __call__(self, stage: Callable[..., T], *inputs: Any) -> T:
        """The stage's output for the inputs, computed only if these differ from the remembered ones."""
        known = self._known.setdefault(stage, [])
        number = _find(known, inputs)
        if number is not None:
            entry = known.pop(number)
            known.insert(0, entry)
            return entry[1]  # type: ignore[no-any-return]
        result = self.compute(stage, *inputs)
        known.insert(0, (inputs, result))
        del known[self.KEPT :]
        return result

    def knows(self, stage: Callable[..., Any], *inputs: Any) -> bool:
        """Whether the stage's output for the inputs is remembered."""
        return _find(self._known.get(stage, ()), inputs) is not None

    def compute(self, stage: Callable[..., T], *inputs: Any) -> T:
        """Run a stage whose output is not remembered."""
        return stage(*inputs)


def _find(known: Sequence[tuple[tuple[Any, ...], Any]], inputs: tuple[Any, ...]) -> int | None:
    """The number of the entry with equal inputs.

    The very same objects are looked for first: unequal graphs have much in common, so comparing them takes long.
    """
    for number, (before, _) in enumerate(known):
        if len(before) == len(inputs) and all(map(is_, before, inputs)):
            return number
    return next((number for number, (before, _) in enumerate(known) if before == inputs), None)

"""What a compiler remembers from one compile to the next: outputs of stages, and within a stage those of its parts.

Everything remembered is the output of a pure function together with its inputs, so a plan never depends on what was
compiled before it. Outputs that are taken over are the same objects, which later stages find equal at a glance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from renderwright.render.incremental.lineup import Lineup, Rows, columns_of, taken_over

T = TypeVar("T")


class Table(NamedTuple):
    """What a function gave for each part, with its inputs; for the parts that stood in a row; and each output by
    itself, if equal ones are to be the same object."""

    entries: dict[Hashable, tuple[tuple[Any, ...], Any]]
    lineup: Lineup
    outputs: dict[Any, Any]


_NOBODY = Lineup([], (), [])

Tables = dict[Callable[..., Any], Table]
"""The tables of the functions of a stage."""


class Each(Generic[T]):
    """One function of the parts of a stage's input, with what it gave for each part at the stage's last run."""

    __slots__ = ("_before", "_function", "_known", "_lineup", "_now", "_outputs", "_rows", "_shared", "computed")

    def __init__(self, function: Callable[..., T], before: Table, rows: Rows, *, shared: bool = False) -> None:
        self._function = function
        self._rows = rows
        self._before, self._known, self._outputs = before
        self._shared = shared
        self._now: dict[Hashable, tuple[tuple[Any, ...], Any]] = {}
        self._lineup = _NOBODY
        self.computed = 0

    def __call__(self, part: Hashable, *inputs: Any) -> T:
        """The function of the inputs. ``part`` is what to call these (a node, a resource): where the inputs are equal
        to those of the same part at the last run, the output is the same object as then."""
        entry = self._before.get(part)
        if entry is None or entry[0] != inputs:
            entry = inputs, self._compute(inputs)
        self._now[part] = entry
        output: T = entry[1]
        return output

    def all(self, parts: Sequence[Hashable], *inputs: Iterable[Any]) -> Sequence[T]:
        """The function of many parts in a row, which costs next to nothing for those that are known: ``inputs`` are
        the first arguments of all of them, then the second ones, and so on; ``repeat`` gives one value to all.

        It is the last such row of a run that is remembered.
        """
        row = self._rows.row(parts)
        columns = columns_of(inputs, len(row))
        outputs, unknown = taken_over(self._known, row, columns, self._rows)
        self._lineup = Lineup(row, columns, outputs)
        for number, arguments in zip(unknown, self._lineup.rows(unknown), strict=False):
            outputs[number] = self._compute(arguments)
        return outputs

    @property
    def table(self) -> Table:
        """What this run asked for, and nothing else, for the next one."""
        if len(self._outputs) > 2 * len(self._lineup.outputs):
            self._outputs = {output: output for output in self._lineup.outputs}
        return Table(self._now, self._lineup, self._outputs)

    def _compute(self, inputs: tuple[Any, ...]) -> T:
        self.computed += 1
        output = self._function(*inputs)
        found: T = self._outputs.setdefault(output, output) if self._shared else output
        return found


class Parts:
    """Gives a stage the memory of its last run: the ``tables`` that this had in the end. Stages may share ``rows``."""

    def __init__(self, before: Tables | None = None, rows: Rows | None = None) -> None:
        self._before = before or {}
        self._rows = rows or Rows()
        self._each: dict[Callable[..., Any], Each[Any]] = {}

    def of(self, function: Callable[..., T], *, shared: bool = False) -> Each[T]:
        """A pure function of frozen values, remembered by part. Of ``shared`` ones equal outputs of several parts are
        the same object, too."""
        each = self._each.get(function)
        if each is None:
            before = self._before.get(function) or Table({}, _NOBODY, {})
            each = self._each[function] = Each(function, before, self._rows, shared=shared)
        return each

    @property
    def computed(self) -> int:
        """How many outputs were not remembered."""
        return sum(each.computed for each in self._each.values())

    @property
    def tables(self) -> Tables:
        """What this run asked for, and nothing else, for the next one."""
        return {function: each.table for function, each in self._each.items()}


class Memo:
    """Remembers each stage's last few inputs and outputs: equal inputs give the same output object again.

    So a plugin that is switched off and on again, or a window that goes back to its size, costs a comparison.
    """

    KEPT = 4

    def __init__(self) -> None:
        self._known: dict[Callable[..., Any], list[tuple[tuple[Any, ...], Any]]] = {}
        self._tables: dict[Callable[..., Any], Tables] = {}
        self._rows = Rows()

    def __call__(self, stage: Callable[..., T], *inputs: Any, parts: bool = False) -> T:
        """The stage's output for the inputs, computed only when they differ from those remembered.

        With ``parts`` the stage takes one more argument, the ``Parts`` of its last run.
        """
        known = self._known.setdefault(stage, [])
        for number, (before, output) in enumerate(known):
            if before == inputs:
                known.insert(0, known.pop(number))
                return output  # type: ignore[no-any-return]
        if parts:
            memory = Parts(self._tables.get(stage), self._rows)
            result = self.compute(stage, *inputs, memory)
            self._tables[stage] = memory.tables
        else:
            result = self.compute(stage, *inputs)
        known.insert(0, (inputs, result))
        del known[self.KEPT :]
        return result

    def knows(self, stage: Callable[..., Any], *inputs: Any) -> bool:
        """Whether the stage's output for the inputs is remembered."""
        return any(before == inputs for before, _ in self._known.get(stage, ()))

    def learn(self, stage: Callable[..., T], inputs: tuple[Any, ...], output: T) -> None:
        """Remember an output that somebody else has computed."""
        known = self._known.setdefault(stage, [])
        known[:] = [(inputs, output), *(entry for entry in known if entry[0] != inputs)][: self.KEPT]

    def compute(self, stage: Callable[..., T], *inputs: Any) -> T:
        """Run a stage whose output is not remembered."""
        return stage(*inputs)

"""The table of effects and their references."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich import box
from rich.progress import track
from rich.table import Table

from benchmarks.quality.effects import ALL, Measured
from benchmarks.quality.row import Row
from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


def chosen_effects(names: Sequence[str]) -> dict[str, Measured]:
    """The named effects, or all. Raises ``UsageError`` for an unknown one."""
    for name in names:
        if name not in ALL:
            raise UsageError(f'there is no measurement of "{name}"', hint=did_you_mean(name, list(ALL)))
    return {name: ALL[name] for name in ALL if name in names or not names}


def effect_table(
    backend: Backend,
    measured: Mapping[str, Measured],
    keep: Callable[[Row], None] | None = None,
    *,
    markdown: bool = False,
) -> Table:
    """Measure the effects and build the table; ``keep`` is called with each row."""
    title = f"effects beside their references, on {backend.capabilities.device}"
    table = Table(title=None if markdown else title, box=box.MARKDOWN if markdown else box.HEAVY_HEAD)
    for column in ("effect", "reference", "measure"):
        table.add_column(column, overflow="fold")
    for column in ("without", "with", "bound"):
        table.add_column(column, justify="right")
    table.add_column("met")
    for effect in track(measured.values(), "measuring", transient=True):
        for row in effect(backend):
            table.add_row(*cells(row))
            if keep is not None:
                keep(row)
    return table


def cells(row: Row) -> tuple[str, ...]:
    """The cells of a row."""
    without = "" if row.without is None else f"{row.without:.4f}"
    numbers = (without, f"{row.with_it:.4f}", f"{row.bound:.4f}")
    return (row.effect, row.reference, row.measure, *numbers, "yes" if row.met else "NO")

"""Tables whose rows are printed when they are measured, since a whole table may take minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import click


@dataclass(frozen=True)
class Column:
    """A column: its head, and the width of its widest cell if that is wider. Numbers are flush right."""

    head: str
    width: int = 0
    left: bool = False

    def padded(self, text: str) -> str:
        """A cell's text in the width of the column; a wider one is not cut."""
        width = max(len(self.head), self.width)
        return text.ljust(width) if self.left else text.rjust(width)


class PrintedRows:
    """Prints a title and the heads of ``columns``, then each row that ``add`` is given."""

    def __init__(self, title: str, columns: Sequence[Column]) -> None:
        self._columns = columns
        click.echo(title)
        click.echo(self._line([column.head for column in columns], "┃"))

    def add(self, *cells: str) -> None:
        """Print a row, with a cell for each column."""
        click.echo(self._line(cells, "│"))

    def end(self, *notes: str) -> None:
        """Print notes and an empty line below the rows."""
        click.echo("\n".join([*notes, ""]))

    def _line(self, cells: Sequence[str], bar: str) -> str:
        padded = [column.padded(cell) for column, cell in zip(self._columns, cells, strict=True)]
        return f"{bar} {f' {bar} '.join(padded)} {bar}"

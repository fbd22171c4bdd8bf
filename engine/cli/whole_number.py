"""Whole numbers of the command line."""

from __future__ import annotations

from typing import Any

import click


class WholeNumber(click.IntRange):
    """A range of whole numbers that tells what is none which numbers it takes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises ``click.BadParameter`` for another value."""
        try:
            int(value)
        except (TypeError, ValueError):
            self.fail(f"{value!r} is not a whole number {self._in_words()}", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number

    def _in_words(self) -> str:
        return f"of {self.min} or more" if self.max is None else f"from {self.min} to {self.max}"

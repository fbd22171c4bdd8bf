"""How far a job is: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from renderwright.engine.messages import say

EACH = 30.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def rendering(title: str, unit: str, total: int) -> Iterator[Callable[[], None]]:
    """Show the progress, the rate and the remaining time until the block ends. Yields a function to call for each of
    the ``total`` pieces, such as ``unit`` "frames"."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _Lines(unit, total).advance
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn(f"{{task.fields[rate]:.1f}} {unit}/s")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total, rate=0.0)

        def advance() -> None:
            bar.advance(task)
            bar.update(task, rate=bar.tasks[0].speed or 0.0)

        yield advance


class _Lines:
    """A line every ``EACH`` seconds."""

    def __init__(self, unit: str, total: int) -> None:
        self._unit, self._total, self._done = unit, total, 0
        self._begin = self._said = time.monotonic()

    def advance(self) -> None:
        self._done += 1
        now = time.monotonic()
        if now - self._said < EACH or self._done == self._total:
            return
        self._said = now
        rate = self._done / (now - self._begin)
        left = (self._total - self._done) / rate
        say(f"{self._done} of {self._total} {self._unit}, {rate:.1f} a second, {left:.0f} s left")

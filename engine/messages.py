"""What a running game tells on standard error: lines, which are not wrapped, and a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def say(line: str) -> None:
    """Write a line."""
    print(line, file=sys.stderr, flush=True)


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar until the block ends, if standard error is a terminal. Yields a function that advances it."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda steps: None
        return
    # rich takes a while to import.
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda steps: bar.advance(task, steps)

"""What a running game tells on standard error: lines, which are not wrapped, and a progress bar on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SLOW = 1.0
"""Seconds of a frame from which on somebody waits for it."""
EACH = 10.0
"""Seconds between two lines about frames or shares where there is no terminal."""


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


@contextmanager
def frames_progress(total: int, hint: str = "") -> Iterator[Callable[[], None]]:
    """Like ``progress`` for frames; yields a function to call after each. Where they are slow it tells how slow.

    Without a terminal that is a line now and then. The first one has the ``hint`` behind it, which makes them faster.
    """
    pace = FramePace(total, time.monotonic())
    if sys.stderr is None or not sys.stderr.isatty():
        lines = _FrameLines(pace, hint)
        yield lambda: lines.advance(time.monotonic())
        return
    from rich.console import Console
    from rich.progress import Progress

    title = f"rendering {total} frames"
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)

        def advance() -> None:
            words = pace.advance(time.monotonic())
            bar.update(task, advance=1, description="; ".join(filter(None, (words, hint))) if words else title)

        yield advance


@contextmanager
def share_progress(title: str, rest: str) -> Iterator[Callable[[float], None]]:
    """Show how much of a job is done. Yields a function that takes the share, 0 to 1; from 1 on the ``rest`` goes on.

    Without a terminal that is a line now and then.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield _ShareLines(title, rest).advance
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=1.0)

        def advance(share: float) -> None:
            bar.update(task, completed=share, description=title if share < 1.0 else rest)

        yield advance


class _ShareLines:
    """A line about the share every ``EACH`` seconds, and one about the rest."""

    def __init__(self, title: str, rest: str) -> None:
        self._title, self._rest = title, rest
        self._begin = self._said = time.monotonic()

    def advance(self, share: float) -> None:
        now = time.monotonic()
        if share >= 1.0:
            if now - self._begin >= EACH:
                say(self._rest)
        elif now - self._said >= EACH:
            self._said = now
            say(f"{self._title}, {share:.0%} done")


class FramePace:
    """How long frames take, which began at ``begin`` seconds."""

    def __init__(self, total: int, begin: float) -> None:
        self.total, self.done = total, 0
        self._begin = begin

    def advance(self, now: float) -> str:
        """What is to be told after a further frame; nothing while frames are not slow."""
        self.done += 1
        each = (now - self._begin) / self.done
        return f"frame {self.done} of {self.total}, {each:.1f} s each" if each >= SLOW else ""


class _FrameLines:
    """A line every ``EACH`` seconds while frames are slow."""

    def __init__(self, pace: FramePace, hint: str) -> None:
        self._pace, self._hint = pace, hint
        self._said = time.monotonic()

    def advance(self, now: float) -> None:
        words = self._pace.advance(now)
        if words and now - self._said >= EACH and self._pace.done < self._pace.total:
            say("; ".join(filter(None, (words, self._hint))))
            self._said, self._hint = now, ""

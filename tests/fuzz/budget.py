"""Runs cases until time is up; a case that hangs or fails is told with the command that runs it alone."""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

Case = Callable[[int], str]
"""Runs the case of a seed and returns a word for how it ended, to be counted; raises when something is wrong."""

CASE_SECONDS = 600
"""Of wall clock, on a machine that other work keeps busy."""


class Hang(BaseException):
    """A case took too long; no handler of the code under test may catch it."""


@dataclass
class Report:
    """How the cases of one kind ended."""

    name: str
    seconds: float = 0.0
    cases: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        endings = ", ".join(f"{number} {word}" for word, number in sorted(self.endings.items()))
        rate = self.cases / self.seconds if self.seconds else 0.0
        return f"{self.name}: {self.cases} cases in {self.seconds:.0f} s, {rate:.1f} a second: {endings}"


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raises ``Hang`` inside when the time is over."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"no end after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_cases(name: str, case: Case, first: int, seconds: float, most: int = 1 << 62, failures: int = 20) -> Report:
    """Cases of the seeds from ``first`` on, until time or ``most`` of them or the allowed ``failures`` are used up."""
    report = Report(name)
    start = time.monotonic()
    while report.cases < most and time.monotonic() - start < seconds and len(report.failures) < failures:
        seed = first + report.cases
        report.cases += 1
        try:
            with limited(CASE_SECONDS):
                report.endings[case(seed)] += 1
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a Hang, a SystemExit and a RecursionError are failures too
            report.endings["failures"] += 1
            report.failures.append(f"{name} {seed}: {type(error).__name__}: {str(error)[:600]}")
            traceback.print_exc(limit=-4)
            print(f"again: .venv/bin/python tests/fuzz/run.py {name} {seed}", file=sys.stderr, flush=True)
    report.seconds = time.monotonic() - start
    return report

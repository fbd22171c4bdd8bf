"""Semaphores: the dependencies from signals to waits."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.sync.oracle.clocks import Clock
from renderwright.render.sync.oracle.findings import Finding, Kind, Site
from renderwright.render.sync.oracle.ledger import Report
from renderwright.render.sync.oracle.stream import Semaphore


@dataclass(frozen=True)
class Signal:
    """A signal operation of a queue at a position, after some stages; ``clock`` are its predecessors."""

    site: Site
    queue: int
    position: int
    stages: int
    clock: Clock


class SemaphoreState:
    """One semaphore with its executed signals."""

    def __init__(self, item: Semaphore) -> None:
        self.id = item.id
        self.timeline = item.timeline
        self.value = item.value
        self._initial = item.value
        self._values: list[int] = []
        self._signals: dict[int, Signal] = {}
        self._binary: Signal | None = None

    def ready(self, value: int) -> bool:
        """Whether a wait for the value is satisfied."""
        return self.value >= value if self.timeline else self._binary is not None

    def signal(self, value: int, signal: Signal, report: Report) -> None:
        """Execute a signal."""
        if not self.timeline:
            if self._binary is not None:
                message = f'the semaphore "{self.id}" is signalled again before anything waits for it'
                report(Finding(Kind.SEMAPHORE_MISUSE, message, signal.site, self._binary.site, remedy="a wait"))
            self._binary = signal
            return
        if value <= self.value:
            message = f'the timeline "{self.id}" is set to {value}, but has {self.value} already'
            report(Finding(Kind.SEMAPHORE_MISUSE, message, signal.site, remedy="values that grow, in a fixed order"))
            return
        self.value = value
        insort(self._values, value)
        self._signals[value] = signal

    def wait(self, value: int) -> Signal | None:
        """The signal that a wait for the value comes after; the wait unsignals a binary semaphore."""
        if not self.timeline:
            signal, self._binary = self._binary, None
            return signal
        if value <= self._initial:
            return None
        at = bisect_left(self._values, value)
        return self._signals[self._values[at]] if at < len(self._values) else None

    def peek(self, value: int) -> Signal | None:
        """The result of ``wait`` without its effect, for the host, whose wait does not reset a fence."""
        return self._binary if not self.timeline else self.wait(value)

    def reset(self) -> None:
        """Reset a fence, by the host."""
        self._binary = None


def describe(waits: Sequence[tuple[str, int]]) -> str:
    """Waits in words."""
    return " and ".join(f'"{name}"' + (f" to reach {value}" if value else "") for name, value in waits)

"""What happened while a job was rendered, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from renderwright.engine.text_table import text_table


@dataclass(frozen=True)
class Event:
    """Something that went wrong: with which worker, with which pieces, and what."""

    worker: str
    numbers: tuple[int, ...]
    reason: str


@dataclass
class Report:
    """The course of a job.

    ``carried`` are the resources because of which one worker renders all frames. ``given_up`` has the reasons of pieces
    that were not made, ``without`` the pieces in which a plugin is missing because it had failed.
    """

    done: int = 0
    carried: tuple[str, ...] = ()
    events: list[Event] = field(default_factory=list)
    given_up: dict[int, str] = field(default_factory=dict)
    without: dict[str, list[int]] = field(default_factory=dict)
    notices: dict[str, None] = field(default_factory=dict)

    def table(self, title_of: Callable[[int], str]) -> str:
        """What went wrong, a row each; '' if nothing did."""
        if not self.events:
            return ""
        rows = [("worker", "pieces", "what happened")]
        rows += [(event.worker, titles(event.numbers, title_of), event.reason) for event in self.events]
        return text_table(rows, 3)

    def losses(self, title_of: Callable[[int], str]) -> Sequence[str]:
        """A line for each reason for which pieces are missing, and for each plugin that is missing in some."""
        reasons: dict[str, list[int]] = {}
        for number, reason in self.given_up.items():
            reasons.setdefault(reason, []).append(number)
        lines = [f"{titles(numbers, title_of)} is missing: {reason}" for reason, numbers in reasons.items()]
        return [
            *lines,
            *(f'{titles(numbers, title_of)} is without plugin "{name}"' for name, numbers in self.without.items()),
        ]


def titles(numbers: Iterable[int], title_of: Callable[[int], str]) -> str:
    """Pieces in words: "frame 3", "frame 3 to frame 7, frame 9"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        title_of(run[0]) if len(run) == 1 else f"{title_of(run[0])} to {title_of(run[-1])}" for run in runs
    )

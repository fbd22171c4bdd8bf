"""Who makes pieces: this process, or many workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from renderwright.engine.farm.work import Batch, Work
from renderwright.engine.farm.workshop import Workshop


@dataclass(frozen=True)
class Outcome:
    """What has become of the pieces that a worker was given: a batch, or in words why there is none (``lost``).

    ``error`` concerns the whole job, and ends it.
    """

    worker: str
    batch: Batch | None = None
    lost: str = ""
    error: Exception | None = None


class Crew(Protocol):
    """Some workers, each with a name, that come and go. Each has one task at a time."""

    @property
    def most(self) -> int:
        """How many pieces a worker may be given at once."""

    @property
    def says_notices(self) -> bool:
        """Whether warnings of the engine have been shown where they arose."""

    def workers(self) -> Sequence[str]:
        """The workers that are there now, at work or not."""

    def give(self, worker: str, work: Work, numbers: Sequence[int]) -> None:
        """Have a worker make pieces. It must have nothing to do.

        A worker that has other versions (``Work.versions``) than this process makes none; its outcome is an error.
        """

    def wait(self, seconds: float) -> Sequence[Outcome]:
        """Wait until a worker is done or lost, at most so long; returns what has become of its pieces."""

    def end(self, worker: str) -> None:
        """End a worker that hangs. Nothing more is heard of it; another one may take its place."""

    def close(self) -> None:
        """Let go of all workers."""


class OneProcess:
    """A crew of one worker: this process. Pieces are made in ``wait``."""

    name = "this process"
    most = 1
    says_notices = True

    def __init__(self) -> None:
        self._workshop = Workshop()
        self._given: tuple[Work, Sequence[int]] | None = None

    def workers(self) -> Sequence[str]:
        """This process."""
        return (self.name,)

    def give(self, worker: str, work: Work, numbers: Sequence[int]) -> None:
        """Remember the pieces."""
        self._given = work, numbers

    def wait(self, seconds: float) -> Sequence[Outcome]:
        """Make the pieces, however long it takes."""
        if self._given is None:
            return ()
        (work, numbers), self._given = self._given, None
        try:
            return (Outcome(self.name, self._workshop.make(work, numbers)),)
        except Exception as error:
            return (Outcome(self.name, error=error),)

    def end(self, worker: str) -> None:
        """Nothing: a process that hangs does not get here."""

    def close(self) -> None:
        """Close the device."""
        self._workshop.close()

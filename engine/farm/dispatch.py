"""Hands pieces to the workers of a crew until all are done or given up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from renderwright.engine.farm.crew import Crew, Outcome
from renderwright.engine.farm.pace import Pace
from renderwright.engine.farm.report import Event, Report
from renderwright.engine.farm.strikes import Strikes
from renderwright.engine.farm.work import CarriedError, Failure, Piece, UnfitError, Work
from renderwright.render.errors import BackendError

POLL = 0.5
"""Seconds after which workers that hang or come are looked for."""

PATIENCE = 120.0
"""Seconds to wait for a worker while there is none."""

WINDOW = 128
"""Pieces ahead of the first one that is missing: what is done early has to wait for those before it."""


@dataclass(frozen=True)
class _Task:
    numbers: tuple[int, ...]
    until: float


class Dispatch:
    """The course of some pieces of a work. ``run`` yields them as they are done, in any order; then ``report`` tells.

    Raises ``RenderwrightError`` for a job that no worker could do, ``BackendError`` if no worker can go on.
    """

    def __init__(
        self, work: Work, crew: Crew, numbers: Iterable[int], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.work = work
        self.report = Report()
        self._crew = crew
        self._clock = clock
        self._numbers = sorted(numbers)
        self._todo = set(self._numbers)
        self._busy: dict[str, _Task] = {}
        self._unfit: dict[str, UnfitError] = {}
        self._owner = ""
        self._strikes = Strikes()
        self.report.given_up = self._strikes.given_up
        self._pace = Pace(crew.most)
        self._alone_since: float | None = None

    def run(self) -> Iterator[Piece]:
        """Make the pieces."""
        while self._todo or self._busy:
            self._hand_out()
            if not self._busy and self._todo:
                self._require_workers()
            for outcome in self._crew.wait(POLL):
                yield from self._take(outcome)
            self._end_hung()
            self._strikes.give_up_rest(tuple(self._todo))
            self._todo -= self._strikes.given_up.keys()

    # handing out ----------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        workers = [worker for worker in self._crew.workers() if worker not in self._unfit]
        if self.work.in_one_run:
            chosen = () if self._busy else self._owner_of_the_run(workers)
        else:
            chosen = tuple(worker for worker in workers if worker not in self._busy)
        for worker in chosen:
            numbers = self._batch_for(worker, workers)
            if numbers:
                self._alone_since = None
                self._todo -= set(numbers)
                limit = self._pace.limit(worker, numbers, self.work.before(numbers[0]))
                self._busy[worker] = _Task(numbers, self._clock() + limit)
                self._crew.give(worker, self.work, numbers)

    def _owner_of_the_run(self, workers: Sequence[str]) -> Sequence[str]:
        """The worker that goes on with all pieces: another one if it is gone, or has failed with the next piece."""
        first = min(self._todo, default=0)
        able = [worker for worker in workers if self._strikes.is_for(worker, first, workers)]
        self._owner = self._owner if self._owner in able else next(iter(able), "")
        return able and (self._owner,)

    def _batch_for(self, worker: str, workers: Sequence[str]) -> tuple[int, ...]:
        """The next pieces that the worker may try, without a gap; a suspect alone."""
        chosen: list[int] = []
        for number in self._window():
            if chosen and (number != chosen[-1] + 1 or self._strikes.is_suspect(number)):
                break
            if number in self._todo and self._strikes.is_for(worker, number, workers):
                chosen.append(number)
                if len(chosen) == self._pace.batch or self._strikes.is_suspect(number):
                    break
            elif chosen:
                break
        return tuple(chosen)

    def _window(self) -> Sequence[int]:
        """The pieces from the first on that is neither done nor given up."""
        given = {number for task in self._busy.values() for number in task.numbers}
        missing = (place for place, number in enumerate(self._numbers) if number in self._todo or number in given)
        first = next(missing, len(self._numbers))
        self._numbers = self._numbers[first:]
        return self._numbers[:WINDOW]

    def _require_workers(self) -> None:
        """Raise ``BackendError`` if there is nobody to wait for."""
        present = self._crew.workers()
        if present and all(worker in self._unfit for worker in present):
            error = next(iter(self._unfit.values()))
            raise BackendError(error.message, hint=error.hint)
        now = self._clock()
        self._alone_since = now if self._alone_since is None else self._alone_since
        if now - self._alone_since > PATIENCE:
            raise BackendError(
                f"there has been no worker for {PATIENCE:.0f} seconds",
                hint="see why workers do not start, then give the same command again: it goes on from what is done",
            )

    # taking back ----------------------------------------------------------------------------------------------------

    def _take(self, outcome: Outcome) -> Iterator[Piece]:
        task = self._busy.pop(outcome.worker)
        if outcome.error is not None:
            self._give_back(task.numbers)
            self._take_error(outcome.worker, outcome.error)
        elif outcome.batch is None:
            self._lose(outcome.worker, task, outcome.lost, hung=False)
        else:
            batch = outcome.batch
            for piece in batch.done:
                yield self._done(piece)
            self._pace.note(outcome.worker, task.numbers, [piece.seconds for piece in batch.done])
            self.report.notices |= dict.fromkeys(batch.notices)
            if batch.failure is not None:
                self._fail(outcome.worker, batch.failure)
            self._give_back(task.numbers[len(batch.done) + (batch.failure is not None) :])

    def _take_error(self, worker: str, error: Exception) -> None:
        """Go on after an error that concerns more than a piece, or raise it."""
        if isinstance(error, CarriedError) and not self.work.in_one_run:
            self.work = self.work.run_from_start()
            self.report.carried = error.names
        elif isinstance(error, UnfitError):
            self._unfit[worker] = error
            self.report.events.append(Event(worker, (), f"it cannot take part: {error.message}"))
        else:
            raise error

    def _done(self, piece: Piece) -> Piece:
        self.report.done += 1
        self._strikes.succeed()
        for plugin in piece.made.without:
            self.report.without.setdefault(plugin, []).append(piece.number)
        return piece

    def _fail(self, worker: str, failure: Failure) -> None:
        number = failure.number
        self.report.events.append(Event(worker, (number,), failure.reason))
        self._strikes.fail(number, worker, failure.reason, final=failure.final, beyond=failure.beyond)
        self._pace.forget(worker)
        self._give_back((number,))

    def _lose(self, worker: str, task: _Task, reason: str, *, hung: bool) -> None:
        self.report.events.append(Event(worker, task.numbers, reason))
        self._strikes.suspect(task.numbers, worker, reason, hung=hung)
        self._pace.forget(worker)
        self._give_back(task.numbers)

    def _give_back(self, numbers: Sequence[int]) -> None:
        self._todo |= set(numbers) - self._strikes.given_up.keys()

    def _end_hung(self) -> None:
        now = self._clock()
        for worker, task in list(self._busy.items()):
            if now > task.until:
                del self._busy[worker]
                self._crew.end(worker)
                self._lose(worker, task, "it did not answer any more", hung=True)

"""Makes pieces in one process, and tells what went wrong with them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from renderwright.engine.farm.versions import require_same
from renderwright.engine.farm.work import (
    Batch,
    CarriedError,
    Failure,
    Maker,
    Piece,
    PieceFailedError,
    UnfitError,
    Work,
)
from renderwright.render.errors import BackendError, DeviceLostError, OutOfMemoryError, RenderwrightError


class Workshop:
    """Keeps the maker of a work open from batch to batch, so that the next frames go on from the last.

    After a failure the maker is closed, whatever state it was left in, and the next batch opens another one.
    """

    def __init__(self) -> None:
        self._work: Work | None = None
        self._maker: Maker | None = None

    def make(self, work: Work, numbers: Sequence[int], versions: Mapping[str, str] | None = None) -> Batch:
        """Make pieces in order, until one fails. With ``versions``, only if this process has the same.

        Raises what concerns the job rather than a piece: ``CarriedError``, ``UnfitError`` where this process
        cannot do it, and other ``RenderwrightError`` where no worker could.
        """
        done: list[Piece] = []
        with _Notices() as notices:
            for number in numbers:
                begin = time.perf_counter()
                try:
                    made = self._opened(work, versions).make(number)
                except (CarriedError, KeyboardInterrupt):
                    self.close()
                    raise
                except PieceFailedError as error:
                    self.close()
                    failure = Failure(number, error.reason, error.final, error.beyond)
                    return Batch(tuple(done), failure, notices.lines)
                except RenderwrightError as error:
                    self.close()
                    if not isinstance(error, BackendError):
                        raise
                    return Batch(tuple(done), Failure(number, _in_words(error)), notices.lines)
                except Exception as error:
                    self.close()
                    return Batch(tuple(done), Failure(number, f"{type(error).__name__}: {error}"), notices.lines)
                done.append(Piece(number, made, time.perf_counter() - begin))
        return Batch(tuple(done), None, notices.lines)

    def _opened(self, work: Work, versions: Mapping[str, str] | None) -> Maker:
        if self._maker is None or self._work != work:
            self.close()
            if versions is not None:
                self._check(work, versions)
            try:
                self._maker, self._work = work.open(), work
            except (DeviceLostError, OutOfMemoryError):
                raise
            except BackendError as error:
                raise UnfitError(error.message, hint=error.hint) from error
        return self._maker

    def _check(self, work: Work, versions: Mapping[str, str]) -> None:
        try:
            found = work.versions()
        except RenderwrightError as error:  # the game is not there, for example
            raise UnfitError(error.message, hint=error.hint) from error
        require_same(versions, found)

    def close(self) -> None:
        """Close the maker, if there is one."""
        maker, self._maker = self._maker, None
        if maker is not None:
            with suppress(Exception):  # after a failure its device may not answer
                maker.close()


def _in_words(error: BackendError) -> str:
    if isinstance(error, DeviceLostError):
        return f"the device was lost: {error.message}"
    if isinstance(error, OutOfMemoryError):
        return f"memory ran out: {error.message}"
    return error.message


class _Notices(logging.Handler):
    """Collects the warnings of the engine within a block."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._lines: dict[str, None] = {}

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self._lines)

    def emit(self, record: logging.LogRecord) -> None:
        self._lines[record.getMessage()] = None

    def __enter__(self) -> _Notices:
        logging.getLogger("renderwright").addHandler(self)
        return self

    def __exit__(self, *exception: object) -> None:
        logging.getLogger("renderwright").removeHandler(self)

"""What a kind of job provides, and what workers hand back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from renderwright.render.errors import RenderwrightError


@dataclass(frozen=True)
class Made:
    """What a worker has made of a piece: the bytes of its file, and the digest of what is in it.

    ``without`` are plugins that had failed by then, so that the piece shows nothing of them. ``source`` is the piece's
    ``Work.source_of`` as it was before the piece was made.
    """

    data: bytes
    digest: str
    without: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Piece:
    """A piece that is done, after so many ``seconds``."""

    number: int
    made: Made
    seconds: float = 0.0


@dataclass(frozen=True)
class Failure:
    """Why a piece was not made, in words.

    It is tried again unless it is ``final``. If it goes ``beyond`` the piece, no later one can be made either.
    """

    number: int
    reason: str
    final: bool = False
    beyond: bool = False


@dataclass(frozen=True)
class Batch:
    """What a worker hands back for some pieces: those that are done, in order, then perhaps the failure of the next.

    ``notices`` are the lines that the engine logged meanwhile.
    """

    done: tuple[Piece, ...] = ()
    failure: Failure | None = None
    notices: tuple[str, ...] = ()


class PieceFailedError(Exception):
    """Raised by a maker for a piece that fails for a reason that is known; see ``Failure``."""

    def __init__(self, reason: str, *, final: bool = False, beyond: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final
        self.beyond = beyond


class CarriedError(Exception):
    """Raised by a maker that needs the pieces before its first: ``names`` are what a frame takes over."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))
        self.names = names

    def __reduce__(self) -> tuple[type[CarriedError], tuple[tuple[str, ...]]]:
        return CarriedError, (self.names,)


class UnfitError(RenderwrightError):
    """Raised where a worker cannot make any piece: its machine has no driver, for example."""


class Maker(Protocol):
    """Makes pieces on one device, in a worker."""

    def make(self, number: int) -> Made:
        """Make a piece. Any exception is a failure of the piece; the maker is then closed, and another one opened."""

    def close(self) -> None:
        """Release the device."""


class Work(Protocol):
    """A kind of job. It is a frozen value, goes to each worker, and compares by content."""

    @property
    def in_one_run(self) -> bool:
        """Whether one worker has to make all pieces in order."""

    def before(self, number: int) -> int:
        """How many frames a worker that begins anew plays before this piece."""

    def open(self) -> Maker:
        """Open a device in this process. Raises ``RenderwrightError`` if no worker could do this work."""

    def run_from_start(self) -> Work:
        """The same work for one worker in order, after a ``CarriedError``."""

    def file_of(self, number: int) -> str:
        """The name of a piece's file."""

    def source_of(self, number: int) -> str:
        """A digest of what this piece is made of, beside the job; '' if there is nothing of its own. Raises ``OSError``
        if that cannot be read."""

    def title_of(self, number: int) -> str:
        """What a piece is called, such as "frame 12"."""

    def identity(self) -> Mapping[str, str]:
        """What distinguishes this job's files from those of another job, by name."""

    def versions(self) -> Mapping[str, str]:
        """What the pieces depend on besides the job, as this process has it: sources and their versions."""

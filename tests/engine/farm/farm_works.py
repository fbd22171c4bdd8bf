"""Works without a device, for tests of crews. Every test here may import this; workers do."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from renderwright.engine.farm.work import CarriedError, Made, PieceFailedError


@dataclass(frozen=True)
class Counted:
    """Pieces that hold their number. ``folder`` gets a file with the process's id for each piece that is begun.

    A ``bad`` piece raises, ``hanging`` waits, ``deadly`` kills its process, each as often as the number says; behind
    ``end`` there are no pieces.
    ``carries`` needs one run from the first piece on.
    """

    count: int = 8
    folder: Path | None = None
    seconds: float = 0.0
    bad: Mapping[int, int] = field(default_factory=dict, hash=False)
    hanging: Mapping[int, int] = field(default_factory=dict, hash=False)
    deadly: Mapping[int, int] = field(default_factory=dict, hash=False)
    end: int = 1 << 30
    carries: bool = False
    in_one_run: bool = False
    source: str = ""
    version: str = "1"

    def before(self, number: int) -> int:
        return 0

    def open(self) -> Counter:
        return Counter(self)

    def run_from_start(self) -> Counted:
        return replace(self, in_one_run=True)

    def file_of(self, number: int) -> str:
        return f"{number}.txt"

    def source_of(self, number: int) -> str:
        return self.source

    def title_of(self, number: int) -> str:
        return f"piece {number}"

    def identity(self) -> Mapping[str, str]:
        return {"kind": "counted"}

    def versions(self) -> Mapping[str, str]:
        return {"counted": self.version}


class Counter:
    def __init__(self, work: Counted) -> None:
        self._work = work
        self._first: int | None = None

    def make(self, number: int) -> Made:
        work = self._work
        if number >= work.end:
            raise PieceFailedError("the game ended", final=True, beyond=True)
        if work.carries and not work.in_one_run and number:
            raise CarriedError(("depth",))
        tried = self._note(number)
        if tried <= work.bad.get(number, 0):
            raise ZeroDivisionError(f"try {tried}")
        if tried <= work.hanging.get(number, 0):
            time.sleep(3600.0)
        if tried <= work.deadly.get(number, 0):
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(work.seconds)
        return Made(str(number).encode(), f"digest {number}", source=work.source)

    def _note(self, number: int) -> int:
        """How often this piece was begun."""
        if self._work.folder is None:
            return 1
        (self._work.folder / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
        return len(list(self._work.folder.glob(f"{number}-*")))

    def close(self) -> None:
        pass


def processes(folder: Path, number: int) -> list[int]:
    """The processes that have begun a piece, the last one first."""
    begun = sorted(folder.glob(f"{number}-*"), key=lambda file: file.name.rpartition("-")[2], reverse=True)
    return [int(file.name.split("-")[1]) for file in begun]

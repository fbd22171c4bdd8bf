"""The files of pieces in a folder, with a journal that tells which are whole.

The journal is a file of lines of JSON: first the job, then a line for each piece that has its name, with the digests of
its file and of what is in it. A file without a line, or with other bytes, is not whole.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from renderwright.engine.farm.work import Piece, Work
from renderwright.render.errors import UsageError
from renderwright.render.files.reading import read_file, read_text
from renderwright.render.files.writing import replacing

JOURNAL = "render.jsonl"
_MOST_JOURNAL = 1 << 28
_MOST_PIECE = 1 << 32


@dataclass(frozen=True)
class Kept:
    """A piece in a file: the SHA-256 of its bytes, the digest of what is in it, and that of what it was made of."""

    sha256: str
    digest: str
    source: str = ""


class Store:
    """The pieces of a work in a folder, which is made.

    Raises ``UsageError`` if the folder cannot be used, or has pieces of another job; with ``anew`` these are forgotten.
    """

    def __init__(self, folder: Path, work: Work, *, anew: bool = False) -> None:
        self.folder = folder
        self._work = work
        self._head = {"job": {**work.identity(), **work.versions()}}
        self._journal = folder / JOURNAL
        self._lines: dict[str, Kept] = {}
        self._whole: dict[int, Kept] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not anew and self._journal.exists():
                self._read()
            self._begin()
        except OSError as error:
            raise self._cannot_write(error) from error

    def missing(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """Those of the pieces that are not whole, or were made of something else."""
        missing = []
        for number in numbers:
            kept = self._lines.get(self._work.file_of(number))
            if number not in self._whole and kept is not None and self._is_whole(number, kept):
                self._whole[number] = kept
            if number not in self._whole:
                missing.append(number)
        return tuple(missing)

    def put(self, piece: Piece) -> None:
        """Write a piece: its file, then its line. Raises ``UsageError``.

        An interrupt in it comes when the piece is whole: a file without a line would be rendered again, and a line that
        is not counted yet would make the number of whole pieces too small.
        """
        try:
            self._write(piece)
        except KeyboardInterrupt:
            self._write(piece)  # all of it: where the interrupt came is unknown, and a second line does no harm
            raise

    def _write(self, piece: Piece) -> None:
        name, data = self._work.file_of(piece.number), piece.made.data
        kept = Kept(hashlib.sha256(data).hexdigest(), piece.made.digest, piece.made.source)
        try:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            with replacing(self.folder / name) as file:
                file.write(data)
            with self._journal.open("a", encoding="utf-8") as journal:
                journal.write(_line(name, kept))
        except OSError as error:
            raise self._cannot_write(error, f"; what was rendered until then is whole: {len(self._whole)}") from error
        self._lines[name] = self._whole[piece.number] = kept

    def digest(self, number: int) -> str:
        """The digest of what is in a piece that is whole."""
        return self._whole[number].digest

    def data(self, number: int) -> bytes:
        """The bytes of a piece that is whole. Raises ``OSError``."""
        return read_file(self.folder / self._work.file_of(number), _MOST_PIECE)

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self) -> None:
        """Take in the journal of an earlier run."""
        lines = [line for text in read_text(self._journal, _MOST_JOURNAL).splitlines() if (line := _parsed(text))]
        if not lines or lines[0] != self._head:
            self._require_same(lines[0].get("job", {}) if lines else {})
        self._lines = {line["file"]: Kept(line["sha256"], line["digest"], line["source"]) for line in lines[1:]}

    def _begin(self) -> None:
        """Write the journal, whole or not at all."""
        with replacing(self._journal) as file:
            lines = [json.dumps(self._head) + "\n", *(_line(name, kept) for name, kept in self._lines.items())]
            file.write("".join(lines).encode())

    def _is_whole(self, number: int, kept: Kept) -> bool:
        try:
            data, source = self.data(number), self._work.source_of(number)
        except OSError:
            return False
        return hashlib.sha256(data).hexdigest() == kept.sha256 and kept.source == source

    def _require_same(self, job: Mapping[str, str]) -> None:
        now = self._head["job"]
        name = next((name for name in {**now, **job} if now.get(name) != job.get(name)), "job")
        raise UsageError(
            f'"{self.folder}" has pieces of another job: {name} was {job.get(name, "unknown")}, '
            f"and is {now.get(name, 'unknown')}",
            hint="give another --out, or --anew to render everything again",
        )

    def _cannot_write(self, error: OSError, so_far: str = "") -> UsageError:
        return UsageError(
            f'nothing can be written to "{self.folder}": {error.strerror or error}{so_far}',
            hint="make room or give another --out; the same command goes on from what is whole",
        )


def _line(name: str, kept: Kept) -> str:
    return json.dumps({"file": name, **asdict(kept)}) + "\n"


def _parsed(text: str) -> dict[str, Any] | None:
    """A line of the journal; None for one that a crash has cut off."""
    try:
        line = json.loads(text)
    except ValueError:
        return None
    known = isinstance(line, dict) and ("job" in line or {"file", "sha256", "digest", "source"} <= line.keys())
    return line if known else None

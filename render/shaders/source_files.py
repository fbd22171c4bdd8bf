"""Source files of shaders, as they are on the disk or as they are held."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

Stamp = tuple[Path, int, int]
"""The state of a file: two that are equal have the same text."""


class SourceFiles:
    """The files on the disk."""

    def exists(self, path: Path) -> bool:
        """Whether there is a file of that name that may be looked for."""
        try:
            return path.is_file()
        except OSError:  # such as a name that is too long
            return False

    def read(self, path: Path) -> str:
        """The text of a file. Raises ``OSError`` if it cannot be read."""
        return path.read_text(encoding="utf-8", errors="replace")

    def stamp(self, path: Path) -> Stamp:
        """The present state of a file."""
        try:
            state = path.stat()
        except OSError:
            return path, 0, 0
        return path, state.st_mtime_ns, state.st_size


@dataclass(frozen=True)
class Held:
    """The text of a file, and how many texts of any file had been taken before it."""

    text: str
    version: int


Taken = Mapping[Path, Held]
"""What the files held before others were taken."""


class HeldFiles(SourceFiles):
    """Files whose text stays as it was first read until ``take`` takes the text on the disk.

    Any thread may read. One thread alone takes and puts back.
    """

    def __init__(self) -> None:
        self._held: dict[Path, Held] = {}
        self._versions = 0

    @property
    def paths(self) -> frozenset[Path]:
        """The files that have been read, resolved."""
        return frozenset(list(self._held))

    @property
    def count(self) -> int:
        """The number of files that have been read."""
        return len(self._held)

    def exists(self, path: Path) -> bool:
        """Whether the file is held, or exists."""
        return super().exists(path) or Path(os.path.realpath(path)) in self._held

    def read(self, path: Path) -> str:
        """The held text; the text on the disk is held from now on if there is none."""
        path = path.resolve()
        held = self._held.get(path)
        if held is None:
            held = self._held.setdefault(path, Held(super().read(path), 0))
        return held.text

    def stamp(self, path: Path) -> Stamp:
        """The version of the held text."""
        held = self._held.get(path)
        return (path, held.version, len(held.text)) if held is not None else (path, -1, 0)

    def take(self, paths: Iterable[Path]) -> Taken:
        """Hold the text on the disk of those files that have been read. Returns what ``put_back`` needs: the previous
        texts of the files that have another one. A file that is gone is held no longer."""
        before: dict[Path, Held] = {}
        for path in {path.resolve() for path in paths}:
            held = self._held.get(path)
            if held is None:
                continue
            try:
                text = super().read(path)
            except OSError:
                before[path] = self._held.pop(path)
                continue
            if text != held.text:
                before[path] = held
                self._versions += 1
                self._held[path] = Held(text, self._versions)
        return before

    def put_back(self, taken: Taken) -> None:
        """Hold the previous texts again."""
        self._held.update(taken)

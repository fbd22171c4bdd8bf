"""Writing of files beside their name: a file takes its name when it is complete.

Until then an old file of that name remains, and a failure (a full disk, an interrupt) leaves it as it was.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

UNFINISHED = ".tmp"
"""Suffix of files that are being written. Only a killed process leaves one behind."""

_NAME_CHARACTERS = 40
_PERMISSIONS = 0o666
"""As ``open`` creates files; the process's umask applies."""


class NewFile:
    """A file being written: ``commit`` gives it its name, ``discard`` removes it. Both may be called again.

    A symbolic link keeps pointing to the file, which is replaced. A name that is no plain file (a device, a FIFO) is
    written directly. Raises ``OSError``.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))
        self._part: Path | None = None
        mode = _mode(self.path)
        if mode is not None and not stat.S_ISREG(mode):
            self.file: BinaryIO = self.path.open("wb")
            return
        self._part = self.path.with_name(f".{self.path.name[:_NAME_CHARACTERS]}.{secrets.token_hex(6)}{UNFINISHED}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self.file = os.fdopen(os.open(self._part, flags, _PERMISSIONS), "wb")
        if mode is not None:
            with suppress(OSError):  # some file systems have no permissions
                self._part.chmod(stat.S_IMODE(mode))

    def commit(self) -> None:
        """Close the file and give it its name. If that fails, the file is removed."""
        try:
            self.file.close()
            if self._part is not None:
                os.replace(self._part, self.path)
                self._part = None
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        """Close and remove the file. What was at its name stays."""
        with suppress(OSError):  # a full disk
            self.file.close()
        if self._part is not None:
            with suppress(OSError):
                self._part.unlink()
            self._part = None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the name ``path`` when the block ends without an error."""
    new = NewFile(path)
    try:
        yield new.file
    except BaseException:
        new.discard()
        raise
    new.commit()


def _mode(path: Path) -> int | None:
    """Type and permissions of what has this name; None if nothing has."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None

"""A disk cache for results that are expensive to make, in the user's cache folder. Files may be lost at any time.

Files are checked by digest when read and replaced atomically when written, so several processes may share a folder. A
folder that is not writable costs time, but raises no error. Entries that are no plain files or too large are not read.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import time
from pathlib import Path

from renderwright.render.files.reading import read_file
from renderwright.render.files.writing import UNFINISHED, replacing

MOST_ENTRY_BYTES = 64 * 2**20
"""Limit of an entry, far above any shader or pipeline cache."""

_DIGEST_BYTES = 32
_ABANDONED_SECONDS = 3600.0
_PRUNED = "pruned"
"""An empty file in a folder, written when that is pruned."""

_PRUNE_SECONDS = 600.0
_log = logging.getLogger("renderwright.cache")


def cache_folder(kind: str) -> Path:
    """``$RENDERWRIGHT_CACHE_DIR/KIND``, else ``renderwright/KIND`` in the user's cache folder (XDG)."""
    chosen = os.environ.get("RENDERWRIGHT_CACHE_DIR")
    if chosen:
        return Path(chosen) / kind
    xdg = os.environ.get("XDG_CACHE_HOME")
    return (Path(xdg) if xdg else Path.home() / ".cache") / "renderwright" / kind


def read_checked(
    path: Path, magic: bytes, most_bytes: int = MOST_ENTRY_BYTES, *, mark_used: bool = True
) -> bytes | None:
    """The bytes of a file; None if it is missing, of another kind, damaged, or has more than ``most_bytes``.

    Reading marks the file as used, for ``prune``, unless the file is not part of a cache.
    """
    start = len(magic) + _DIGEST_BYTES
    try:
        content = read_file(path, start + most_bytes)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except OSError as error:
        _log.warning("%s is not read and will be regenerated: %s", path, error.strerror)
        return None
    data = content[start:]
    if content[:start] != magic + hashlib.sha256(data).digest():
        _log.warning("%s is damaged and will be regenerated", path)
        return None
    if mark_used:
        with contextlib.suppress(OSError):
            os.utime(path)
    return data


def write_checked(path: Path, magic: bytes, data: bytes) -> None:
    """Write the bytes to a file, with their digest."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_unless_plain(path)
        with replacing(path) as file:
            file.write(magic + hashlib.sha256(data).digest() + data)
    except OSError as error:
        _log.warning("cannot write %s: %s", path, error)


def _remove_unless_plain(path: Path) -> None:
    """Remove a FIFO, link or device in the place of an entry, so that the entry is not written into it."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.unlink()


def prune_at_times(folder: Path, most_bytes: int) -> None:
    """``prune``, unless a process has done so of late: to look at each file of a full folder takes a second."""
    mark = folder / _PRUNED
    with contextlib.suppress(OSError):
        if abs(time.time() - mark.stat().st_mtime) < _PRUNE_SECONDS:
            return
    prune(folder, most_bytes)
    with contextlib.suppress(OSError):
        mark.touch()


def prune(folder: Path, most_bytes: int) -> None:
    """Remove the least recently used files beyond ``most_bytes``, and temporary files of crashed writers."""
    found: list[tuple[float, int, str]] = []
    now = time.time()
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            with contextlib.suppress(OSError):  # another process may have removed it
                state = entry.stat()
                if entry.name.endswith(UNFINISHED):
                    if now - state.st_mtime > _ABANDONED_SECONDS:
                        os.unlink(entry.path)
                elif entry.is_file():
                    found.append((state.st_mtime, state.st_size, entry.path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= most_bytes:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        total -= size

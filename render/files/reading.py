"""Reading of files that others may have made: plain files only, and never more than a limit.

A device may have no end, opening a FIFO waits for its writer, and a sparse file is larger than any memory. Each of them
is an ``OSError`` whose ``strerror`` says so, like that of a file that does not exist.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_CHUNK = 1 << 20
#: Opening a FIFO for reading would wait for a writer. Windows has none of these flags, and needs O_BINARY.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def read_file(path: Path, most_bytes: int) -> bytes:
    """The whole content of a plain file. Raises ``OSError``, also for a file of more than ``most_bytes``."""
    data = _read(path, most_bytes + 1, most_bytes)
    if len(data) > most_bytes:
        raise _too_large(path, most_bytes)
    return data


def read_start(path: Path, count: int) -> bytes:
    """The first ``count`` bytes of a plain file, or all if it has fewer. Raises ``OSError``."""
    return _read(path, count, None)


def read_text(path: Path, most_bytes: int) -> str:
    """The UTF-8 text of a plain file, as ``Path.read_text``. Raises ``OSError`` and ``UnicodeDecodeError``."""
    text = read_file(path, most_bytes).decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read(path: Path, count: int, most_bytes: int | None) -> bytes:
    """At most ``count`` bytes. A file whose size is above ``most_bytes`` is refused before it is read."""
    handle = os.open(path, _FLAGS)
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, _kind(state.st_mode), str(path))
        if most_bytes is not None and state.st_size > most_bytes:
            raise _too_large(path, most_bytes)
        chunks: list[bytes] = []
        while count > 0 and (chunk := os.read(handle, min(count, _CHUNK))):
            chunks.append(chunk)
            count -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(handle)


def _too_large(path: Path, most_bytes: int) -> OSError:
    limit = f"{most_bytes >> 20} MiB" if most_bytes >= 1 << 20 else f"{most_bytes} bytes"
    return OSError(errno.EFBIG, f"it is larger than {limit}", str(path))


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "it is a folder"
    return "it is a FIFO, a socket or a device, not a plain file"
